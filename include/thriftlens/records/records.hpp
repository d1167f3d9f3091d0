// records: many values one after another, given whole or by chunks. Never reads files, never decodes a
// value; holds no more than the record that is not whole yet.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/records/record_cutter.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One of many values. Borrows: good until records is asked for the next one or fed.
struct record {
  byte_view bytes =
      {};  ///< one struct from its first field to its stop byte; of a message what is behind the header
  std::uint64_t number = 0;  ///< counted from records_options::number
  std::uint64_t offset = 0;  ///< of its first byte in the input, frame included
  std::uint64_t size = 0;    ///< bytes of the input that it takes, frame included
  bool is_null = false;      ///< Kafka's null record: no bytes
  protocol_id protocol = default_protocol;
  std::optional<message_header> message = {};  ///< of RPC messages; the name borrows too
  /// The struct that Finagle puts before a message once a connection is upgraded: a RequestHeader, or of a
  /// reply a ResponseHeader, in Binary, or in Compact where a message of Compact follows. Empty where none
  /// is.
  byte_view header = {};
};

/// Reads records. Each is skipped over once, so that its value is one whole struct: reading it can still meet
/// what contradicts the IDL, but not its end.
///
///     for (const tl::record& each : tl::records(bytes, {.framing = tl::framing::u32}))
///       use(tl::view(each.bytes, order));
///
/// or, of bytes that come in pieces,
///
///     tl::records in({.framing = tl::framing::u32});
///     while (read(chunk)) {
///       in.feed(chunk);
///       while (in.next(each)) use(each);
///     }
///     in.finish();
///     while (in.next(each)) use(each);
///
/// Cut into chunks anywhere, the input gives the same records and the same errors.
class records {
 public:
  class iterator;

  /// By chunks: see feed().
  explicit records(const records_options& how = {})
      : how_(how), cutter_(how), offset_(how.offset), number_(how.number) {}
  /// All of the input, borrowed.
  explicit records(byte_view bytes THRIFTLENS_LIFETIMEBOUND, const records_options& how = {}) : records(how) {
    window_ = bytes;
    is_last_ = true;
  }
  records(const records&) = delete;  // its window may lie in itself
  records& operator=(const records&) = delete;

  /// Copies the next bytes of the input; what was handed out before is gone. Holds the bytes of one record
  /// that is not whole and of one chunk. Not after finish().
  void feed(byte_view chunk);
  /// Instead of feed(), without a copy: a window of the input that begins where rest() began and reaches
  /// further, borrowed. `is_last`: the input ends with it.
  void borrow(byte_view window, bool is_last) noexcept {
    THRIFTLENS_ASSERT(!is_last_ && window.size() >= window_.size());
    window_ = window;
    is_last_ = is_last;
  }
  /// Bytes of the present window that no record was taken from, and how many there must be before next() can
  /// find another one.
  [[nodiscard]] byte_view rest() const noexcept { return window_; }
  [[nodiscard]] std::size_t wanted() const noexcept { return wanted_; }
  /// The input ends here.
  void finish() noexcept { is_last_ = true; }

  /// Takes the next record. False: there is none, for want of bytes until finish() is called. After an error
  /// the next call goes on behind the record where the framing says where that is; can_continue() says so,
  /// and without it every call gives the same error. Errors, whose offset counts from the start of the input,
  /// and which say the record's number: truncated, faults of the bytes, trailing_bytes (a frame longer than
  /// its struct), bad_frame, bad_message, negative_size, size_limit, bad_varint. Bytes touched: those of the
  /// record.
  [[nodiscard]] result<bool> try_next(record& out);
  bool next(record& out) { return try_next(out).value(); }

  [[nodiscard]] bool can_continue() const noexcept { return lost_.code() == errc::ok; }
  /// Nothing is left, or nothing that can be found.
  [[nodiscard]] bool at_end() const noexcept { return !can_continue() || (is_last_ && window_.empty()); }
  /// Where in the input the next record begins, and its number: with these two in records_options a later run
  /// goes on from there.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

  /// Records from the next one on; each step is next(), whose errors it raises.
  [[nodiscard]] iterator begin();
  [[nodiscard]] static std::default_sentinel_t end() noexcept { return std::default_sentinel; }

 private:
  [[nodiscard]] error fault_of(const detail::cut& found) const;
  void advance(std::size_t used) noexcept;

  records_options how_;
  detail::record_cutter cutter_;
  buffer held_;
  byte_view window_;
  std::uint64_t offset_;
  std::uint64_t number_;
  std::size_t wanted_ = 1;
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
  [[nodiscard]] const record& operator*() const noexcept { return now_; }
  [[nodiscard]] const record* operator->() const noexcept { return &now_; }
  iterator& operator++() {
    is_done_ = !from_->next(now_);
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const iterator& at, std::default_sentinel_t /*end*/) noexcept { return at.is_done_; }

 private:
  records* from_;
  record now_;
  bool is_done_ = false;
};
inline records::iterator records::begin() { return iterator(*this); }

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/records/records.ipp>
#endif
