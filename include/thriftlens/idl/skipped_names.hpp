// skipped_names: the declarations of a program that error recovery skipped. Never holds a name that a
// declaration of the program kept.
#pragma once

#include <thriftlens/core/config.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// So that one mistake is reported once, and an unknown name elsewhere is reported too.
class skipped_names {
 public:
  skipped_names() = default;
  /// Of a program that was not read: any name may be skipped.
  [[nodiscard]] static skipped_names all() {
    skipped_names every;
    every.add_unknown();
    return every;
  }

  /// An empty name is one nobody could read.
  void add(std::string_view name) {
    if (name.empty()) return add_unknown();
    names_.push_back(name);
  }
  void add_unknown() noexcept { any_ = true; }
  /// Before may_have() is asked. Names live as long as their source.
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
