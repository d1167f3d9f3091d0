// first error: use of deleted function
// errors: 1
#include <thriftlens/view.hpp>

#include <vector>

void ask(const std::vector<int>& numbers) { thriftlens::view of(numbers); }
