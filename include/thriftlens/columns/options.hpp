// options: options of columns.
#pragma once

#include <thriftlens/core/choice.hpp>
#include <thriftlens/core/enum_values.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>

#include <cstdint>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Handling of a record that cannot be read.
enum class on_record_error : std::uint8_t {
  raise,  ///< the call fails, and the columns are unchanged
  null,   ///< a row of nulls
  skip,   ///< no row
};
/// Unions: a struct of which at most one member is not null, or Arrow's dense union.
enum class column_unions : std::uint8_t { structure, dense };
/// Structs in structs: as they are, or their fields as columns "outer.inner". Those in containers stay.
enum class column_nesting : std::uint8_t { structs, flat };

/// Names of the extra columns; empty: no column.
struct extra_columns {
  std::string record = {};  ///< int64: the record's number
  std::string offset = {};  ///< int64: the byte of the input that the record begins at
  std::string reason = {};  ///< string: why a row is null; null where it is not
  std::string file = {};    ///< string: the file of the record (columns::set_file); null without a file
  /// binary: the fields of a row that the IDL does not know, as a struct of the record's protocol; null
  /// without any. Unknown fields of nested structs are skipped.
  std::string unknown_fields = {};

  friend bool operator==(const extra_columns&, const extra_columns&) = default;
};

/// `PARQUET:field_id` in the metadata of Arrow fields.
enum class column_field_ids : std::uint8_t {
  none,
  unique  ///< numbers from 1 in the order of the schema, elements, keys and values included
};
/// How types of the IDL become types of Arrow.
struct column_types {
  /// number: int32. name: a dictionary of names; unnamed numbers follow them, so that dictionaries of batches
  /// differ. string: names as strings. A number that the enum does not name is its decimal digits.
  choice<enum_values::number, enum_values::name, enum_values::string> enums = {};
  column_unions unions = column_unions::structure;
  column_nesting nesting = column_nesting::structs;
  column_field_ids field_ids = column_field_ids::none;

  friend bool operator==(const column_types&, const column_types&) = default;
};
/// Leniency towards records, as in decode_options.
struct column_leniency {
  /// A field is absent if its wire type, or that of elements in it, contradicts the type.
  choice<on_mismatch::error, on_mismatch::drop> mismatch = {};
  /// keep: columns of strings are binary, and hold the bytes unchanged.
  choice<on_invalid_utf8::error, on_invalid_utf8::replace, on_invalid_utf8::keep> invalid_utf8 = {};
  /// Required fields that a record lacks; of a selection only the selected ones count.
  choice<on_missing::error, on_missing::omit> missing_required = {};
  choice<on_unknown::drop, on_unknown::error> unknown = {};

  friend bool operator==(const column_leniency&, const column_leniency&) = default;
};

/// Options of columns.
struct columns_options {
  /// `depth` and the sizes apply to single records; output_size bounds the bytes that one record adds to the
  /// columns.
  thriftlens::limits limits = {};
  on_record_error on_error = on_record_error::raise;
  column_types types = {};
  on_absent defaults = on_absent::omit;
  column_leniency leniency = {};
  extra_columns extras = {};

  friend bool operator==(const columns_options&, const columns_options&) = default;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
