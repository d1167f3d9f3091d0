// canonical: bodies of canonical.hpp.
#pragma once

#include <thriftlens/protocol/canonical.hpp>

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/converter.hpp>
#include <thriftlens/protocol/walk.hpp>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Part of a buffer that is moved as one: a field, an element or an entry; `key` are the bytes it is sorted
/// by.
struct canonical_part {
  std::size_t begin = 0;
  std::size_t size = 0;
  std::size_t key = 0;
};

template <protocol P>
class canonical_writer : public walk<canonical_writer<P>, P> {
  using base = walk<canonical_writer<P>, P>;
  friend base;

 public:
  canonical_writer(typename P::reader& in, buffer& out, bool ordered) noexcept
      : base(in), out_(out), ordered_(ordered) {}

  [[nodiscard]] bool key(ttype wire) {
    const bool outer = std::exchange(is_key_, true);
    const bool is_read = this->value(wire);
    is_key_ = outer;
    return is_read;
  }

 private:
  using base::in_;

  [[nodiscard]] THRIFTLENS_COLD bool scalar(ttype wire, std::uint32_t /*type*/) {
    binary::writer out(out_);
    if (is_key_ && wire == ttype::double_) return real_key(out);
    if (!is_value_type(wire)) return in_.reject(errc::bad_ttype);
    return visit_ttype(wire, [&](auto known) {
      if constexpr (has_children(decltype(known)::value))
        return false;
      else
        return copy_scalar(this->in_, out, known);
    });
  }
  [[nodiscard]] bool real_key(binary::writer& out) {
    double number = 0;
    if (!in_.read_double(number)) return false;
    out.write_i64(static_cast<std::int64_t>(equality_bits(number)));
    return true;
  }
  [[nodiscard]] THRIFTLENS_COLD bool structure(std::uint32_t /*type*/) {
    pod_vector<canonical_part> parts;
    const std::size_t begin = out_.size();
    const bool is_read = this->each_field(no_type, [&](const walked_field& field) {
      const std::size_t at = out_.size();
      write_header(field.header);
      if (!this->value(field.header.type)) return false;
      parts.push_back({at, out_.size() - at, 2});
      return true;
    });
    if (is_read) arrange(parts, begin);
    if (is_read) write_header({ttype::stop, 0x7fff});
    return is_read;
  }
  /// The id comes first and unsigned, so that parts compare by it as bytes.
  void write_header(field_header header) {
    binary::writer out(out_);
    out.write_i16(static_cast<std::int16_t>(static_cast<std::uint16_t>(header.id) ^ 0x8000u));
    out.write_i8(static_cast<std::int8_t>(header.type));
  }
  [[nodiscard]] THRIFTLENS_COLD bool sequence(ttype wire, std::uint32_t /*type*/) {
    return this->in_sequence(wire, no_type, [&](list_header list, auto...) {
      if (list.size == 0) list.element = ttype::stop;
      binary::writer(out_).write_list(list);
      return elements(wire, {list.element, ttype::stop, list.size});
    });
  }
  [[nodiscard]] THRIFTLENS_COLD bool mapping(std::uint32_t /*type*/) {
    return this->in_map(no_type, [&](map_header map, auto...) {
      if (map.size == 0) map.key = map.value = ttype::stop;
      binary::writer(out_).write_map(map);
      return elements(ttype::map, map);
    });
  }
  /// The elements of a container, as keys without values, or the entries of a map.
  [[nodiscard]] THRIFTLENS_COLD bool elements(ttype container, const map_header& types) {
    pod_vector<canonical_part> parts;
    const std::size_t begin = out_.size();
    const bool has_keys = container != ttype::list;
    for (std::uint32_t i = 0; i < types.size; ++i) {
      canonical_part part{out_.size()};
      if (!(has_keys ? key(types.key) : this->value(types.key))) return false;
      part.key = out_.size() - part.begin;
      if (container == ttype::map && !this->value(types.value)) return false;
      part.size = out_.size() - part.begin;
      if (has_keys && !ordered_) parts.push_back(part);
    }
    arrange(parts, begin);
    return true;
  }
  [[nodiscard]] std::string_view key_of(const canonical_part& part) const {
    return out_.text().substr(part.begin, part.key);
  }
  THRIFTLENS_COLD void arrange(const pod_vector<canonical_part>& parts, std::size_t begin) {
    std::size_t sorted = 1;
    while (sorted < parts.size() && key_of(parts[sorted - 1]) <= key_of(parts[sorted])) ++sorted;
    if (sorted >= parts.size()) return;
    buffer arranged;
    for (const std::size_t index : stable_order(parts.size(), [&](std::size_t lhs, std::size_t rhs) {
           return key_of(parts[lhs]) < key_of(parts[rhs]);
         }))
      arranged.append(byte_view(out_.data() + parts[index].begin, parts[index].size));
    std::memcpy(out_.data() + begin, arranged.data(), arranged.size());
  }

  buffer& out_;
  bool ordered_;
  bool is_key_ = false;
};

template <protocol P>
bool append_canonical(typename P::reader& in, buffer& out, ttype wire, bool ordered) {
  return canonical_writer<P>(in, out, ordered).value(wire);
}
template <protocol P>
bool append_canonical_key(typename P::reader& in, buffer& out, ttype wire, bool ordered) {
  return canonical_writer<P>(in, out, ordered).key(wire);
}
/// Whether the canonical encodings of two keys are equal.
template <protocol P>
[[nodiscard]] THRIFTLENS_COLD bool equal_canonical(byte_view lhs, byte_view rhs, ttype wire) {
  buffer lhs_out, rhs_out;
  typename P::reader lhs_in(lhs, key_limits), rhs_in(rhs, key_limits);
  return append_canonical_key<P>(lhs_in, lhs_out, wire) && append_canonical_key<P>(rhs_in, rhs_out, wire) &&
         lhs_in.at_end() && rhs_in.at_end() && lhs_out.text() == rhs_out.text();
}
template <protocol P>
bool compare_keys(byte_view lhs, byte_view rhs, ttype wire, bool& equal) noexcept {
  equal = lhs == rhs;
  // Where sizes have a fixed width, equal keys have the same size.
  if (equal || (P::traits.size_width != 0 && (!has_spellings(wire) || lhs.size() != rhs.size()))) return true;
  return allocates([&] { equal = equal_canonical<P>(lhs, rhs, wire); });
}

#if defined(THRIFTLENS_COMPILED)
template bool append_canonical<binary>(binary::reader&, buffer&, ttype, bool);
template bool append_canonical_key<binary>(binary::reader&, buffer&, ttype, bool);
template bool compare_keys<binary>(byte_view, byte_view, ttype, bool&) noexcept;
template bool append_canonical<compact>(compact::reader&, buffer&, ttype, bool);
template bool append_canonical_key<compact>(compact::reader&, buffer&, ttype, bool);
template bool compare_keys<compact>(byte_view, byte_view, ttype, bool&) noexcept;
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
