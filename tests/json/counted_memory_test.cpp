#include "json/counted_memory.hpp"
#include "support/test.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> held{0};
std::atomic<std::size_t> peak{0};
constexpr std::size_t head = alignof(std::max_align_t);

void* counted(std::size_t size) {
  auto* block = static_cast<char*>(std::malloc(size + head));
  if (block == nullptr) throw std::bad_alloc();
  *reinterpret_cast<std::size_t*>(block) = size;
  const std::size_t current = held += size;
  if (current > peak) peak = current;
  return block + head;
}
void uncounted(void* input) noexcept {
  if (input == nullptr) return;
  char* block = static_cast<char*>(input) - head;
  held -= *reinterpret_cast<std::size_t*>(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
// std::stable_sort and simdjson allocate in these ways; a sanitizer would use its own heap.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void operator delete(void* block) noexcept { uncounted(block); }
void operator delete[](void* block) noexcept { uncounted(block); }
void operator delete(void* block, std::size_t) noexcept { uncounted(block); }
void operator delete[](void* block, std::size_t) noexcept { uncounted(block); }

namespace thriftlens_test {
std::size_t held_bytes() noexcept { return held; }
std::size_t peak_bytes() noexcept { return peak; }
void reset_peak() noexcept { peak = held.load(); }
}  // namespace thriftlens_test

TEST(counted_memory, sees_the_peak) {
  const std::size_t previous_size = thriftlens_test::held_bytes();
  thriftlens_test::reset_peak();
  { const std::vector<char> some(100000); }
  EXPECT_EQ(thriftlens_test::held_bytes(), previous_size);
  EXPECT_GE(thriftlens_test::peak_bytes(), previous_size + 100000);
}
