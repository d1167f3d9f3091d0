// key_equality: bodies of key_equality.hpp.
#pragma once

#include <thriftlens/protocol/key_equality.hpp>

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

template <protocol P>
std::size_t find_repeated_key(typename P::reader in, const map_header& map) {
  comparable_keys<P> keys;
  std::size_t repeated = repeated_keys::none;
  // In parts, so that many equal keys do not take much memory.
  for (std::size_t part = 65536; keys.size() < map.size && repeated == repeated_keys::none; part *= 2) {
    const bool is_read = keys.add_entries(in, map, part < map.size ? part : map.size);
    repeated = keys.find_repeated();
    if (!is_read) break;
  }
  return repeated;
}

template <protocol P>
bool repeats_key(byte_view container, ttype wire) {
  typename P::reader in(container, key_limits);
  map_header map;
  if (wire == ttype::map) {
    if (!in.read_map(map)) return false;
  } else {
    list_header set;
    if (wire != ttype::set || !in.read_set(set)) return false;
    map = {set.element, ttype::stop, set.size};
  }
  return find_repeated_key<P>(in, map) != repeated_keys::none;
}

#if defined(THRIFTLENS_COMPILED)
template bool repeats_key<binary>(byte_view, ttype);
template bool repeats_key<compact>(byte_view, ttype);
template std::size_t find_repeated_key<binary>(binary::reader, const map_header&);
template std::size_t find_repeated_key<compact>(compact::reader, const map_header&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
