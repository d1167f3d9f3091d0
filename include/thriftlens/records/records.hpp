// records: reads consecutive values from complete input or from chunks. Buffers only an incomplete record.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/records/record_cutter.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One value of a sequence. Borrows: valid until the next call of records::next() or feed().
struct record {
  byte_view bytes = {};  ///< one struct including its stop byte; for a message, the struct after its header
  std::uint64_t number = 0;  ///< counted from records_options::number
  std::uint64_t offset = 0;  ///< of its first byte, frame included, in the input
  std::uint64_t size = 0;    ///< bytes in the input, frame included
  bool is_null = false;      ///< Kafka's null record, without bytes
  protocol_id protocol = default_protocol;
  std::optional<message_header> message = {};  ///< for RPC messages; its name is borrowed
  /// Finagle's header before a message on an upgraded connection: a RequestHeader or ResponseHeader in the
  /// protocol of the message. Otherwise empty.
  byte_view header = {};
};

/// Reads records. Every record is skipped once, so its value is a complete struct: reading it may still fail
/// because it contradicts the IDL, but not because it is truncated.
///
///     for (const tl::record& record : tl::records(bytes, {.framing = tl::framing::u32}))
///       use(tl::view(record.bytes, order));
///
/// or, for input in chunks,
///
///     tl::records in({.framing = tl::framing::u32});
///     while (read(chunk)) {
///       in.feed(chunk);
///       while (in.next(record)) use(record);
///     }
///     in.finish();
///     while (in.next(record)) use(record);
///
/// Records and errors do not depend on where chunks begin.
class records {
 public:
  class iterator;

  /// Input in chunks; see feed().
  explicit records(const records_options& options = {})
      : options_(options), cutter_(options), offset_(options.offset), number_(options.number) {}
  /// Complete input, borrowed.
  explicit records(byte_view bytes THRIFTLENS_LIFETIMEBOUND, const records_options& options = {})
      : records(options) {
    window_ = bytes;
    is_last_ = true;
  }
  records(const records&) = delete;  // the window may point into pending_
  records& operator=(const records&) = delete;

  /// Copies the next bytes of the input and invalidates earlier records. Buffers one incomplete record and
  /// one chunk. Precondition: finish() has not been called.
  void feed(byte_view chunk);
  /// Like feed(), but borrows: `window` begins at the start of rest() and is at least as long. `is_last`: the
  /// input ends with it.
  void borrow(byte_view window, bool is_last) noexcept {
    THRIFTLENS_ASSERT(!is_last_ && window.size() >= window_.size());
    window_ = window;
    is_last_ = is_last;
  }
  /// Unread bytes of the window, and the size that they must reach before next() can return a record.
  [[nodiscard]] byte_view rest() const noexcept { return window_; }
  [[nodiscard]] std::size_t required() const noexcept { return required_; }
  /// Marks the end of the input.
  void finish() noexcept { is_last_ = true; }

  /// Reads the next record. False: at the end, or more bytes are needed. After an error, if can_continue(),
  /// the next call reads the record after the malformed one; otherwise every call returns the same error.
  /// Errors name the record's number, and their offset counts from the start of the input: truncated,
  /// malformed bytes, trailing_bytes (a frame longer than its struct), bad_frame, bad_message, negative_size,
  /// size_limit, bad_varint. Reads only the record's bytes.
  [[nodiscard]] result<bool> try_next(record& out);
  bool next(record& out) { return try_next(out).value(); }

  [[nodiscard]] bool can_continue() const noexcept { return lost_.code() == errc::ok; }
  /// No further record can be read.
  [[nodiscard]] bool at_end() const noexcept { return !can_continue() || (is_last_ && window_.empty()); }
  /// Offset and number of the next record: put both into records_options to resume from it.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

  /// The remaining records. Incrementing calls next() and raises its errors.
  [[nodiscard]] iterator begin();
  [[nodiscard]] static std::default_sentinel_t end() noexcept { return std::default_sentinel; }

 private:
  [[nodiscard]] error fault_of(const detail::cut& failed) const;
  void advance(std::size_t used) noexcept;

  records_options options_;
  detail::record_cutter cutter_;
  buffer pending_;
  byte_view window_;
  std::uint64_t offset_;
  std::uint64_t number_;
  std::size_t required_ = 1;
  bool is_last_ = false;
  error lost_;
};

/// An input iterator: one pass, one record at a time.
class records::iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = record;
  using difference_type = std::ptrdiff_t;

  explicit iterator(records& from) : from_(&from) { ++*this; }
  [[nodiscard]] const record& operator*() const noexcept { return record_; }
  [[nodiscard]] const record* operator->() const noexcept { return &record_; }
  iterator& operator++() {
    at_end_ = !from_->next(record_);
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const iterator& at, std::default_sentinel_t /*end*/) noexcept { return at.at_end_; }

 private:
  records* from_;
  record record_;
  bool at_end_ = false;
};
inline records::iterator records::begin() { return iterator(*this); }

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/records/records.ipp>
#endif
