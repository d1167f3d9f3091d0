// walk: base of visitors over one value: containers, depth, type mismatches and fault positions. Independent
// of schemas: a parameter provides the types.
#pragma once

#include <thriftlens/protocol/concept.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Reads the header of a list or set. False: see the reader's fault().
template <class Reader>
[[nodiscard]] THRIFTLENS_INLINE bool open_sequence(Reader& in, ttype wire, list_header& list) noexcept {
  return (wire == ttype::set ? in.read_set(list) : in.read_list(list)) && in.enter();
}
template <class Reader>
[[nodiscard]] THRIFTLENS_INLINE bool open_map(Reader& in, map_header& map) noexcept {
  return in.read_map(map) && in.enter();
}

/// The type is unknown.
inline constexpr std::uint32_t no_type = 0xffffffffu;

/// Types for a walk without IDL. With IDL: schema/walk_types.hpp.
struct untyped {
  [[nodiscard]] constexpr std::nullptr_t fields(std::uint32_t) const noexcept { return nullptr; }
  [[nodiscard]] constexpr std::uint32_t find(std::nullptr_t, std::int16_t) const noexcept { return no_type; }
  [[nodiscard]] constexpr std::uint32_t field_type(std::uint32_t) const noexcept { return no_type; }
  [[nodiscard]] constexpr ttype field_wire(std::uint32_t) const noexcept { return ttype::stop; }
  [[nodiscard]] constexpr ttype wire(std::uint32_t) const noexcept { return ttype::stop; }
  [[nodiscard]] constexpr std::uint32_t first(std::uint32_t) const noexcept { return no_type; }
  [[nodiscard]] constexpr std::uint32_t second(std::uint32_t) const noexcept { return no_type; }
};

/// A field whose value is read next.
struct walked_field {
  field_header header;
  byte_ptr begin = nullptr;      ///< of the header
  std::uint32_t node = no_type;  ///< in the IDL
  std::uint32_t type = no_type;
  bool fits = true;  ///< its wire type matches the IDL
};
/// Bytes that contradict the IDL: a field of another wire type, or a container with other contents.
struct walk_mismatch {
  byte_ptr begin;            ///< of the field header or container header
  std::int16_t id;           ///< of the field
  std::uint32_t outer_type;  ///< of the struct or container
  ttype outer_wire;
  ttype actual;
};

/// Base of visitors: Self hides the functions that it implements. They return false to stop, after a fault of
/// the reader or because the visitor is finished.
template <class Self, protocol P, class Types = untyped>
class walk {
 public:
  using reader_type = typename P::reader;

  /// The reader must outlive the walk.
  explicit walk(reader_type& in, const Types& types = {}) noexcept : in_(in), types_(types) {}

  /// Visits the value at the reader's position.
  [[nodiscard]] THRIFTLENS_INLINE bool value(ttype wire, std::uint32_t type = no_type) {
    if (wire == ttype::struct_) return self().structure(type);
    if (wire == ttype::map) return self().mapping(type);
    if (is_sequence(wire)) return self().sequence(wire, type);
    return self().scalar(wire, type);
  }

  // ---- functions that visitors may hide ----

  bool scalar(ttype wire, std::uint32_t /*type*/) { return in_.skip(wire); }
  bool structure(std::uint32_t type) {
    return each_field(
        type, [this](const walked_field& field) { return self().value(field.header.type, field.type); });
  }
  bool sequence(ttype wire, std::uint32_t type) {
    return in_sequence(wire, type, [this](const list_header& list, std::uint32_t element, byte_ptr) {
      for (std::uint32_t i = 0; i < list.size; ++i)
        if (!self().value(list.element, element)) return false;
      return true;
    });
  }
  bool mapping(std::uint32_t type) {
    return in_map(type, [this](const map_header& map, std::uint32_t key, std::uint32_t item, byte_ptr) {
      for (std::uint32_t i = 0; i < map.size; ++i)
        if (!self().value(map.key, key) || !self().value(map.value, item)) return false;
      return true;
    });
  }
  /// `type`: the type in the IDL; set to no_type to continue without.
  bool mismatch(const walk_mismatch& mismatch_info, std::uint32_t& /*type*/) {
    return in_.reject(errc::type_mismatch, mismatch_info.begin);
  }

 protected:
  [[nodiscard]] Self& self() noexcept { return static_cast<Self&>(*this); }

  /// Calls `visit(walked_field)`, which reads the value, for every field of a struct.
  template <class Visitor>
  [[nodiscard]] bool each_field(std::uint32_t type, Visitor visit) {
    auto known = types_.fields(type);
    const struct_mark outer = in_.begin_struct();
    for (;;) {
      walked_field field;
      field.begin = in_.at();
      if (!in_.read_field(field.header)) return false;
      if (field.header.type == ttype::stop) break;
      field.node = types_.find(known, field.header.id);
      if (field.node != no_type && !takes_type(field, type)) return false;
      if (!visit(field)) return false;
    }
    in_.end_struct(outer);
    return true;
  }
  /// Looks up the type of a known field. False if a wire type mismatch stops the walk.
  [[nodiscard]] THRIFTLENS_INLINE bool takes_type(walked_field& field, std::uint32_t outer) {
    field.type = types_.field_type(field.node);
    field.fits = types_.field_wire(field.node) == field.header.type;
    const walk_mismatch mismatch_info{field.begin, field.header.id, outer, ttype::struct_, field.header.type};
    return field.fits || self().mismatch(mismatch_info, field.type);
  }
  /// Calls `contents(list_header, element type, begin of the header)`, which reads all elements.
  template <class Contents>
  [[nodiscard]] bool in_sequence(ttype wire, std::uint32_t type, Contents contents) {
    const byte_ptr begin = in_.at();
    list_header list;
    if (!open_sequence(in_, wire, list)) return false;
    std::uint32_t element = types_.first(type);
    if (list.size != 0 && element != no_type && types_.wire(element) != list.element &&
        !self().mismatch({begin, 0, type, wire, list.element}, element))
      return false;
    if (!contents(list, element, begin)) return false;
    in_.leave();
    return true;
  }
  /// Calls `contents(map_header, key type, value type, begin of the header)`, which reads all entries.
  template <class Contents>
  [[nodiscard]] bool in_map(std::uint32_t type, Contents contents) {
    const byte_ptr begin = in_.at();
    map_header map;
    if (!open_map(in_, map)) return false;
    std::uint32_t key = types_.first(type), item = types_.second(type);
    if (map.size != 0 && key != no_type) {
      const ttype other = other_wire(map, key, item);
      if (other != ttype::stop && !self().mismatch({begin, 0, type, ttype::map, other}, key)) return false;
      if (key == no_type) item = no_type;
    }
    if (!contents(map, key, item, begin)) return false;
    in_.leave();
    return true;
  }
  /// The wire type of the keys or values that is not that of the IDL; stop for none.
  [[nodiscard]] THRIFTLENS_INLINE ttype other_wire(const map_header& map, std::uint32_t key,
                                                   std::uint32_t item) const noexcept {
    if (types_.wire(key) != map.key) return map.key;
    return types_.wire(item) != map.value ? map.value : ttype::stop;
  }

  reader_type& in_;
  Types types_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
