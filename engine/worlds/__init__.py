"""What nobody has shown: hands of the others and a wall, drawn as likely as what was seen makes them, and played on."""
