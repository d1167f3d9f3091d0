// merge_base: the caller's Base over that of a request.
// In: the bytes of two structs of one type. Out: one struct: the first's fields, and what only the second
// has. Never looks at names: it works on wire types alone.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/protocol/concept.hpp>

#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// One field of a struct, or one entry of a map.
struct base_part {
  field_header header;
  byte_view body;
  bool truth = false;  ///< of a bool
};

/// The fields of a struct. False where the bytes are none.
template <protocol P>
[[nodiscard]] bool split_struct(byte_view bytes, std::vector<base_part>& parts) {
  typename P::reader in(bytes);
  static_cast<void>(in.begin_struct());
  for (;;) {
    base_part part;
    if (!in.read_field(part.header)) return false;
    if (part.header.type == ttype::stop) return in.at_end();
    const std::uint8_t* begin = in.at();
    const bool done = part.header.type == ttype::bool_ ? in.read_bool(part.truth) : in.skip(part.header.type);
    if (!done) return false;
    part.body = {begin, static_cast<std::size_t>(in.at() - begin)};
    parts.push_back(part);
  }
}
/// Appends the entries of `over`, and those of `under` whose keys it has not. False where they are no maps of
/// the same types.
template <protocol P>
[[nodiscard]] bool join_maps(byte_view over, byte_view under, typename P::writer& out) {
  map_header types;
  std::vector<base_part> entries;
  std::size_t first = 0;
  for (const byte_view each : {over, under}) {
    typename P::reader in(each);
    map_header map;
    if (!in.read_map(map)) return false;
    if (map.size == 0) continue;
    if (!entries.empty() && (map.key != types.key || map.value != types.value)) return false;
    types = map;
    for (std::uint32_t i = 0; i < map.size; ++i) {
      const std::uint8_t* key = in.at();
      if (!in.skip(map.key)) return false;
      const byte_view key_bytes(key, static_cast<std::size_t>(in.at() - key));
      if (!in.skip(map.value)) return false;
      bool known = false;
      for (std::size_t k = 0; k < first; ++k)
        known |= entries[k].body.size() >= key_bytes.size() &&
                 byte_view(entries[k].body.data(), key_bytes.size()) == key_bytes;
      if (!known) entries.push_back({{}, {key, static_cast<std::size_t>(in.at() - key)}});
    }
    first = entries.size();
  }
  types.size = static_cast<std::uint32_t>(entries.size());
  out.write_map(types);
  for (const base_part& each : entries) out.output().append(each.body);
  return true;
}

/// Appends the two as one. False, with nothing promised of `to`, where either is no struct.
template <protocol P>
[[nodiscard]] bool merge_structs(byte_view over, byte_view under, buffer& to) {
  std::vector<base_part> mine, theirs;
  if (!split_struct<P>(over, mine) || !split_struct<P>(under, theirs)) return false;
  typename P::writer out(to);
  const auto put = [&out](const base_part& part) {
    out.write_field(part.header.type, part.header.id);
    if (part.header.type == ttype::bool_)
      out.write_bool(part.truth);
    else
      out.output().append(part.body);
  };
  const auto find = [](const std::vector<base_part>& in, field_header header) -> const base_part* {
    for (const base_part& each : in)
      if (each.header.id == header.id) return &each;
    return nullptr;
  };
  static_cast<void>(out.begin_struct());
  for (const base_part& part : mine) {
    const base_part* other = find(theirs, part.header);
    const bool joins = other != nullptr && part.header.type == ttype::map && other->header.type == ttype::map;
    if (!joins) {
      put(part);
      continue;
    }
    out.write_field(part.header.type, part.header.id);
    if (!join_maps<P>(part.body, other->body, out)) return false;
  }
  for (const base_part& part : theirs)
    if (find(mine, part.header) == nullptr) put(part);
  out.write_stop();
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
