// payload_transform: what a frame's header says was done to the bytes behind it, done or undone by the
// caller. The library itself compresses nothing: zlib is the caller's.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Given to a session, and outlives it. Numbers of transforms are THeader's, but for gzip, which it lacks.
class payload_transform {
 public:
  static constexpr std::uint32_t zlib = 1;
  static constexpr std::uint32_t gzip = 0xffff0001;  ///< of gRPC's frames that say "compressed"

  virtual ~payload_transform() = default;
  /// Appends the bytes that `in` was made of. False where it knows no such transform, where `in` is broken or
  /// where there are more than `max_size`.
  [[nodiscard]] virtual bool undo(std::uint32_t transform, byte_view in, std::size_t max_size,
                                  buffer& out) = 0;
  /// Appends `in`, transformed. False where it knows no such transform.
  [[nodiscard]] virtual bool apply(std::uint32_t transform, byte_view in, buffer& out) = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
