"""What Word shows of a .docx file, as text."""
