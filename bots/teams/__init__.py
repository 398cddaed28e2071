"""Teams: the only package that imports botbuilder."""
