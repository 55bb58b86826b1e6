"""One folder per paper, discovered by `scarce.config`; nothing outside a folder names its paper."""
