// key_step: the path step for a map key from its wire bytes. Independent of the IDL, so that all readers
// spell a key identically.
#pragma once

#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/integer.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Adds the key; false without adding anything if it is malformed.
template <protocol P>
[[nodiscard]] bool add_number_key(path_builder& path, byte_view key, ttype wire) {
  typename P::reader in(key);
  std::int64_t integer = 0;
  bool truth = false;
  double real = 0;
  if (read_integer(in, wire, integer))
    path.integer_key(integer);
  else if (wire == ttype::bool_ && in.read_bool(truth))
    path.boolean_key(truth);
  else if (wire == ttype::double_ && in.read_double(real))
    path.real_key(real, key);
  else
    return false;
  return true;
}
/// The same for strings and uuids.
template <protocol P>
[[nodiscard]] bool add_text_key(path_builder& path, byte_view key, ttype wire) {
  typename P::reader in(key);
  std::string_view text;
  uuid_bytes id{};
  if (wire == ttype::string && in.read_bytes(text))
    path.text_key(text, key);
  else if (wire == ttype::uuid && in.read_uuid(id))
    path.uuid_key(id.data());
  else
    return false;
  return true;
}

/// Adds the entry of that key to the path. `key`: all bytes of one valid key. Always false, like the steps of
/// path_builder.
template <protocol P>
THRIFTLENS_COLD bool add_key_step(path_builder& path, byte_view key, ttype wire) {
  const bool added = detail::add_number_key<P>(path, key, wire) || detail::add_text_key<P>(path, key, wire);
  return added ? false : path.wire_key(key);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
