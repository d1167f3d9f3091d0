// wire_key: reads a key of a map as a map_key, or compares it with one by the rule of canonical.hpp. Texts
// and bytes are borrowed.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/path/step_trie.hpp>
#include <thriftlens/protocol/canonical.hpp>
#include <thriftlens/view/scalar.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The bytes that the reader passed since `begin`.
template <class Reader>
[[nodiscard]] byte_view bytes_since(const std::uint8_t* begin, const Reader& in) noexcept {
  return {begin, static_cast<std::size_t>(in.at() - begin)};
}

/// The form in which keys of that wire type are read: struct, container and uuid keys as bytes.
[[nodiscard]] constexpr map_key::form key_form(ttype wire) noexcept {
  using form = map_key::form;
  if (wire == ttype::string) return form::text;
  if (is_integer(wire)) return form::integer;
  if (wire == ttype::bool_) return form::boolean;
  return wire == ttype::double_ ? form::real : form::wire;
}

/// Reads a key as its bytes. False: the reader failed.
template <class Reader>
[[nodiscard]] bool read_raw_key(Reader& in, ttype wire, map_key& key) noexcept {
  const std::uint8_t* const begin = in.at();
  const bool ok = in.skip(wire);
  key = map_key::wire(bytes_since(begin, in));
  return ok;
}
/// Reads a key in the form of plain_key(). False: the reader failed.
template <protocol P>
[[nodiscard]] bool read_key(typename P::reader& in, ttype wire, map_key& key) noexcept {
  using form = map_key::form;
  const auto read = [&](auto value) {
    const bool ok = read_scalar<P>(in, wire, value) == errc::ok;
    key = plain_key(value);
    return ok;
  };
  const form key_kind = key_form(wire);
  if (key_kind == form::text) return read(std::string_view());
  if (key_kind == form::integer) return read(std::int64_t{});
  if (key_kind == form::boolean) return read(false);
  return key_kind == form::real ? read(0.0) : read_raw_key(in, wire, key);
}

/// Whether keys of one form are equal: by value; doubles by their bits, with -0.0 equal to 0.0.
[[nodiscard]] inline bool same_key(const map_key& lhs, const map_key& rhs) noexcept {
  if (lhs.kind() >= map_key::form::text) return lhs.text() == rhs.text();
  if (lhs.integer() == rhs.integer()) return true;
  return lhs.kind() == map_key::form::real && equality_bits(lhs.real()) == equality_bits(rhs.real());
}
/// Compares the bytes of a key with a wire key, or a uuid text. False: an allocation failed.
template <protocol P>
[[nodiscard]] bool compare_spelling(byte_view bytes, ttype wire, const map_key& key, bool& equal) noexcept {
  if (key.kind() == map_key::form::wire) return compare_keys<P>(bytes, key.bytes(), wire, equal);
  uuid_bytes id{};
  equal = wire == ttype::uuid && key.kind() == map_key::form::text && parse_uuid(key.text(), id) &&
          bytes == byte_view(id.data(), id.size());
  return true;
}
/// Reads a key and compares it with the requested one, which may be a wire key. False: the reader failed.
template <protocol P>
[[nodiscard]] bool match_key(typename P::reader& in, ttype wire, const map_key& requested,
                             bool& equal) noexcept {
  const std::uint8_t* const begin = in.at();
  map_key key = 0;
  const bool is_read = requested.kind() == key_form(wire) && requested.kind() != map_key::form::wire;
  if (!(is_read ? read_key<P>(in, wire, key) : in.skip(wire))) return false;
  if (!is_read)
    return compare_spelling<P>(bytes_since(begin, in), wire, requested, equal) ||
           in.reject(errc::no_memory, begin);
  equal = same_key(key, requested);
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
