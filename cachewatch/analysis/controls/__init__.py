"""Every other cause that is looked for, in the order in which it is shown."""
