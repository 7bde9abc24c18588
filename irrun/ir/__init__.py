"""The document as written: XML and .bin to frozen Documents, with every place exact."""
