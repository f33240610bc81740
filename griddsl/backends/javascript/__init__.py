"""The JavaScript backend: a program as one module without dependencies, for pages and for Node."""
