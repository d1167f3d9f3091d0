const map<string,i32> x = {'a': 1, 'b': '2'}
