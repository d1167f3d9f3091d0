typedef map<string, void> M
