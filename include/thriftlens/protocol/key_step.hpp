// key_step: the step of a path for a map key that stands on the wire.
// In: the key's bytes and wire type. Out: one step of a path_builder, such as `{true}` or `{x"0800"}`.
// Never asks the IDL: readers with and without one spell the same key alike.
#pragma once

#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/integer.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Adds the entry of that key to the path. `key`: the whole bytes of one valid key. Always false, as the
/// steps of path_builder.
template <protocol P>
THRIFTLENS_COLD bool add_key_step(path_builder& path, byte_view key, ttype wire) {
  typename P::reader in(key);
  if (wire == ttype::bool_) {
    bool value = false;
    if (in.read_bool(value)) return path.boolean_key(value);
  } else if (wire == ttype::double_) {
    double value = 0;
    if (in.read_double(value)) return path.real_key(value, key);
  } else if (wire == ttype::string) {
    std::string_view value;
    if (in.read_bytes(value)) return path.text_key(value, key);
  } else if (wire == ttype::uuid) {
    uuid_bytes value{};
    if (in.read_uuid(value)) return path.uuid_key(value.data());
  } else if (is_integer(wire)) {
    std::int64_t value = 0;
    if (read_integer(in, wire, value)) return path.integer_key(value);
  }
  return path.wire_key(key);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
