// Counts allocations by wrapping the allocator of the C library (glibc); operator new uses it too.
#include "contest.hpp"

#include <cstdlib>

namespace {
thread_local std::size_t allocation_count = 0;
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);

void* malloc(std::size_t size) {
  ++allocation_count;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocation_count;
  return __libc_calloc(count, size);
}
void* realloc(void* from, std::size_t size) {
  ++allocation_count;
  return __libc_realloc(from, size);
}
}

bool bench::counts_allocations() noexcept { return true; }
std::size_t bench::allocations() noexcept { return allocation_count; }
