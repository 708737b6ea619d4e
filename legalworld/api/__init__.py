"""The public door of the package: what `import legalworld` offers, and what the command line is built on."""
