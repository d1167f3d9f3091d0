// first error: thriftlens: a value is a number, enum, text, bytes, uuid
#include <thriftlens/edit/edit.hpp>

struct trip {
  int id = 0;
};

void change(thriftlens::edit<thriftlens::binary>& of) { of.set("$.trip", trip{}); }
