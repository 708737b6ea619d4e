"""What is proved of a procedure before it runs. Pure."""
