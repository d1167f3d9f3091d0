// first error: deleted
// errors: 1
#include <thriftlens/view.hpp>

#include <vector>

void ask(const std::vector<int>& numbers) { thriftlens::view of(numbers); }
