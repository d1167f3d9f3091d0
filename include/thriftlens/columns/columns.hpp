// columns: records of Thrift to Arrow columns, in one pass over their bytes. Never needs Arrow, never
// builds a value that is not selected.
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

/// A record that could not be read, of which the columns have a row of nulls or none.
struct rejected_record {
  std::int64_t record = 0;  ///< its number
  std::int64_t offset = 0;  ///< where it begins in the input
  error why;                ///< its offset counts from the begin of the record
};

/// Columns that grow by a row a record. What take() hands over is its taker's; the rest has one owner, may be
/// moved and is not shared between threads: fork() makes another of the same plan.
///
///     auto rows = tl::columns::compile(tl::selection::compile(order, "{ id user { name } }"));
///     for (tl::byte_view record : records) rows.append<tl::binary>(record);
///     ArrowSchema schema;  rows.export_schema(schema);
///     ArrowArray batch;    rows.take(batch);          // a struct array: a record batch
class columns {
 public:
  /// What is moved from has no rows; it can be used again.
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

  /// Columns in the order of the IDL, absent fields are null. Errors: wrong_type where the selected type is
  /// neither a struct nor a list or set of structs, or is recursive; bad_option.
  [[nodiscard]] static result<columns> try_compile(const selection& what,
                                                   const columns_options& options = {}) {
    return compiled(what, {}, options);
  }
  [[nodiscard]] static columns compile(const selection& what, const columns_options& options = {}) {
    return try_compile(what, options).value();
  }
  /// The same with rows of those alone that meet a condition on the type of a row. Nothing is built of the
  /// others, and of their bytes only what the condition names is read; a record that cannot be read so far is
  /// one that cannot be read. Errors: also wrong_type where the condition is on another type.
  [[nodiscard]] static result<columns> try_compile(const selection& what, const predicate& where,
                                                   const columns_options& options = {}) {
    return compiled(what, where, options);
  }
  [[nodiscard]] static columns compile(const selection& what, const predicate& where,
                                       const columns_options& options = {}) {
    return try_compile(what, where, options).value();
  }
  /// Another, empty one of the same plan.
  [[nodiscard]] columns fork() const { return columns(shared_, set_.memory()); }

  /// From now on the columns' memory is from there: a batch gives it back at its release. Called before the
  /// first append(); without it each has memory of its own, which its forks share.
  void allocate_from(std::shared_ptr<column_memory> memory) {
    restore();
    set_ = detail::column_set(plan(), std::move(memory));
  }

  /// Appends a record: one row, or of a list of structs a row each. `record` and `offset` are what the extra
  /// columns and rejected() say of it. Linear in the bytes; allocates where a column grows. Errors: those of
  /// reading it, where on_error is raise; the columns are then as before.
  template <protocol P>
  [[nodiscard]] result<void> try_append(byte_view bytes, std::int64_t record = 0, std::int64_t offset = 0);
  template <protocol P>
  void append(byte_view bytes, std::int64_t record = 0, std::int64_t offset = 0) {
    try_append<P>(bytes, record, offset).value();
  }
  /// A row of nulls, unless a condition is not met by it: for a record that is null itself.
  void append_null(std::int64_t record = 0, std::int64_t offset = 0) {
    restore();
    if (!shared_->where || shared_->where->matches_null()) add_nulls(record, offset, nullptr);
  }
  /// What an error of another source does to a record: as append() does with its own.
  [[nodiscard]] result<void> reject(rejected_record what) {
    restore();
    const on_record_error how = shared_->options.on_error;
    if (how == on_record_error::raise) return std::move(what.why);
    if (how == on_record_error::null) add_nulls(what.record, what.offset, &what.why);
    rejected_.push_back(std::move(what));
    return {};
  }

  /// The file of the records that follow, for the extra column; empty for none.
  void set_file(std::string file) { file_ = std::move(file); }

  /// Makes room for so many rows in all, where they are like those so far. Saves what growing columns costs,
  /// which is most of the time where texts are long. `bytes` is what the records of all rows take: nothing is
  /// done where columns would take more than three times that. O(columns).
  void expect(std::size_t rows, std::size_t bytes) {
    if (rows_ != 0 && rows > rows_) set_.expect(rows_, rows, bytes * 3);
  }

  /// Since the last take().
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  /// Bytes of the columns.
  [[nodiscard]] std::size_t size() const noexcept { return set_.size(); }
  /// Whether a column nears what Arrow's 32-bit offsets can hold: time to take().
  [[nodiscard]] bool is_full() const noexcept { return set_.longest() >= max_length; }
  /// Records without a row of their own since the last clear, in their order.
  [[nodiscard]] const std::vector<rejected_record>& rejected() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return rejected_;
  }
  void clear_rejected() noexcept { rejected_.clear(); }

  /// Arrow's schema of the batches: a struct whose children are the columns.
  void export_schema(ArrowSchema& out) const { detail::export_schema(plan(), out); }
  /// Hands the rows over as a struct array without nulls of its own, and is empty.
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
  [[nodiscard]] static result<columns> compiled(const selection& what, const std::optional<predicate>& where,
                                                const columns_options& options);
  columns(std::shared_ptr<const shared> of, std::shared_ptr<column_memory> memory)
      : shared_(std::move(of)), set_(shared_->plan, std::move(memory)), scratch_(shared_->plan) {}

  [[nodiscard]] const detail::column_plan& plan() const noexcept { return shared_->plan; }
  // After a move from this object.
  void restore() {
    if (!set_.empty()) return;
    set_ = detail::column_set(plan());
    scratch_ = detail::column_scratch(plan());
  }
  [[nodiscard]] bool is_extra(std::uint32_t node) const noexcept {
    return node == plan().record || node == plan().offset || node == plan().reason || node == plan().file;
  }
  void close_row(std::int64_t record, std::int64_t offset, const error* why) {
    ++rows_;
    put_extra(plan().record, record);
    put_extra(plan().offset, offset);
    put_text(plan().file, file_);
    put_text(plan().reason, why == nullptr ? std::string_view() : std::string_view(why->what()));
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
  // A row of nulls; `why` may be null.
  void add_nulls(std::int64_t record, std::int64_t offset, const error* why) {
    for (const std::uint32_t child : plan().root().children)
      if (!is_extra(child)) set_.add_null(plan(), child);
    ++set_[0].length;
    close_row(record, offset, why);
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
