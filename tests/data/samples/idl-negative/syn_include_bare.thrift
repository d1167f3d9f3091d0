include fine
