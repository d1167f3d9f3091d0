service S extends { }
