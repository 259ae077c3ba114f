"""What developers' programs conclude, without the programs' servers."""
