// arena_resource: pmr containers on an arena, so that a decoded object costs few allocations and dies at
// once. Never gives a single allocation back: memory returns when the arena is reset.
#pragma once

#include <thriftlens/core/arena.hpp>

#include <cstddef>
#include <memory_resource>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Give it to the pmr members of a struct, then decode_into that struct:
///
///     tl::arena memory;
///     tl::arena_resource resource(memory);
///     order o{.name = std::pmr::string(&resource), .items = std::pmr::vector<item>(&resource)};
///     tl::decode_into(bytes, o);
///
/// Alignments beyond that of max_align_t are not served.
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
