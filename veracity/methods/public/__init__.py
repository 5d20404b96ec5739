"""What public names say of themselves beyond their first sentences: parameters, fields, an example each."""
