// What is inline is one object in a program; units without exceptions have their own copy (core/config.hpp).
#include "units.hpp"

int main() {
  if (shared_table_of_first() != shared_table_of_second()) return 1;
  if (shared_table_of_first() == shared_table_of_noexcept()) return 2;
  return works_without_exceptions();
}
