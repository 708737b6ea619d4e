"""The edge: files, the journal, backbones."""
