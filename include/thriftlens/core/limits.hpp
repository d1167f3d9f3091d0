// limits: every bound on what hostile bytes may cost, in one struct.
// In: the caller's wishes. Out: numbers that readers and writers compare against.
// Never a switch for behaviour: those are the options of each operation.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Bounds for one operation. The defaults suit bytes from a network. All of them count where a value is turned into another form
/// (JSON both ways, codec, convert, documents written). Views and what is cut from them (get, edit, trim, redact) count the depth:
/// they allocate by the bytes that are there, not by what sizes claim.
struct limits {
  /// Greater depths count as this one: recursion over hostile bytes must fit any thread's stack.
  static constexpr std::uint32_t deepest = 1024;

  std::uint32_t depth = 64;                                ///< nested structs and containers, the outermost included
  std::uint32_t string_size = 0x7fffffff;                  ///< bytes of one string or binary
  std::uint32_t container_size = 0x7fffffff;               ///< elements of one container (always bounded by the bytes left)
  std::size_t output_size = std::size_t{1} << 40;          ///< bytes of output

  friend constexpr bool operator==(const limits&, const limits&) noexcept = default;
};

}  // namespace thriftlens
