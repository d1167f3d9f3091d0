// payload_transform: interface for compressing payloads. The caller implements it; the library has no
// compression.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Must outlive the session that uses it. Transform numbers are THeader's, except gzip, which it lacks.
class payload_transform {
 public:
  static constexpr std::uint32_t zlib = 1;
  static constexpr std::uint32_t gzip = 0xffff0001;  ///< for compressed gRPC frames

  virtual ~payload_transform() = default;
  /// Appends the original bytes of `in`. False if the transform is unknown, `in` is malformed or the result
  /// exceeds `max_size`.
  [[nodiscard]] virtual bool undo(std::uint32_t transform, byte_view in, std::size_t max_size,
                                  buffer& out) = 0;
  /// Appends `in`, transformed. False if the transform is unknown.
  [[nodiscard]] virtual bool apply(std::uint32_t transform, byte_view in, buffer& out) = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
