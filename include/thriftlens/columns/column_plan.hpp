// column_plan: the columns of a selection of a type, as a tree of Arrow fields.
#pragma once

#include <thriftlens/columns/options.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Storage layout of a column.
enum class column_form : std::uint8_t {
  nothing,
  bits,
  fixed,
  bytes,
  list,
  map,
  structure,
  dense_union,
  dictionary
};

/// The operation on a value. Those up to `bytes` do not depend on a surrounding struct or container.
enum class column_task : std::uint8_t {
  pass,
  boolean,
  i8,
  i16,
  i32,  ///< enums as numbers, too
  i64,
  real,
  text,
  bytes,
  uuid,
  dictionary,
  enum_text,  ///< enums as their names
  list,
  map,
  structure,
  dense_union,
  stop,
};

/// One Arrow field.
struct column_node {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::string name;
  std::string format;                 ///< Arrow's format string
  std::string doc;                    ///< the comment of the field
  type of;                            ///< false for extra columns
  std::uint32_t field = image::none;  ///< in the schema; none for elements, keys, values
  type_kind kind = type_kind::void_;
  column_form form = column_form::nothing;
  column_task task = column_task::stop;
  std::uint8_t width = 0;  ///< bytes of a fixed value
  bool nullable = true;
  bool flat = false;                ///< its children take its place
  std::uint32_t null_size = 0;      ///< maximum size of a null in it and in its children
  std::uint32_t field_columns = 0;  ///< structs: number of children that are its fields
  std::vector<std::uint32_t> children;
  std::vector<std::uint32_t> by_field;  ///< structs: position in children by field, in order of ids; or none
};

/// A tree of Arrow fields. Node 0 is the struct of a row.
struct column_plan {
  static constexpr std::size_t max_columns = 65536;

  std::vector<column_node> nodes;
  type from;  ///< of a record: the struct, or a list or set of it
  // Positions of the extra columns, or none.
  std::uint32_t record = column_node::none;
  std::uint32_t offset = column_node::none;
  std::uint32_t reason = column_node::none;
  std::uint32_t file = column_node::none;
  std::uint32_t unknown = column_node::none;
  column_field_ids field_ids = column_field_ids::none;

  [[nodiscard]] const column_node& root() const noexcept { return nodes.front(); }

  /// Errors: wrong_type if the selection's type is neither a struct nor a list of structs, if it is
  /// recursive, or if it has more than max_columns; bad_option for two columns of one name.
  [[nodiscard]] static result<column_plan> try_compile(const selection& selected,
                                                       const columns_options& options);
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/column_plan.ipp>
#endif
