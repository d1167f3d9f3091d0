// from_columns: Arrow columns to Thrift records. Does not depend on Arrow; the arrays keep their owner.
#pragma once

#include <thriftlens/columns/arrow_abi.hpp>
#include <thriftlens/columns/arrow_encoder.hpp>
#include <thriftlens/columns/arrow_source.hpp>
#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/choice.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/select.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Options of encoding columns as records.
struct from_columns_options {
  /// `depth` applies, and output_size bounds one record; it has no automatic bound.
  thriftlens::limits limits = {};
  /// Required fields that are null, or that have no column.
  choice<on_missing::error, on_missing::omit> missing_required = {};
  /// Columns that the type does not know.
  choice<on_unknown::error, on_unknown::drop> unknown = {};
  /// keep: strings may be any bytes, from columns of text or binary.
  choice<on_invalid_utf8::error, on_invalid_utf8::keep> invalid_utf8 = {};
};

/// Rows of a record batch that can be encoded. Borrows the batch: valid while it and the schema live; threads
/// may share one.
///
/// Columns match fields by name, `outer.inner` fields of structs; nulls are absent fields. Reads the output
/// of tl::columns with all its options; also integers of any width, with range checks, dictionaries, large
/// and view forms, fixed-size lists, and lists of structs of two fields as maps. The checks are those of
/// encoding: required fields, ranges, names of enums, UTF-8, one member of a union, no duplicate keys.
class arrow_rows {
 public:
  /// O(columns). Errors: value_type if a column's type does not match its field (timestamps, decimals: cast
  /// them first), unknown_field with the nearest name, duplicate_field, depth_limit; wrong_type if `of` is
  /// not a struct, or Arrow's structs contradict each other.
  [[nodiscard]] static result<arrow_rows> try_make(type of, const ArrowSchema& schema,
                                                   const ArrowArray& array,
                                                   const from_columns_options& options = {}) {
    if (std::optional<error> bad = detail::find_bad_option({{"missing_required", options.missing_required},
                                                            {"unknown", options.unknown},
                                                            {"invalid_utf8", options.invalid_utf8}}))
      return *std::move(bad);
    auto tree = detail::arrow_source_tree::try_make(of, schema, array, options.unknown, options.limits,
                                                    options.invalid_utf8);
    if (!tree) return tree.error();
    return arrow_rows(*std::move(tree), options);
  }
  [[nodiscard]] static arrow_rows make(type of, const ArrowSchema& schema, const ArrowArray& array,
                                       const from_columns_options& options = {}) {
    return try_make(of, schema, array, options).value();
  }

  [[nodiscard]] std::size_t size() const noexcept { return tree_.nodes[0].length; }
  /// Whether the row itself is null: it has no record.
  [[nodiscard]] bool is_null(std::size_t row) const noexcept { return tree_.nodes[0].has_null_bit(row); }

  /// Writes rows one after another to the end of a buffer, faster than one at a time.
  template <protocol P>
  class encoder {
   public:
    encoder(const arrow_rows& from THRIFTLENS_LIFETIMEBOUND, buffer& out THRIFTLENS_LIFETIMEBOUND)
        : from_(from),
          out_(out),
          encoder_(from.tree_, out, from.options_.missing_required, from.options_.invalid_utf8,
                   from.options_.limits.max_given()) {}

    /// Appends the record of a row that is not null. Linear in its bytes. Errors, with the path in the
    /// record: missing_required, value_type (a null in a container), value_range, unknown_enum_name,
    /// invalid_utf8, union_members, duplicate_key, size_limit, output_limit; wrong_type for offsets out of
    /// range. The buffer is then unchanged.
    [[nodiscard]] result<void> try_append(std::size_t row) {
      if (row >= from_.size()) return error(errc::bad_index, "the row index is out of range");
      const std::size_t start = out_.size();
      if (encoder_.row(row)) [[likely]]
        return {};
      out_.truncate(start);
      return encoder_.failure();
    }
    void append(std::size_t row) { try_append(row).value(); }

   private:
    const arrow_rows& from_;
    buffer& out_;
    detail::arrow_encoder<P> encoder_;
  };

 private:
  arrow_rows(detail::arrow_source_tree tree, const from_columns_options& options)
      : tree_(std::move(tree)), options_(options) {}

  detail::arrow_source_tree tree_;
  from_columns_options options_;
};

/// A column of records: Arrow's binary. Copies share its bytes, which never change.
class record_column {
 public:
  // No move operations: the source of a move is unchanged.
  record_column(const record_column&) noexcept = default;
  record_column& operator=(const record_column&) noexcept = default;
  ~record_column() = default;

  /// One record for every row; null for a null row. Errors: those of arrow_rows, with the row; size_limit if
  /// the records take more than 2^31 - 1 bytes: split the batch.
  template <protocol P>
  [[nodiscard]] static result<record_column> try_make(const arrow_rows& rows);
  template <protocol P>
  [[nodiscard]] static record_column make(const arrow_rows& rows) {
    return try_make<P>(rows).value();
  }
  /// As above. After an error `row` is the index of its row.
  template <protocol P>
  [[nodiscard]] static result<record_column> try_make(const arrow_rows& rows, std::size_t& row);

  [[nodiscard]] std::size_t size() const noexcept { return data_->offsets.size() - 1; }
  [[nodiscard]] bool is_null(std::size_t at) const noexcept {
    return !data_->validity.empty() && (data_->validity[at / 8] >> at % 8 & 1) == 0;
  }
  /// The bytes of a record; empty for a null.
  [[nodiscard]] byte_view operator[](std::size_t at) const& noexcept THRIFTLENS_LIFETIMEBOUND {
    const auto begin = static_cast<std::size_t>(data_->offsets[at]);
    return {data_->bytes.data() + begin, static_cast<std::size_t>(data_->offsets[at + 1]) - begin};
  }
  void operator[](std::size_t at) const&& = delete;

  /// Arrow's schema and array; the receiver releases both, and the array owns the bytes.
  static void export_schema(ArrowSchema& out);
  void export_array(ArrowArray& out) const;

 private:
  struct data {
    buffer bytes;
    std::vector<std::int32_t> offsets{0};
    std::vector<std::uint8_t> validity;  ///< bits; empty if no value is null
    std::int64_t nulls = 0;

    void close(bool is_null);
  };
  struct exported;
  explicit record_column(std::shared_ptr<const data> records) noexcept : data_(std::move(records)) {}

  std::shared_ptr<const data> data_;
};

template <protocol P>
result<record_column> record_column::try_make(const arrow_rows& rows, std::size_t& row) {
  auto records = std::make_shared<data>();
  records->offsets.reserve(rows.size() + 1);
  arrow_rows::encoder<P> encoder(rows, records->bytes);
  for (row = 0; row < rows.size(); ++row) {
    const bool is_null = rows.is_null(row);
    if (!is_null) {
      result<void> status = encoder.try_append(row);
      if (!status) return std::move(status).error();
    }
    if (records->bytes.size() > 0x7fffffffu)
      return error(errc::size_limit, "the records of a batch exceed the 2 GiB of Arrow's binary");
    records->close(is_null);
  }
  return record_column(std::move(records));
}
template <protocol P>
result<record_column> record_column::try_make(const arrow_rows& rows) {
  std::size_t row = 0;
  result<record_column> records = try_make<P>(rows, row);
  if (records) return records;
  const error& reason = records.error();
  return error(reason.code(), detail::joined({reason.detail(), " in row ", row}), error::no_offset,
               reason.path());
}

/// The records of a batch as a column of binary. Errors: those of arrow_rows and record_column.
template <protocol P>
[[nodiscard]] result<record_column> try_from_columns(type of, const ArrowSchema& schema,
                                                     const ArrowArray& array,
                                                     const from_columns_options& options = {}) {
  const result<arrow_rows> rows = arrow_rows::try_make(of, schema, array, options);
  if (!rows) return rows.error();
  return record_column::try_make<P>(*rows);
}
template <protocol P>
[[nodiscard]] record_column from_columns(type of, const ArrowSchema& schema, const ArrowArray& array,
                                         const from_columns_options& options = {}) {
  return try_from_columns<P>(of, schema, array, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/from_columns.ipp>
#endif
