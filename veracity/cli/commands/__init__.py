"""The commands by family; nothing here imports numpy before a command is called, as help reads them all."""
