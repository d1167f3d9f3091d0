// primitives: base of protocol tags: reader, writer and derived put functions.
#pragma once

#include <thriftlens/protocol/reader.hpp>
#include <thriftlens/protocol/writer.hpp>

#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Base of a protocol's tag P, which has the functions listed in concept.hpp.
template <class P>
struct protocol_primitives {
  using reader = wire_reader<P>;
  using writer = wire_writer<P>;

  static constexpr std::size_t uuid_size = 16;

  // These functions write at `to`, where the caller reserved capacity, and return the end.
  THRIFTLENS_INLINE static std::uint8_t* put_i8(std::uint8_t* to, std::int8_t value) noexcept {
    return P::put_number(to, value);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i16(std::uint8_t* to, std::int16_t value) noexcept {
    return P::put_number(to, value);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i32(std::uint8_t* to, std::int32_t value) noexcept {
    return P::put_number(to, value);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i64(std::uint8_t* to, std::int64_t value) noexcept {
    return P::put_number(to, value);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_double(std::uint8_t* to, double value) noexcept {
    return P::put_number(to, value);
  }
  /// A bool as an element of a container.
  THRIFTLENS_INLINE static std::uint8_t* put_bool(std::uint8_t* to, bool value) noexcept {
    *to = P::bool_byte(value);
    return to + 1;
  }
  THRIFTLENS_INLINE static std::uint8_t* put_uuid(std::uint8_t* to, const uuid_bytes& value) noexcept {
    std::memcpy(to, value.data(), value.size());
    return to + value.size();
  }
  THRIFTLENS_INLINE static std::uint8_t* put_set(std::uint8_t* to, list_header set) noexcept {
    return P::put_list(to, set);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_stop(std::uint8_t* to) noexcept {
    *to = 0;
    return to + 1;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
