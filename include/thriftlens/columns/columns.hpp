// columns: Thrift records to Arrow columns, in one pass over their bytes. Does not depend on Arrow and builds
// only selected values.
#pragma once

#include <thriftlens/columns/arrow_abi.hpp>
#include <thriftlens/columns/arrow_export.hpp>
#include <thriftlens/columns/column_memory.hpp>
#include <thriftlens/columns/column_scratch.hpp>
#include <thriftlens/columns/column_set.hpp>
#include <thriftlens/columns/options.hpp>
#include <thriftlens/columns/predicate.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/select.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A record that could not be read, with a row of nulls or none in the columns.
struct rejected_record {
  std::int64_t record = 0;  ///< its index
  std::int64_t offset = 0;  ///< where it begins in the input
  error reason;             ///< its offset counts from the begin of the record
};

/// Columns that grow by one row per record. The receiver owns the result of take(); the object has one owner,
/// may be moved and is not shared between threads: fork() makes another of the same plan.
///
///     auto rows = tl::columns::compile(tl::selection::compile(order, "{ id user { name } }"));
///     for (tl::byte_view record : records) rows.append<tl::binary>(record);
///     ArrowSchema schema;  rows.export_schema(schema);
///     ArrowArray batch;    rows.take(batch);          // a struct array: a record batch
class columns {
 public:
  /// A moved-from object has no rows and can be used again.
  columns(columns&& other) noexcept
      : shared_(other.shared_),
        set_(std::move(other.set_)),
        scratch_(std::move(other.scratch_)),
        rejected_(std::move(other.rejected_)),
        rows_(std::exchange(other.rows_, 0)) {}
  columns& operator=(columns&& other) noexcept {
    std::swap(shared_, other.shared_);
    set_ = std::move(other.set_);
    std::swap(scratch_, other.scratch_);
    rejected_.swap(other.rejected_);
    std::swap(rows_, other.rows_);
    return *this;
  }

  /// Columns in the order of the IDL, absent fields are null. Errors: wrong_type if the selected type is
  /// neither a struct nor a list or set of structs, or is recursive; bad_option.
  [[nodiscard]] static result<columns> try_compile(const selection& selected,
                                                   const columns_options& options = {}) {
    return compiled(selected, {}, options);
  }
  [[nodiscard]] static columns compile(const selection& selected, const columns_options& options = {}) {
    return try_compile(selected, options).value();
  }
  /// As above, with only the rows that meet a condition on the type of a row. Of other rows only the fields
  /// that the condition names are read; a record whose fields cannot be read is rejected. Errors: also
  /// wrong_type if the condition is on another type.
  [[nodiscard]] static result<columns> try_compile(const selection& selected, const predicate& where,
                                                   const columns_options& options = {}) {
    return compiled(selected, where, options);
  }
  [[nodiscard]] static columns compile(const selection& selected, const predicate& where,
                                       const columns_options& options = {}) {
    return try_compile(selected, where, options).value();
  }
  /// A new, empty object with the same plan.
  [[nodiscard]] columns fork() const { return columns(shared_, set_.memory()); }

  /// Sets the source of the columns' memory, to which released batches return it. Call it before the first
  /// append(); otherwise an object and its forks share memory of their own.
  void allocate_from(std::shared_ptr<column_memory> memory) {
    restore();
    set_ = detail::column_set(plan(), std::move(memory));
  }

  /// Appends a record: one row, or one row for every struct of a list. `record` and `offset` are its values
  /// in the extra columns and rejected(). Linear in the bytes; allocates when a column grows. Errors: those
  /// of reading it, if on_error is raise; the columns are then unchanged.
  template <protocol P>
  [[nodiscard]] result<void> try_append(byte_view bytes, std::int64_t record = 0, std::int64_t offset = 0);
  template <protocol P>
  void append(byte_view bytes, std::int64_t record = 0, std::int64_t offset = 0) {
    try_append<P>(bytes, record, offset).value();
  }
  /// Appends a row of nulls, unless a condition excludes it: for a record that is null itself.
  void append_null(std::int64_t record = 0, std::int64_t offset = 0) {
    restore();
    if (!shared_->where || shared_->where->matches_null()) add_nulls(record, offset, nullptr);
  }
  /// Handles the error of another source for a record like append() handles its own.
  [[nodiscard]] result<void> reject(rejected_record rejected) {
    restore();
    const on_record_error action = shared_->options.on_error;
    if (action == on_record_error::raise) return std::move(rejected.reason);
    if (action == on_record_error::null) add_nulls(rejected.record, rejected.offset, &rejected.reason);
    rejected_.push_back(std::move(rejected));
    return {};
  }

  /// The file of the following records, for the extra column; empty for none.
  void set_file(std::string file) { file_ = std::move(file); }

  /// Reserves capacity for `rows` rows like those so far. Growing columns takes most of the time for long
  /// texts. `bytes` is the size of the records of all rows: nothing is reserved if columns would take more
  /// than three times that. O(columns).
  void expect(std::size_t rows, std::size_t bytes) {
    if (rows_ != 0 && rows > rows_) set_.expect(rows_, rows, bytes * 3);
  }

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  /// Bytes of the columns.
  [[nodiscard]] std::size_t size() const noexcept { return set_.size(); }
  /// Whether a column approaches the limit of Arrow's 32-bit offsets: call take().
  [[nodiscard]] bool is_full() const noexcept { return set_.longest() >= max_length; }
  /// Rejected records since the last clear, in order.
  [[nodiscard]] const std::vector<rejected_record>& rejected() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return rejected_;
  }
  void clear_rejected() noexcept { rejected_.clear(); }

  /// Arrow's schema of the batches: a struct whose children are the columns.
  void export_schema(ArrowSchema& out) const { detail::export_schema(plan(), out); }
  /// Moves the rows into a struct array without nulls of its own; empty afterwards.
  void take(ArrowArray& out) {
    restore();
    detail::export_array(plan(), set_, rows_, out);
    rows_ = 0;
  }

  [[nodiscard]] const selection& selected() const noexcept { return shared_->selected; }
  [[nodiscard]] const columns_options& options() const noexcept { return shared_->options; }
  /// The condition on rows, or null.
  [[nodiscard]] const predicate* where() const noexcept {
    return shared_->where ? &*shared_->where : nullptr;
  }

 private:
  static constexpr std::size_t max_length = std::size_t{1} << 30;
  struct shared {
    detail::column_plan plan;
    columns_options options;
    selection selected;
    std::optional<predicate> where;
  };
  [[nodiscard]] static result<columns> compiled(const selection& selected_fields,
                                                const std::optional<predicate>& where,
                                                const columns_options& options);
  columns(std::shared_ptr<const shared> of, std::shared_ptr<column_memory> memory)
      : shared_(std::move(of)), set_(shared_->plan, std::move(memory)), scratch_(shared_->plan) {}

  [[nodiscard]] const detail::column_plan& plan() const noexcept { return shared_->plan; }
  // Restores the state after a move from this object.
  void restore() {
    if (!set_.empty()) return;
    set_ = detail::column_set(plan());
    scratch_ = detail::column_scratch(plan());
  }
  [[nodiscard]] bool is_extra(std::uint32_t node) const noexcept {
    return node == plan().record || node == plan().offset || node == plan().reason || node == plan().file;
  }
  void close_row(std::int64_t record, std::int64_t offset, const error* reason) {
    ++rows_;
    put_extra(plan().record, record);
    put_extra(plan().offset, offset);
    put_text(plan().file, file_);
    put_text(plan().reason, reason == nullptr ? std::string_view() : std::string_view(reason->what()));
  }
  // Null where the text is empty.
  void put_text(std::uint32_t node, std::string_view text) {
    if (node == detail::column_node::none) return;
    if (text.empty()) return set_.add_null(plan(), node);
    detail::column_data& data = set_[node];
    data.values.append(byte_view(text));
    data.offsets.put(static_cast<std::int32_t>(data.values.size()));
    data.add_valid();
  }
  void put_extra(std::uint32_t node, std::int64_t value) {
    if (node == detail::column_node::none) return;
    set_[node].values.put(value);
    set_[node].add_valid();
  }
  // Appends a row of nulls; `reason` may be null.
  void add_nulls(std::int64_t record, std::int64_t offset, const error* reason) {
    for (const std::uint32_t child : plan().root().children)
      if (!is_extra(child)) set_.add_null(plan(), child);
    ++set_[0].length;
    close_row(record, offset, reason);
  }
  void cut(std::size_t rows) {
    set_.cut(plan(), 0, rows);
    rows_ = rows;
  }

  std::shared_ptr<const shared> shared_;
  detail::column_set set_;
  detail::column_scratch scratch_;
  std::vector<rejected_record> rejected_;
  std::string file_;
  std::size_t rows_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/columns.ipp>
#endif
