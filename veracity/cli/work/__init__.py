"""What each verb does, in a file of the same name, imported when it is called."""
