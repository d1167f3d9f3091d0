const string S = 'a\x41'
