"""`python cli.py run ...` is `lw run ...` from a checkout; the commands live in `legalworld.cli`."""

from legalworld.cli.main import main

if __name__ == "__main__":
    main()
