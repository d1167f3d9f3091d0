// canonical: one spelling for each value: Binary, with sets and maps in order, so that equal values have
// equal bytes. In: a reader that stands at a value. Out: its canonical bytes at the end of a buffer. Never
// looks at a schema; field order is put right too.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/convert.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
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
class canonical_writer {
 public:
  /// `ordered`: sets and maps stay as they are, for comparisons where their order counts.
  canonical_writer(typename P::reader& in, buffer& out, bool ordered = false) noexcept
      : in_(in), out_(out), ordered_(ordered) {}

  /// False: the reader says why.
  [[nodiscard]] bool value(ttype type) {
    if (type == ttype::struct_) return fields();
    if (type == ttype::map) return entries();
    if (type == ttype::list || type == ttype::set) return elements(type);
    binary::writer out(out_);
    return converter<P, binary>(in_, out).value(type);
  }

 private:
  [[nodiscard]] bool fields() {
    std::vector<canonical_part> parts;
    const std::size_t begin = out_.size();
    const struct_mark outer = in_.begin_struct();
    bool ordered = true;
    for (;;) {
      field_header field;
      if (!in_.read_field(field)) return false;
      if (field.type == ttype::stop) break;
      const std::size_t at = out_.size();
      // The id comes first and unsigned, so that parts compare by it as bytes.
      binary::writer out(out_);
      out.write_i16(static_cast<std::int16_t>(static_cast<std::uint16_t>(field.id) ^ 0x8000u));
      out.write_i8(static_cast<std::int8_t>(field.type));
      if (!value(field.type)) return false;
      parts.push_back({at, out_.size() - at, 2});
      ordered = ordered && (parts.size() < 2 || std::memcmp(out_.data() + parts[parts.size() - 2].begin,
                                                            out_.data() + at, 2) < 0);
    }
    in_.end_struct(outer);
    if (!ordered) arrange(parts, begin);
    out_.push_back(0xff);
    out_.push_back(0xff);
    out_.push_back(0);
    return true;
  }
  [[nodiscard]] bool elements(ttype type) {
    list_header list;
    if (!(type == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return false;
    if (list.size == 0) list.element = ttype::stop;
    binary::writer(out_).write_list(list);
    std::vector<canonical_part> parts;
    const std::size_t begin = out_.size();
    for (std::uint32_t i = 0; i < list.size; ++i) {
      const std::size_t at = out_.size();
      if (!value(list.element)) return false;
      if (type == ttype::set) parts.push_back({at, out_.size() - at, out_.size() - at});
    }
    if (type == ttype::set && !ordered_) arrange(parts, begin);
    in_.leave();
    return true;
  }
  [[nodiscard]] bool entries() {
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    if (map.size == 0) map.key = map.value = ttype::stop;
    binary::writer(out_).write_map(map);
    std::vector<canonical_part> parts;
    const std::size_t begin = out_.size();
    for (std::uint32_t i = 0; i < map.size; ++i) {
      const std::size_t at = out_.size();
      if (!value(map.key)) return false;
      const std::size_t key = out_.size() - at;
      if (!value(map.value)) return false;
      parts.push_back({at, out_.size() - at, key});
    }
    if (!ordered_) arrange(parts, begin);
    in_.leave();
    return true;
  }
  void arrange(std::vector<canonical_part>& parts, std::size_t begin) {
    const auto key = [this](const canonical_part& part) {
      return std::string_view(reinterpret_cast<const char*>(out_.data()) + part.begin, part.key);
    };
    const auto less = [&key](const canonical_part& left, const canonical_part& right) {
      return key(left) < key(right);
    };
    if (std::is_sorted(parts.begin(), parts.end(), less)) return;
    std::stable_sort(parts.begin(), parts.end(), less);
    buffer arranged;
    for (const canonical_part& part : parts) arranged.append(byte_view(out_.data() + part.begin, part.size));
    std::memcpy(out_.data() + begin, arranged.data(), arranged.size());
  }

  typename P::reader& in_;
  buffer& out_;
  bool ordered_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
