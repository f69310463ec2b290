"""What problems on partly revealed boards share: instances, relations, their statement as a Model."""
