enum E { async }
