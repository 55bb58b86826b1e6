import sys

from scarce.cli import main

sys.exit(main())
