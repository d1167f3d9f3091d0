// named_nodes: the names and positions in a list of declarations or members, for any kind of node.
#pragma once

#include <thriftlens/idl/program.hpp>

#include <cstddef>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Borrows a contiguous list of nodes with a `name` and a position `where`.
class named_nodes {
 public:
  named_nodes(const auto& list) noexcept : size_(list.size()) {  // NOLINT: implicit on purpose
    if (size_ == 0) return;
    const auto& first = list[0];
    name_ = reinterpret_cast<const std::byte*>(&first.name);
    where_ = reinterpret_cast<const std::byte*>(&first.where);
    stride_ = sizeof(first);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string_view name(std::size_t index) const noexcept {
    return *reinterpret_cast<const std::string_view*>(name_ + index * stride_);
  }
  [[nodiscard]] position where(std::size_t index) const noexcept {
    return *reinterpret_cast<const position*>(where_ + index * stride_);
  }
  /// Identity of the list. Null if it is empty.
  [[nodiscard]] const void* key() const noexcept { return name_; }

 private:
  const std::byte* name_ = nullptr;
  const std::byte* where_ = nullptr;
  std::size_t stride_ = 0;
  std::size_t size_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
