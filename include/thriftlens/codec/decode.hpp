// decode: decodes Thrift bytes into structs. Sizes in the bytes are not trusted for allocations; string_view
// and span members borrow from the bytes.
#pragma once

#include <thriftlens/codec/check.hpp>
#include <thriftlens/codec/fast/fast_decode.hpp>
#include <thriftlens/codec/read_value.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/located_error.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/protocol/looks_like.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A value in wire bytes, such as a view: bytes, wire type and protocol.
template <class T>
concept located_value = requires(const T& at) {
  typename T::protocol_type;
  { at.bytes() } -> std::convertible_to<byte_view>;
  { at.wire() } -> std::convertible_to<ttype>;
};

namespace detail::codec {

/// State of one decoding.
template <protocol Protocol, bool Reuse, bool Dynamic>
class decoding {
 public:
  THRIFTLENS_INLINE decoding(byte_view bytes, const decode_options& options, const shape* at) noexcept
      : bytes_(with_address(bytes)), state_(bytes_, options) {
    state_.at = at;
  }
  /// False if the bytes are not exactly one value of this type.
  template <class T>
  [[nodiscard]] THRIFTLENS_INLINE bool read(T& to) {
    const decode_options& options = *state_.options;
    if (!thriftlens::detail::is_valid(options)) [[unlikely]]
      return false;
    const read_cursor end = read_value(state_, bytes_.begin(), to,
                                       thriftlens::detail::least(options.limits.depth, limits::max_depth));
    if (end == nullptr) return false;
    if (end == bytes_.end() || options.trailing == decode_trailing::ignore) [[likely]]
      return true;
    state_.reject(errc::trailing_bytes, end);
    return false;
  }
  /// The error; for complete messages also says what foreign bytes look like.
  [[nodiscard]] THRIFTLENS_COLD error reason(ttype wire) const {
    if (std::optional<error> bad = thriftlens::detail::find_bad_option(*state_.options)) return *bad;
    const error plain = state_.to_error(bytes_.begin());
    if (state_.options->trailing == decode_trailing::ignore) return plain;
    return with_looks(plain, bytes_, Protocol::id, wire);
  }

 private:
  // Empty bytes may have no address, but nullptr means failure everywhere.
  [[nodiscard]] THRIFTLENS_INLINE static byte_view with_address(byte_view bytes) noexcept {
    static constexpr std::uint8_t none = 0;
    return bytes.begin() == nullptr ? byte_view(&none, 0) : bytes;
  }
  byte_view bytes_;
  read_state<Protocol, Reuse, Dynamic> state_;
};

template <class T>
concept decodable = std::default_initializable<T> && std::movable<T>;

template <class T>
constexpr bool check_decodable() {
  static_assert(decodable<T>,
                "thriftlens: decode<T>: T must be default constructible and movable; see decode_into");
  return check_value<T>();
}

inline constexpr decode_options usual_decoding = {};

/// The bytes that a T is decoded from. A temporary only if T does not refer to them.
template <class T>
class decode_input : public input_bytes {
 public:
  decode_input(const void* data, std::size_t size) noexcept : input_bytes(data, size) {}
  template <class Range>
    requires std::convertible_to<Range&, byte_view>
  decode_input(Range&& range) noexcept : input_bytes(range) {  // NOLINT: implicit on purpose
    if constexpr (!std::convertible_to<Range&&, byte_view>)
      static_assert(!refers_to_bytes<T>, "thriftlens: decode: T refers to the bytes, which are a temporary");
  }
};

/// The general decoder. Separate functions, as they would cost fast_decode registers and stack.
template <class T, protocol Protocol>
THRIFTLENS_NOINLINE void decode_any(byte_view bytes, const decode_options& options, result<T>& to) {
  decoding<Protocol, false, false> run(bytes, options, nullptr);
  if (!run.read(*to)) [[unlikely]]
    to = result<T>(run.reason(wire_type<T>()));
}
template <class T, protocol Protocol>
THRIFTLENS_NOINLINE void decode_general(byte_view bytes, const decode_options& options, result<T>& to) {
  to = result<T>(std::in_place);
  decode_any<T, Protocol>(bytes, options, to);
}
template <protocol Protocol, class T>
[[nodiscard]] THRIFTLENS_NOINLINE result<void> decode_any_into(byte_view bytes, T& object,
                                                               const decode_options& options) {
  decoding<Protocol, true, false> run(bytes, options, nullptr);
  if (!run.read(object)) [[unlikely]]
    return run.reason(wire_type<T>());
  return {};
}

}  // namespace detail::codec

// decode<Protocol, T>(bytes) does not compile, with one message.
template <protocol Protocol, class T>
  requires(!protocol<T>)
void decode(byte_view /*bytes*/) {
  static_assert(sizeof(T) == 0, "thriftlens: decode<T, Protocol>(bytes): the type comes first");
}

/// Decodes bytes that hold exactly one value, without a field header. O(bytes). A member without a field is
/// as in a default-constructed T; a missing required field is an error unless options.missing_required is
/// omit. Borrowing members are valid as long as the bytes. Errors: those of the wire bytes, with path;
/// unfit_value for values that the C++ type does not hold (a negative number for an unsigned type, a number
/// outside a small enum); output_limit if the objects would exceed limits.max_objects() (16 MiB and 64 bytes
/// per byte of input, or output_size). Elements, nodes of maps and sets and pointees count by their size,
/// before they are constructed; other allocations by constructors of the caller do not. hash_flood if more
/// keys of an unordered container share a bucket than chance can explain.
template <class T, protocol Protocol = binary>
[[nodiscard]] result<T> try_decode(detail::codec::decode_input<T> bytes,
                                   const decode_options& options = detail::codec::usual_decoding) {
  static_assert(detail::codec::check_decodable<T>());
  // Constructed in place: copying a small object right after stores of its parts would stall.
  result<T> object(std::in_place);
  if constexpr (!detail::codec::reads_flat<T>)
    detail::codec::decode_any<T, Protocol>(bytes, options, object);
  else if (!detail::codec::fast_decode<Protocol, false>(bytes, *object, options))
    detail::codec::decode_general<T, Protocol>(bytes, options, object);
  return object;
}
template <class T, protocol Protocol = binary>
[[nodiscard]] T decode(detail::codec::decode_input<T> bytes,
                       const decode_options& options = detail::codec::usual_decoding) {
  static_assert(detail::codec::check_decodable<T>());
  T object{};
  if constexpr (detail::codec::reads_flat<T>) {
    if (detail::codec::fast_decode<Protocol, false>(bytes, object, options)) return object;
    object = T{};
  }
  detail::codec::decoding<Protocol, false, false> run(bytes, options, nullptr);
  if (!run.read(object)) [[unlikely]]
    detail::raise(run.reason(detail::codec::wire_type<T>()));
  return object;
}

/// Decodes into an existing object and reuses its memory. Members without a field are reset. After an error
/// the object is valid: members read before the fault are new, the others old.
template <protocol Protocol = binary, class T>
[[nodiscard]] result<void> try_decode_into(std::type_identity_t<detail::codec::decode_input<T>> bytes,
                                           T& object,
                                           const decode_options& options = detail::codec::usual_decoding) {
  static_assert(detail::codec::check_value<T>());
  if (detail::codec::fast_decode<Protocol, true>(bytes, object, options)) return {};
  return detail::codec::decode_any_into<Protocol>(bytes, object, options);
}
template <protocol Protocol = binary, class T>
void decode_into(std::type_identity_t<detail::codec::decode_input<T>> bytes, T& object,
                 const decode_options& options = detail::codec::usual_decoding) {
  static_assert(detail::codec::check_value<T>());
  if (!detail::codec::fast_decode<Protocol, true>(bytes, object, options))
    detail::codec::decode_any_into<Protocol>(bytes, object, options).value();
}

namespace detail::codec {

/// A located value with its message: its end need not be searched first.
template <class T>
concept located_in_message = requires(const T& at) {
  { at.whole() } -> std::convertible_to<byte_view>;
  { at.offset() } -> std::convertible_to<std::size_t>;
  { at.path() } -> std::convertible_to<std::string>;
  { at.try_bytes() } -> std::same_as<result<byte_view>>;
};

/// Whether the value is a part of its message, so that bytes may follow.
template <class Located>
[[nodiscard]] bool is_inside(const Located& at) {
  if constexpr (located_in_message<Located>) return at.offset() != 0;
  return false;
}
template <class T>
[[nodiscard]] THRIFTLENS_COLD error wrong_type(ttype actual) {
  return error(errc::wrong_type,
               joined({"expected ", to_string(wire_type<T>()), ", found ", to_string(actual)}));
}
/// The bytes from the located value on, or its error.
template <class Located>
[[nodiscard]] result<byte_view> located_bytes(const Located& at) {
  if constexpr (located_in_message<Located>) {
    // A bool of Compact may be in a field header.
    if (!at || at.wire() == ttype::bool_) return at.try_bytes();
    return at.whole().part(at.offset(), at.whole().size() - at.offset());
  } else {
    return at.bytes();
  }
}
/// Converts an error of the bytes of the value to one of the message.
template <class Located>
[[nodiscard]] THRIFTLENS_COLD error located_error(const Located& at, const error& of) {
  if constexpr (located_in_message<Located>) {
    return thriftlens::detail::located_error(at, of);
  } else {
    return of;
  }
}

}  // namespace detail::codec

/// Decodes a located value. Bytes after the value of a view are ignored, except those of a root. Errors of
/// views have offset and path in the message, and an error of the view itself comes first; other offsets
/// count from the first byte of the value.
template <class T, located_value Located>
[[nodiscard]] result<T> try_decode(const Located& at,
                                   const decode_options& options = detail::codec::usual_decoding) {
  const result<byte_view> bytes = detail::codec::located_bytes(at);
  if (!bytes) return bytes.error();
  if (at.wire() != detail::codec::wire_type<T>())
    return detail::codec::located_error(at, detail::codec::wrong_type<T>(at.wire()));
  decode_options part = options;
  if (detail::codec::is_inside(at)) part.trailing = decode_trailing::ignore;
  result<T> object = try_decode<T, typename Located::protocol_type>(*bytes, part);
  if (!object) return detail::codec::located_error(at, object.error());
  return object;
}
template <class T, located_value Located>
[[nodiscard]] T decode(const Located& at, const decode_options& options = detail::codec::usual_decoding) {
  return try_decode<T>(at, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
