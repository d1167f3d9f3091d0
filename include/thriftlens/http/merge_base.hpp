// merge_base: merges the caller's Base with that of a request, by field ids and wire types.
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

/// Splits a struct into its fields. False for malformed bytes.
template <protocol P>
[[nodiscard]] bool split_struct(byte_view bytes, std::vector<base_part>& parts) {
  typename P::reader in(bytes);
  static_cast<void>(in.begin_struct());
  for (;;) {
    base_part part;
    if (!in.read_field(part.header)) return false;
    if (part.header.type == ttype::stop) return in.at_end();
    const std::uint8_t* begin = in.at();
    const bool is_read =
        part.header.type == ttype::bool_ ? in.read_bool(part.truth) : in.skip(part.header.type);
    if (!is_read) return false;
    part.body = {begin, static_cast<std::size_t>(in.at() - begin)};
    parts.push_back(part);
  }
}
/// Merges maps.
template <protocol P>
class map_joiner {
 public:
  /// Adds entries whose keys no earlier map has. False for malformed maps and for other key or value types.
  [[nodiscard]] bool take(byte_view bytes) {
    typename P::reader in(bytes);
    map_header map;
    if (!in.read_map(map)) return false;
    if (map.size == 0) return true;
    if (!entries_.empty() && (map.key != types_.key || map.value != types_.value)) return false;
    types_ = map;
    const std::size_t earlier = entries_.size();
    for (std::uint32_t i = 0; i < map.size; ++i)
      if (!take_entry(in, earlier)) return false;
    return true;
  }
  void write(typename P::writer& out) {
    types_.size = static_cast<std::uint32_t>(entries_.size());
    out.write_map(types_);
    for (const byte_view entry : entries_) out.output().append(entry);
  }

 private:
  [[nodiscard]] bool take_entry(typename P::reader& in, std::size_t earlier) {
    const std::uint8_t* begin = in.at();
    if (!in.skip(types_.key)) return false;
    const byte_view key(begin, static_cast<std::size_t>(in.at() - begin));
    if (!in.skip(types_.value)) return false;
    if (!has_key(key, earlier)) entries_.push_back({begin, static_cast<std::size_t>(in.at() - begin)});
    return true;
  }
  [[nodiscard]] bool has_key(byte_view key, std::size_t earlier) const noexcept {
    for (std::size_t i = 0; i < earlier; ++i) {
      const byte_view known = entries_[i];
      if (known.size() >= key.size() && byte_view(known.data(), key.size()) == key) return true;
    }
    return false;
  }

  map_header types_;
  std::vector<byte_view> entries_;
};

[[nodiscard]] inline const base_part* find_part(const std::vector<base_part>& in, std::int16_t id) noexcept {
  for (const base_part& part : in)
    if (part.header.id == id) return &part;
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
/// Writes two maps of a field as one.
template <protocol P>
[[nodiscard]] bool write_joined(typename P::writer& out, const base_part& over, const base_part& under) {
  map_joiner<P> joined;
  if (!joined.take(over.body) || !joined.take(under.body)) return false;
  out.write_field(over.header.type, over.header.id);
  joined.write(out);
  return true;
}

/// Writes `part`, merged with `other` if both are maps.
template <protocol P>
[[nodiscard]] bool write_over(typename P::writer& out, const base_part& part, const base_part* other) {
  if (other != nullptr && part.header.type == ttype::map && other->header.type == ttype::map)
    return write_joined<P>(out, part, *other);
  write_part<P>(out, part);
  return true;
}

/// Appends the merged struct. False if either is malformed; `to` may then hold part of the result.
template <protocol P>
[[nodiscard]] bool merge_structs(byte_view over, byte_view under, buffer& to) {
  std::vector<base_part> over_parts, under_parts;
  if (!split_struct<P>(over, over_parts) || !split_struct<P>(under, under_parts)) return false;
  typename P::writer out(to);
  static_cast<void>(out.begin_struct());
  for (const base_part& part : over_parts)
    if (!write_over<P>(out, part, find_part(under_parts, part.header.id))) return false;
  for (const base_part& part : under_parts)
    if (find_part(over_parts, part.header.id) == nullptr) write_part<P>(out, part);
  out.write_stop();
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
