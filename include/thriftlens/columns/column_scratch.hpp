// column_scratch: what the writers of one set of columns leave to each other.
#pragma once

#include <thriftlens/columns/field_steps.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/path_builder.hpp>

#include <optional>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Whether writers take fields that are as in the rows before at once, or leave all to the general code.
enum class column_speculation : bool { off, on };

/// What is known of a fault beside what the reader holds.
struct column_fault {
  path_builder path{path_builder::order::innermost_first};
  std::string words;
  std::optional<error> of_condition;
  bool is_in_skipped = false;
};

struct column_scratch {
  explicit column_scratch(const column_plan& plan, column_speculation wanted = column_speculation::on)
      : steps(plan), speculation(wanted) {}

  std::vector<byte_view> keys;  ///< of the open maps
  field_steps steps;
  column_fault fault;  ///< of the last record, until somebody asks why; then as new
  column_speculation speculation;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
