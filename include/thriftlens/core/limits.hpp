// limits: every bound on what hostile bytes may cost, in one struct. Never a switch for behaviour: those
// are the options of each operation.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Bounds for one operation. The defaults suit bytes from a network. All of them count where a value is
/// turned into another form (JSON both ways, codec, convert, documents written). Views count the depth alone:
/// they hold no output size. Operations on them that can write more than they read have one among their
/// options.
///
/// `output_size` bounds what an operation writes, and so the memory that the sender of its input can make it
/// take:
/// - 0, automatic, is 16 MiB and 8 bytes for each byte of input (JSON both ways, convert, inspect, trim with
/// defaults, redact,
///   edit: there the new values are input too), or 16 MiB and 64 bytes for each byte where objects are made
///   (document, differences, decode of bound structs and in Python);
/// - another number is a bound of that many bytes, for output or objects;
/// - operations that write what their caller has built, no more (encode, document::write), have no automatic
/// bound. What would exceed it is output_limit, with the path and the byte of input that were reached. What
/// is there in a caller's buffer before does not count.
struct limits {
  /// Greater depths count as this one: recursion over hostile bytes must fit any thread's stack.
  static constexpr std::uint32_t max_depth = 1024;
  /// `output_size` follows from the input.
  static constexpr std::size_t automatic = 0;

  std::uint32_t depth = 64;                ///< nested structs and containers, the outermost included
  std::uint32_t string_size = 0x7fffffff;  ///< bytes of one string or binary
  std::uint32_t container_size =
      0x7fffffff;                       ///< elements of one container (always bounded by the bytes left)
  std::size_t output_size = automatic;  ///< bytes of output, or of objects made

  /// The bytes that may be written for that many bytes of input.
  [[nodiscard]] constexpr std::size_t max_output(std::size_t input) const noexcept { return bound(input, 8); }
  /// The bytes that the objects made of that many bytes of input may take.
  [[nodiscard]] constexpr std::size_t max_objects(std::size_t input) const noexcept {
    return bound(input, 64);
  }
  /// The bytes that may be written where the caller's own objects are the input.
  [[nodiscard]] constexpr std::size_t max_given() const noexcept {
    return output_size != automatic ? output_size : unbounded;
  }

  friend constexpr bool operator==(const limits&, const limits&) noexcept = default;

 private:
  static constexpr std::size_t unbounded = static_cast<std::size_t>(-1);

  [[nodiscard]] constexpr std::size_t bound(std::size_t input, std::size_t times) const noexcept {
    constexpr std::size_t constant = std::size_t{16} << 20;
    if (output_size != automatic) return output_size;
    return input < (unbounded - constant) / times ? constant + input * times : unbounded;
  }
};

namespace detail {
/// The size that an output of `before` bytes may come to when `max_added` may be added.
[[nodiscard]] constexpr std::size_t output_end(std::size_t before, std::size_t max_added) noexcept {
  return before + max_added >= max_added ? before + max_added : max_added;
}
}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
