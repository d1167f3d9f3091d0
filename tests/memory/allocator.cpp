#include "memory/allocator.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

// The linker option --wrap redirects malloc() here; __real_malloc() is that of the C library or sanitizer.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_realloc(void* block, std::size_t size);
void __real_free(void* block);
void* __wrap_malloc(std::size_t size);
void* __wrap_realloc(void* block, std::size_t size);
void __wrap_free(void* block);
}

namespace {

std::atomic<std::size_t> held_bytes{0};
std::atomic<std::size_t> most_bytes{0};
std::atomic<std::size_t> taken{0};
std::atomic<std::size_t> countdown{0};
std::atomic<bool> all_fail{false};
std::atomic<bool> failed{false};
std::atomic<std::size_t> least_refused{0};

bool refuses(std::size_t size) noexcept {
  ++taken;
  if (least_refused != 0 && size >= least_refused) {
    failed = true;
    return true;
  }
  if (failed && all_fail) return true;
  if (countdown == 0 || --countdown != 0) return false;
  failed = true;
  return true;
}
void count(const void* block) noexcept {
  const std::size_t current = held_bytes += malloc_usable_size(const_cast<void*>(block));
  if (current > most_bytes) most_bytes = current;
}

}  // namespace

void* __wrap_malloc(std::size_t size) {
  if (refuses(size)) return nullptr;
  void* const block = __real_malloc(size);
  count(block);
  return block;
}
void* __wrap_realloc(void* block, std::size_t size) {
  if (refuses(size)) return nullptr;
  const std::size_t previous_size = malloc_usable_size(block);
  void* const memory = __real_realloc(block, size);
  if (memory == nullptr) return nullptr;
  held_bytes -= previous_size;
  count(memory);
  return memory;
}
void __wrap_free(void* block) {
  held_bytes -= malloc_usable_size(block);
  __real_free(block);
}

[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return __wrap_malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* const block = operator new(size, std::nothrow)) return block;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return operator new(size, std::nothrow);
}
[[gnu::noinline]] void* operator new[](std::size_t size) { return operator new(size); }
[[gnu::noinline]] void operator delete(void* block) noexcept { __wrap_free(block); }
[[gnu::noinline]] void operator delete[](void* block) noexcept { __wrap_free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { __wrap_free(block); }
[[gnu::noinline]] void operator delete[](void* block, std::size_t) noexcept { __wrap_free(block); }
[[gnu::noinline]] void operator delete(void* block, const std::nothrow_t&) noexcept { __wrap_free(block); }
[[gnu::noinline]] void operator delete[](void* block, const std::nothrow_t&) noexcept { __wrap_free(block); }

namespace thriftlens_test::memory {

std::size_t held() noexcept { return held_bytes; }
std::size_t peak() noexcept { return most_bytes; }
void reset_peak() noexcept {
  most_bytes = held_bytes.load();
  taken = 0;
}
std::size_t allocations() noexcept { return taken; }
void fail_at(std::size_t number, failing mode) noexcept {
  failed = false;
  all_fail = mode == failing::from_there_on;
  countdown = number;
}
void fail_from_size(std::size_t size) noexcept {
  failed = false;
  least_refused = size;
}
bool has_failed() noexcept { return failed; }

}  // namespace thriftlens_test::memory
