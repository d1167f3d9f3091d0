// arena_resource: a pmr resource on an arena, for decoded objects with few allocations. Memory is released
// when the arena is reset.
#pragma once

#include <thriftlens/core/arena.hpp>

#include <cstddef>
#include <memory_resource>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Construct the pmr members of a struct with it, then call decode_into:
///
///     tl::arena memory;
///     tl::arena_resource resource(memory);
///     order o{.name = std::pmr::string(&resource), .items = std::pmr::vector<item>(&resource)};
///     tl::decode_into(bytes, o);
///
/// Supports alignments up to that of max_align_t.
class arena_resource final : public std::pmr::memory_resource {
 public:
  explicit arena_resource(arena& memory) noexcept : memory_(&memory) {}

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    THRIFTLENS_ASSERT(alignment <= alignof(std::max_align_t));
    return memory_->allocate(size, alignment);
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  arena* memory_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
