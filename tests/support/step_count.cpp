// step_count: the counter. This unit is compiled without coverage, so that its own steps are not counted.
#include <cstddef>
#include <cstdint>

namespace thriftlens_test {

static std::uint64_t steps = 0;

std::uint64_t steps_so_far() noexcept;
std::uint64_t steps_so_far() noexcept { return steps; }

}  // namespace thriftlens_test

// Compilers call this at each branch target of a unit compiled with -fsanitize-coverage=trace-pc.
extern "C" void __sanitizer_cov_trace_pc();
extern "C" void __sanitizer_cov_trace_pc() { ++thriftlens_test::steps; }

// Loops in the C library are not instrumented, so counting versions replace the common functions; sanitizers
// have their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STEP_COUNT_SANITIZED 1
#endif
#endif
#if !defined(STEP_COUNT_SANITIZED) && !defined(__SANITIZE_ADDRESS__)

namespace {

constexpr std::size_t bytes_a_step = 16;
void count(std::size_t bytes) { thriftlens_test::steps += bytes / bytes_a_step; }

void copy_forward(unsigned char* to, const unsigned char* from, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
}

void copy_backward(unsigned char* to, const unsigned char* from, std::size_t size) {
  for (std::size_t i = size; i > 0; --i) to[i - 1] = from[i - 1];
}

}  // namespace

extern "C" {

void* memmove(void* to, const void* from, std::size_t size) {
  count(size);
  auto* const target = static_cast<unsigned char*>(to);
  const auto* const source = static_cast<const unsigned char*>(from);
  if (target < source) {
    copy_forward(target, source, size);
  } else {
    copy_backward(target, source, size);
  }
  return to;
}

void* memcpy(void* __restrict to, const void* __restrict from, std::size_t size) {
  count(size);
  copy_forward(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), size);
  return to;
}

void* memset(void* to, int value, std::size_t size) {
  count(size);
  auto* const target = static_cast<unsigned char*>(to);
  for (std::size_t i = 0; i < size; ++i) target[i] = static_cast<unsigned char>(value);
  return to;
}

int memcmp(const void* left, const void* right, std::size_t size) {
  const auto* const a = static_cast<const unsigned char*>(left);
  const auto* const b = static_cast<const unsigned char*>(right);
  std::size_t i = 0;
  while (i < size && a[i] == b[i]) ++i;
  count(i);
  return i == size ? 0 : a[i] - b[i];
}

void* memchr(const void* in, int value, std::size_t size) {
  const auto* const bytes = static_cast<const unsigned char*>(in);
  std::size_t i = 0;
  while (i < size && bytes[i] != static_cast<unsigned char>(value)) ++i;
  count(i);
  return i == size ? nullptr : const_cast<unsigned char*>(bytes + i);
}

std::size_t strlen(const char* text) {
  std::size_t size = 0;
  while (text[size] != '\0') ++size;
  count(size);
  return size;
}

}  // extern "C"

#endif
