"""What problems on partly revealed boards share: instances, relations, the definition, their Model."""
