// The program that is timed counts no allocations: thriftlens_bench_counted does.
#include "contest.hpp"

bool bench::counts_allocations() noexcept { return false; }
std::size_t bench::allocations() noexcept { return 0; }
