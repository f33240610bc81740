"""``python -m griddsl`` is the command ``griddsl``."""

from griddsl.cli.app import main

if __name__ == "__main__":
    main()
