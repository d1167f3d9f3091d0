// conform: whether wire bytes are one value of a type. Ignores requiredness, enum numbers and encodings of
// text (validate checks them); unknown fields are accepted.
#pragma once

#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/view/walker.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Reads one value and skips unknown fields. Recursion is bounded by the reader's depth.
template <protocol P>
class conformity : public walk<conformity<P>, P, schema_types> {
  using base = walk<conformity<P>, P, schema_types>;
  friend base;

 public:
  using base::base;
  [[nodiscard]] bool value(ttype wire, std::uint32_t type) {
    return type == no_type ? this->in_.skip(wire) : base::value(wire, type);
  }

 private:
  bool sequence(ttype wire, std::uint32_t type) {
    return this->in_sequence(wire, type, [&](const list_header& list, std::uint32_t element, auto...) {
      const typename P::reader first = this->in_;
      if (!elements(list, element)) return false;
      return wire == ttype::list || type == no_type || unique(first, {list.element, ttype::stop, list.size});
    });
  }
  bool elements(const list_header& list, std::uint32_t element) {
    if (element_width<P>(list.element) != 0) return skip_many<P>(this->in_, list.element, list.size);
    for (std::uint32_t i = 0; i < list.size; ++i)
      if (!value(list.element, element)) return false;
    return true;
  }
  bool mapping(std::uint32_t type) {
    return this->in_map(type, [&](const map_header& map, std::uint32_t key, std::uint32_t item, auto...) {
      const typename P::reader first = this->in_;
      for (std::uint32_t i = 0; i < map.size; ++i)
        if (!value(map.key, key) || !value(map.value, item)) return false;
      return type == no_type || unique(first, map);
    });
  }
  [[nodiscard]] bool unique(typename P::reader first, const map_header& map) {
    const std::size_t repeated = find_repeated_key<P>(first, map);
    if (repeated == repeated_keys::none) return true;
    static_cast<void>(skip_to_entry(first, map, repeated));
    return this->in_.reject(errc::duplicate_key, first.at());
  }
};

/// ok if `bytes` are exactly one value of type `of` in protocol P, a bool as in an element. One pass. Faults:
/// those of the reader, type_mismatch, duplicate_key, trailing_bytes.
template <protocol P>
[[nodiscard]] fault conforms(byte_view bytes, type of, const limits& bounds = {}) {
  typename P::reader in(bytes, bounds);
  if (!detail::conformity<P>(in, of.image()).value(of.wire(), of.index())) return in.fault();
  return in.at_end() ? fault{} : fault{errc::trailing_bytes, 0, in.offset()};
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
