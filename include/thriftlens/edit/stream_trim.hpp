// stream_trim: trims a value that arrives in parts. Memory is bounded by the depth of the value, not by its
// size.
#pragma once

#include <thriftlens/core/first_error.hpp>
#include <thriftlens/edit/trim.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
template <protocol P>
class stream_machine;
}

/// Trims one value, such as a message's struct that is being received:
///
///     tl::stream_trimmer<tl::binary> trimmer(selection);
///     while (!trimmer.done()) trimmer.feed(read_some(), out);
///
/// Keeps the start of one number or header (at most 20 bytes) of the input, and the state of every open
/// struct, list and map: about 400 bytes a level, 16 KiB more if field ids are above 63 or do not ascend.
/// Bytes are read a second time only after fast attempts to trim complete values: at most half of the bytes.
template <protocol P>
class stream_trimmer {
 public:
  /// The options of trim(). `limits.depth` bounds the nesting; `limits.output_size` applies as soon as the
  /// output so far exceeds it, an automatic one counts the input so far.
  explicit stream_trimmer(const selection& selected, const trim_options& options = {});
  stream_trimmer(stream_trimmer&&) noexcept;
  stream_trimmer& operator=(stream_trimmer&&) noexcept;
  ~stream_trimmer();

  /// Appends the trimmed output of the next bytes of the value and returns how many bytes were the value's:
  /// fewer than all if it ended and other data follows. The output does not depend on how the input is split.
  ///
  /// Errors: those of trim(), with the same code, path and offset from the value's beginning. If an input is
  /// truncated and also has a fault after an oversized length, the first one read is reported. After an error
  /// `out` is as before this call; later calls return the same error.
  [[nodiscard]] result<std::size_t> try_feed(byte_view part, buffer& out);
  std::size_t feed(byte_view part, buffer& out) { return try_feed(part, out).value(); }

  /// The end of the input: the report. Errors: truncated if the value has not ended, as trim() of these bytes
  /// reports it.
  [[nodiscard]] result<trim_report> try_finish();
  trim_report finish() { return try_finish().value(); }

  /// Stops the output: feed() then follows the value to its end, after an error or without one, and returns
  /// only faults of the bytes. offset() is the position reached.
  void drop_rest() noexcept;

  /// The value has ended.
  [[nodiscard]] bool done() const noexcept;
  /// Bytes of the value so far.
  [[nodiscard]] std::size_t offset() const noexcept { return passed_ + rest_size_; }
  /// Lower bound of the bytes still to come, from the sizes read so far. 0 at the end.
  [[nodiscard]] std::uint64_t least_left() const noexcept;

 private:
  static constexpr std::size_t max_rest_size = 64;

  std::size_t feed_rest(byte_view part, buffer& out);
  std::size_t feed_part(byte_view part, buffer& out);
  void check_output(std::size_t added);

  std::unique_ptr<detail::stream_machine<P>> machine_;
  detail::first_error failure_;
  limits limits_;
  std::size_t passed_ = 0;     // bytes that the machine has consumed
  std::size_t written_ = 0;    // bytes of output
  std::size_t rest_size_ = 0;  // the beginning of a value that is incomplete
  std::uint8_t rest_[max_rest_size] = {};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/edit/stream_trim.ipp>
#endif
