// skipped_names: names of declarations that error recovery skipped, without those of remaining declarations.
#pragma once

#include <thriftlens/idl/name_table.hpp>

#include <string_view>

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
    names_.insert(name, 0);
  }
  void add_unknown() noexcept { any_ = true; }
  [[nodiscard]] bool may_have(std::string_view name) const noexcept {
    return any_ || names_.find(name) != name_table::none;
  }

 private:
  bool any_ = false;
  name_table names_;  ///< borrowed from the source
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
