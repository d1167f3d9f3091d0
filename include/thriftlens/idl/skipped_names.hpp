// skipped_names: names of declarations that error recovery skipped, without those of remaining declarations.
#pragma once

#include <thriftlens/core/config.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Suppresses errors that follow from a reported one.
class skipped_names {
 public:
  skipped_names() = default;
  /// For a program that was not read: any name may be missing.
  [[nodiscard]] static skipped_names all() {
    skipped_names every;
    every.add_unknown();
    return every;
  }

  /// An empty name stands for an unreadable one.
  void add(std::string_view name) {
    if (name.empty()) return add_unknown();
    names_.push_back(name);
  }
  void add_unknown() noexcept { any_ = true; }
  /// Must be called before may_have(). Names borrow from the source.
  void finish() { std::sort(names_.begin(), names_.end()); }
  /// O(log names).
  [[nodiscard]] bool may_have(std::string_view name) const {
    return any_ || std::binary_search(names_.begin(), names_.end(), name);
  }

 private:
  bool any_ = false;
  std::vector<std::string_view> names_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
