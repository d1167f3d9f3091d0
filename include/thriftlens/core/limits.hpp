// limits: limits on the cost of untrusted input. Options of behaviour belong to the operations.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Limits of one operation. The defaults suit bytes from a network. All apply to conversions (JSON in both
/// directions, codec, convert, writing documents). Views apply only the depth; operations on views that can
/// write more than they read have an output size in their options.
///
/// `output_size` limits the bytes that an operation writes, and so the memory that untrusted input can
/// consume:
/// - 0, automatic: 16 MiB plus 8 bytes per byte of input (JSON in both directions, convert, inspect,
///   trim with defaults, redact, edit, whose new values count as input), or 16 MiB plus 64 bytes per
///   byte for operations that create objects (document, differences, decode);
/// - another number: that many bytes, for output or objects;
/// - operations that write only what their caller has built (encode, document::write): no automatic
///   limit.
///
/// Exceeding it is output_limit, with the path and the input byte that were reached. Existing content of the
/// caller's buffer does not count.
struct limits {
  /// Greater depths are clamped: recursion over untrusted bytes must fit any thread's stack.
  static constexpr std::uint32_t max_depth = 1024;
  /// `output_size` is derived from the input.
  static constexpr std::size_t automatic = 0;

  std::uint32_t depth = 64;                ///< nested structs and containers, the outermost included
  std::uint32_t string_size = 0x7fffffff;  ///< bytes of one string or binary
  std::uint32_t container_size =
      0x7fffffff;                       ///< elements of one container (always bounded by the bytes left)
  std::size_t output_size = automatic;  ///< bytes of output or of objects

  /// Maximum bytes of output for that many bytes of input.
  [[nodiscard]] constexpr std::size_t max_output(std::size_t input) const noexcept { return bound(input, 8); }
  /// Maximum bytes of the objects created from that many bytes of input.
  [[nodiscard]] constexpr std::size_t max_objects(std::size_t input) const noexcept {
    return bound(input, 64);
  }
  /// Maximum bytes of output if the caller's objects are the input.
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
/// Maximum size of an output of `previous_size` bytes to which `max_added` may be added.
[[nodiscard]] constexpr std::size_t output_end(std::size_t previous_size, std::size_t max_added) noexcept {
  return previous_size + max_added >= max_added ? previous_size + max_added : max_added;
}
}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
