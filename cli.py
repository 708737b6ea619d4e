"""`python cli.py run ...` is `lw run ...` from a checkout; the commands live in `legalworld.commands`."""

from legalworld.commands import main

if __name__ == "__main__":
    main()
