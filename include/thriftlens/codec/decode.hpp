// decode: Thrift bytes into the user's own structs.
// In: bytes of one value, a C++ type with a binding. Out: the object, or an error with byte offset and path.
// Never allocates for what the bytes only claim; string_view and span members borrow from the bytes.
#pragma once

#include <thriftlens/codec/check.hpp>
#include <thriftlens/codec/read_value.hpp>
#include <thriftlens/core/result.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A value that was found in wire bytes, such as a view of the lens: its bytes, wire type and protocol.
template <class T>
concept located_value = requires(const T& at) {
  typename T::protocol_type;
  { at.bytes() } -> std::convertible_to<byte_view>;
  { at.wire() } -> std::convertible_to<ttype>;
};

namespace codec {

/// Reads all of `bytes` into `to`; an error where that fails.
template <protocol Protocol, bool Reuse, bool Dynamic, class T>
[[nodiscard]] std::optional<error> decode_whole(byte_view bytes, T& to, const decode_options& options, const shape* at) {
  read_state<Protocol, Reuse, Dynamic> state(bytes, options);
  state.at = at;
  const std::uint8_t* behind = read_value(state, bytes.begin(), to, std::min(options.limits.depth, limits::deepest));
  if (behind == bytes.end() || (behind != nullptr && options.trailing == decode_trailing::ignore)) [[likely]] return std::nullopt;
  if (behind != nullptr) state.fail(errc::trailing_bytes, behind);
  return state.to_error(bytes.begin());
}

template <class T>
concept decodable = std::default_initializable<T> && std::movable<T>;

inline constexpr decode_options usual_decoding = {};

}  // namespace codec

/// The object that `bytes` hold: all of them, one value without field header. O(bytes). A missing field leaves its member
/// as a default-made T has it. Borrowing members are good as long as the bytes. Errors: those of the wire bytes, with path.
template <class T, protocol Protocol = binary>
[[nodiscard]] T decode(byte_view bytes, const decode_options& options = codec::usual_decoding) {
  static_assert(codec::check_value<T>());
  static_assert(codec::decodable<T>, "thriftlens: decode<T>: T must be default constructible and movable; see decode_into");
  T object{};
  if (auto reason = codec::decode_whole<Protocol, false, false>(bytes, object, options, nullptr)) [[unlikely]] raise(std::move(*reason));
  return object;
}
template <class T, protocol Protocol = binary>
[[nodiscard]] result<T> try_decode(byte_view bytes, const decode_options& options = codec::usual_decoding) {
  static_assert(codec::check_value<T>());
  static_assert(codec::decodable<T>, "thriftlens: try_decode<T>: T must be default constructible and movable; see try_decode_into");
  T object{};
  if (auto reason = codec::decode_whole<Protocol, false, false>(bytes, object, options, nullptr)) return *std::move(reason);
  return object;
}

/// The same into an object that is there, whose memory is used again. Missing fields reset their members. After an error the
/// object is valid: members read before the fault are new, the others old.
template <protocol Protocol = binary, class T>
[[nodiscard]] result<void> try_decode_into(byte_view bytes, T& object, const decode_options& options = codec::usual_decoding) {
  static_assert(codec::check_value<T>());
  if (auto reason = codec::decode_whole<Protocol, true, false>(bytes, object, options, nullptr)) return *std::move(reason);
  return {};
}
template <protocol Protocol = binary, class T>
void decode_into(byte_view bytes, T& object, const decode_options& options = codec::usual_decoding) {
  static_assert(codec::check_value<T>());
  if (auto reason = codec::decode_whole<Protocol, true, false>(bytes, object, options, nullptr)) [[unlikely]] raise(std::move(*reason));
}

/// The object that a located value holds. Offsets of errors count from its first byte.
template <class T, located_value Located>
[[nodiscard]] result<T> try_decode(const Located& at, const decode_options& options = codec::usual_decoding) {
  if (at.wire() != codec::wire_type<T>()) {
    return error(errc::wrong_type, "asked for " + std::string(to_string(codec::wire_type<T>())) + ", found " + std::string(to_string(at.wire())));
  }
  return try_decode<T, typename Located::protocol_type>(at.bytes(), options);
}
template <class T, located_value Located>
[[nodiscard]] T decode(const Located& at, const decode_options& options = codec::usual_decoding) {
  return try_decode<T>(at, options).value();
}

}  // namespace thriftlens
