// stream_trim: a trim of a value that comes in parts, while it comes. Never holds what it has been given:
// its memory is bound by the depth of the value, not by its size.
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

/// Trims one value, as a message's struct that is being received:
///
///     tl::stream_trimmer<tl::binary> trimmer(selection);
///     while (!trimmer.done()) trimmer.feed(read_some(), out);
///
/// Keeps of the input the beginning of one number or header (at most 20 bytes), and of each struct, list and
/// map around it what their end needs: about 400 bytes a level, 16 KiB more where field ids are above 63 or
/// do not ascend. No byte is looked at again, but for attempts to take values at once where they are whole:
/// these look again at half of the bytes at most.
template <protocol P>
class stream_trimmer {
 public:
  /// The options of trim(). `limits.depth` bounds the nesting; `limits.output_size` is met as soon as the
  /// output so far exceeds it, an automatic one counts the input so far.
  explicit stream_trimmer(const selection& what, const trim_options& options = {});
  stream_trimmer(stream_trimmer&&) noexcept;
  stream_trimmer& operator=(stream_trimmer&&) noexcept;
  ~stream_trimmer();

  /// Appends what is kept of the next bytes of the value; how many of them were the value's: less than all
  /// where it has ended, and what follows is something else. Every cut of the input gives the same output.
  ///
  /// Errors: those of trim(), with the same code, path and offset from the value's beginning; but for an
  /// input that both is cut off and has another fault behind a size that it does not hold: the first that is
  /// met is reported. After an error `out` is as before this call; the trimmer answers the same from then on.
  [[nodiscard]] result<std::size_t> try_feed(byte_view part, buffer& out);
  std::size_t feed(byte_view part, buffer& out) { return try_feed(part, out).value(); }

  /// The end of the input: what was done. Errors: truncated where the value has not ended, as trim() of these
  /// bytes would have it.
  [[nodiscard]] result<trim_report> try_finish();
  trim_report finish() { return try_finish().value(); }

  /// From here on nothing is kept: feed() follows the value to its end, in place of the error that it had
  /// answered or without one, and returns only a fault of the bytes. offset() says how far it had come.
  void drop_rest() noexcept;

  /// The value has ended.
  [[nodiscard]] bool done() const noexcept;
  /// Bytes of the value so far.
  [[nodiscard]] std::size_t offset() const noexcept { return passed_ + rest_size_; }
  /// Bytes of the value that are still to come, at least: as sizes say that were read. 0 where it has ended.
  [[nodiscard]] std::uint64_t least_left() const noexcept;

 private:
  static constexpr std::size_t rest_room = 64;

  std::size_t feed_rest(byte_view part, buffer& out);
  std::size_t feed_part(byte_view part, buffer& out);
  void check_output(std::size_t added);

  std::unique_ptr<detail::stream_machine<P>> machine_;
  detail::first_error failure_;
  limits limits_;
  std::size_t passed_ = 0;     // bytes that the machine has stepped over
  std::size_t written_ = 0;    // bytes of output
  std::size_t rest_size_ = 0;  // the beginning of something that had not come whole
  std::uint8_t rest_[rest_room] = {};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/edit/stream_trim.ipp>
#endif
