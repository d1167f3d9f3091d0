// merge_base: the caller's Base over that of a request. Never looks at names: it works on wire types
// alone.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/protocol/concept.hpp>

#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// One field of a struct.
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
/// Keys and values of maps that become one.
template <protocol P>
class map_joiner {
 public:
  /// Takes the entries of a map whose keys no map before has. False where it is none, or of other types.
  [[nodiscard]] bool take(byte_view bytes) {
    typename P::reader in(bytes);
    map_header map;
    if (!in.read_map(map)) return false;
    if (map.size == 0) return true;
    if (!entries_.empty() && (map.key != types_.key || map.value != types_.value)) return false;
    types_ = map;
    const std::size_t before = entries_.size();
    for (std::uint32_t i = 0; i < map.size; ++i)
      if (!take_entry(in, before)) return false;
    return true;
  }
  void write(typename P::writer& out) {
    types_.size = static_cast<std::uint32_t>(entries_.size());
    out.write_map(types_);
    for (const byte_view each : entries_) out.output().append(each);
  }

 private:
  [[nodiscard]] bool take_entry(typename P::reader& in, std::size_t before) {
    const std::uint8_t* begin = in.at();
    if (!in.skip(types_.key)) return false;
    const byte_view key(begin, static_cast<std::size_t>(in.at() - begin));
    if (!in.skip(types_.value)) return false;
    if (!has_key(key, before)) entries_.push_back({begin, static_cast<std::size_t>(in.at() - begin)});
    return true;
  }
  [[nodiscard]] bool has_key(byte_view key, std::size_t before) const noexcept {
    for (std::size_t i = 0; i < before; ++i) {
      const byte_view known = entries_[i];
      if (known.size() >= key.size() && byte_view(known.data(), key.size()) == key) return true;
    }
    return false;
  }

  map_header types_;
  std::vector<byte_view> entries_;
};

[[nodiscard]] inline const base_part* find_part(const std::vector<base_part>& in, std::int16_t id) noexcept {
  for (const base_part& each : in)
    if (each.header.id == id) return &each;
  return nullptr;
}
template <protocol P>
void write_part(typename P::writer& out, const base_part& part) {
  out.write_field(part.header.type, part.header.id);
  if (part.header.type == ttype::bool_)
    out.write_bool(part.truth);
  else
    out.output().append(part.body);
}
/// Two maps of one field as one.
template <protocol P>
[[nodiscard]] bool write_joined(typename P::writer& out, const base_part& over, const base_part& under) {
  map_joiner<P> joined;
  if (!joined.take(over.body) || !joined.take(under.body)) return false;
  out.write_field(over.header.type, over.header.id);
  joined.write(out);
  return true;
}

/// One part, joined with the other of its id where both are maps.
template <protocol P>
[[nodiscard]] bool write_over(typename P::writer& out, const base_part& part, const base_part* other) {
  if (other != nullptr && part.header.type == ttype::map && other->header.type == ttype::map)
    return write_joined<P>(out, part, *other);
  write_part<P>(out, part);
  return true;
}

/// Appends the two as one. False, with nothing promised of `to`, where either is no struct.
template <protocol P>
[[nodiscard]] bool merge_structs(byte_view over, byte_view under, buffer& to) {
  std::vector<base_part> mine, theirs;
  if (!split_struct<P>(over, mine) || !split_struct<P>(under, theirs)) return false;
  typename P::writer out(to);
  static_cast<void>(out.begin_struct());
  for (const base_part& part : mine)
    if (!write_over<P>(out, part, find_part(theirs, part.header.id))) return false;
  for (const base_part& part : theirs)
    if (find_part(mine, part.header.id) == nullptr) write_part<P>(out, part);
  out.write_stop();
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
