// column_scratch: state shared by the writers of one set of columns.
#pragma once

#include <thriftlens/columns/field_steps.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/path_builder.hpp>

#include <optional>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Whether writers try the fast path for fields like those of the rows before.
enum class column_speculation : bool { off, on };

/// Details of a fault beyond the reader's.
struct column_fault {
  path_builder path{path_builder::order::innermost_first};
  std::string message;
  std::optional<error> of_condition;
  bool is_in_skipped = false;
};

struct column_scratch {
  explicit column_scratch(const column_plan& plan, column_speculation mode = column_speculation::on)
      : steps(plan), speculation(mode) {}

  std::vector<byte_view> keys;  ///< of the open maps
  field_steps steps;
  column_fault fault;  ///< of the last record, until it is reported
  column_speculation speculation;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
