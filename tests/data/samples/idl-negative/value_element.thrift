const list<string> x = ['1', 2]
