// skipped_names: names of declarations that error recovery skipped, without those of remaining declarations.
#pragma once

#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/idl/name_table.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Suppresses errors that follow from a reported one. Of all programs of a load.
class skipped_names {
 public:
  /// An empty name stands for an unreadable one.
  THRIFTLENS_COLD void add(std::uint32_t program, std::string_view name) {
    if (name.empty()) return add_unknown(program);
    names_.insert(name, 0, program);
  }
  /// Any name of the program may be missing.
  THRIFTLENS_COLD void add_unknown(std::uint32_t program) {
    if (unknown_.size() <= program) unknown_.resize(program + 1);
    unknown_[program] = true;
  }
  [[nodiscard]] bool may_have(std::uint32_t program, std::string_view name) const noexcept {
    return (program < unknown_.size() && unknown_[program]) || names_.find(name, program) != name_table::none;
  }

 private:
  thriftlens::detail::pod_vector<bool> unknown_;
  name_table names_;  ///< by program; borrowed from the sources
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
