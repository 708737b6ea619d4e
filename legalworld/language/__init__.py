"""The spec language: YAML reader, mini-language, linker, diagnostics. Pure."""
