import sys

from pubench.cli import main

sys.exit(main())
