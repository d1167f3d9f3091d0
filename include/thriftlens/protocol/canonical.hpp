// canonical: one spelling for each value: Binary, with sets and maps in order, so that equal values have
// equal bytes. In: a reader that stands at a value. Out: its canonical bytes at the end of a buffer. Never
// looks at a schema; field order is put right too.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/walk.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Part of a buffer that is moved as one: a field, an element or an entry; `key` are the bytes it is sorted
/// by.
struct canonical_part {
  std::size_t begin = 0;
  std::size_t size = 0;
  std::size_t key = 0;
};

/// Writes canonical values. O(n log n) in the bytes and times the depth where containers are nested.
template <protocol P>
class canonical_writer : public walk<canonical_writer<P>, P> {
  using base = walk<canonical_writer<P>, P>;
  friend base;

 public:
  /// `ordered`: sets and maps stay as they are, for comparisons where their order counts.
  canonical_writer(typename P::reader& in, buffer& out, bool ordered = false) noexcept
      : base(in), out_(out), ordered_(ordered) {}

 private:
  using base::in_;

  [[nodiscard]] bool scalar(ttype wire, std::uint32_t /*type*/) {
    binary::writer out(out_);
    return converter<P, binary>(in_, out).value(wire);
  }
  [[nodiscard]] bool structure(std::uint32_t /*type*/) {
    std::vector<canonical_part> parts;
    const std::size_t begin = out_.size();
    const bool done = this->each_field(no_type, [&](const walked_field& field) {
      const std::size_t at = out_.size();
      write_header(field.header);
      if (!this->value(field.header.type)) return false;
      parts.push_back({at, out_.size() - at, 2});
      return true;
    });
    if (done) arrange(parts, begin);
    if (done) write_header({ttype::stop, 0x7fff});
    return done;
  }
  /// The id comes first and unsigned, so that parts compare by it as bytes.
  void write_header(field_header header) {
    binary::writer out(out_);
    out.write_i16(static_cast<std::int16_t>(static_cast<std::uint16_t>(header.id) ^ 0x8000u));
    out.write_i8(static_cast<std::int8_t>(header.type));
  }
  [[nodiscard]] bool sequence(ttype wire, std::uint32_t /*type*/) {
    return this->in_sequence(wire, no_type, [&](list_header list, auto...) {
      if (list.size == 0) list.element = ttype::stop;
      binary::writer(out_).write_list(list);
      return elements(list.size, wire == ttype::set && !ordered_, list.element, ttype::stop);
    });
  }
  [[nodiscard]] bool mapping(std::uint32_t /*type*/) {
    return this->in_map(no_type, [&](map_header map, auto...) {
      if (map.size == 0) map.key = map.value = ttype::stop;
      binary::writer(out_).write_map(map);
      return elements(map.size, !ordered_, map.key, map.value);
    });
  }
  /// So many elements, or entries unless `item` is stop; `sorts`: by their keys.
  [[nodiscard]] bool elements(std::uint32_t count, bool sorts, ttype key, ttype item) {
    std::vector<canonical_part> parts;
    const std::size_t begin = out_.size();
    for (; count != 0; --count) {
      canonical_part part{out_.size()};
      if (!element(part, key, item)) return false;
      if (sorts) parts.push_back(part);
    }
    arrange(parts, begin);
    return true;
  }
  [[nodiscard]] bool element(canonical_part& part, ttype key, ttype item) {
    if (!this->value(key)) return false;
    part.key = out_.size() - part.begin;
    if (item != ttype::stop && !this->value(item)) return false;
    part.size = out_.size() - part.begin;
    return true;
  }
  void arrange(std::vector<canonical_part>& parts, std::size_t begin) {
    const auto key_of = [this](const canonical_part& part) {
      return out_.text().substr(part.begin, part.key);
    };
    if (std::ranges::is_sorted(parts, {}, key_of)) return;
    std::ranges::stable_sort(parts, {}, key_of);
    copy_in_order(parts, begin);
  }
  void copy_in_order(const std::vector<canonical_part>& parts, std::size_t begin) {
    buffer arranged;
    for (const canonical_part& part : parts) arranged.append(byte_view(out_.data() + part.begin, part.size));
    std::memcpy(out_.data() + begin, arranged.data(), arranged.size());
  }

  buffer& out_;
  bool ordered_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
