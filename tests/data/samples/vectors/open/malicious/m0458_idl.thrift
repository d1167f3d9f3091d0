

# and this
