"""What the listing says of mechanics: definitions, fields, contacts and joints, line by line."""
