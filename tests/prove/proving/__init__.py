"""Random schemas, values, spellings and programs, and slow reference implementations of what
thriftlens does with them. Nothing here but the targets imports thriftlens."""
