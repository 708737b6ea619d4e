"""`python -m legalworld` is `lw`."""

from legalworld.commands import main

if __name__ == "__main__":
    main()
