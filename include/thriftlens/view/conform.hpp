// conform: whether wire bytes are one value of a type.
// In: bytes, a type. Out: ok, or the first contradiction.
// Never looks at requiredness, enum numbers or encodings of text (validate does); unknown fields are fine.
#pragma once

#include <thriftlens/view/walker.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Reads over one value. Recursion is bounded by the reader's depth.
template <protocol P>
[[nodiscard]] bool conform_value(typename P::reader& in, const schema_image& image, std::uint32_t type,
                                 ttype wire) noexcept;

template <protocol P>
[[nodiscard]] inline bool conform_fields(typename P::reader& in, const schema_image& image,
                                         const image::struct_node& of) noexcept {
  const struct_mark outer = in.begin_struct();
  for (field_header header;;) {
    const std::uint8_t* const begin = in.at();
    if (!in.read_field(header)) return false;
    if (header.type == ttype::stop) return in.end_struct(outer), true;
    const std::uint32_t field = image.find_field(of, header.id);
    if (field != image::none && image.fields[field].wire != header.type)
      return in.fail(errc::type_mismatch, begin);
    if (!conform_value<P>(in, image, field == image::none ? image::none : image.fields[field].type,
                          header.type))
      return false;
  }
}

template <protocol P>
[[nodiscard]] inline bool conform_elements(typename P::reader& in, const schema_image& image,
                                           std::uint32_t element, ttype wire) noexcept {
  const std::uint8_t* const begin = in.at();
  list_header list;
  if (!(wire == ttype::set ? in.read_set(list) : in.read_list(list)) || !in.enter()) return false;
  if (list.size != 0 && image.types[element].wire != list.element) return in.fail(errc::type_mismatch, begin);
  if (list.element < ttype::struct_ || list.element == ttype::uuid) {
    if (!skip_many<P>(in, list.element, list.size)) return false;
  } else {
    for (; list.size != 0; --list.size)
      if (!conform_value<P>(in, image, element, list.element)) return false;
  }
  in.leave();
  return true;
}

template <protocol P>
[[nodiscard]] inline bool conform_entries(typename P::reader& in, const schema_image& image,
                                          const image::type_node& of) noexcept {
  const std::uint8_t* const begin = in.at();
  map_header map;
  if (!in.read_map(map) || !in.enter()) return false;
  if (map.size != 0 && (image.types[of.first].wire != map.key || image.types[of.second].wire != map.value))
    return in.fail(errc::type_mismatch, begin);
  for (; map.size != 0; --map.size)
    if (!conform_value<P>(in, image, of.first, map.key) || !conform_value<P>(in, image, of.second, map.value))
      return false;
  in.leave();
  return true;
}

template <protocol P>
bool conform_value(typename P::reader& in, const schema_image& image, std::uint32_t type,
                   ttype wire) noexcept {
  if (type == image::none || (wire != ttype::struct_ && !is_container(wire))) return in.skip(wire);
  const image::type_node& self = image.types[type];
  if (wire == ttype::struct_) return conform_fields<P>(in, image, image.structs[self.first]);
  return wire == ttype::map ? conform_entries<P>(in, image, self)
                            : conform_elements<P>(in, image, self.first, wire);
}

}  // namespace detail

/// ok where `bytes` are exactly one value of type `of` in protocol P, a bool as an element has it. One pass.
/// Faults: those of the reader, type_mismatch, trailing_bytes.
template <protocol P>
[[nodiscard]] fault conforms(byte_view bytes, type of, const limits& bounds = {}) noexcept {
  typename P::reader in(bytes, bounds);
  if (!detail::conform_value<P>(in, *of.image(), of.index(), of.wire())) return in.fault();
  return in.at_end() ? fault{} : fault{errc::trailing_bytes, 0, in.offset()};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
