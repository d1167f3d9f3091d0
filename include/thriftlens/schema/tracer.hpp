// tracer: the path to a byte or a place in wire bytes, by walking there once more.
#pragma once

#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/cursor.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/schema/field_step.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/schema/walk_types.hpp>

#include <cstdint>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Walks from the root towards a byte and writes down the path. As a visitor it answers false as soon as it
/// has arrived.
template <protocol P>
class tracer : public walk<tracer<P>, P, schema_types> {
  using base = walk<tracer<P>, P, schema_types>;
  friend base;

 public:
  using reader_type = typename P::reader;

  tracer(byte_view bytes, const schema_image* image, const limits& bounds)
      : base(reader_, image), reader_(bytes, bounds) {}
  tracer(const tracer&) = delete;

  path_builder path;
  std::string words;  // replaces the sentence of the code if it is not empty

  /// To a field that is not there.
  void to_missing(std::int16_t id) { add_field_step(path, types_.image(), structure_, id); }
  /// From a value of that type at the front of the bytes to the innermost one that holds `offset`; says what
  /// contradicts the IDL on the way.
  void to_offset(ttype wire, std::uint32_t type, std::size_t offset, const fault* why) {
    target_ = in_.begin() + offset;
    why_ = why;
    trace(in_.here(), wire, type);
  }
  /// To the value at exactly that place.
  void to_place(ttype wire, std::uint32_t type, const wire_position& place) {
    target_ = place.at;
    place_ = &place;
    if (!arrived()) trace(in_.here(), wire, type);
  }

 private:
  using base::in_;
  using base::types_;

  /// Always false: the target is that value or lies inside it, or the bytes end on the way.
  bool trace(const wire_position& at, ttype wire, std::uint32_t type) {
    in_.seek(at);
    if (wire == ttype::struct_) {
      structure_ = type;
      if (lacks_field(type)) return false;
    }
    if (wire == ttype::struct_ || is_container(wire)) static_cast<void>(this->value(wire, type));
    return false;
  }
  /// The reader is at the value that is looked for.
  [[nodiscard]] bool arrived() const noexcept {
    if (place_ == nullptr) return false;
    const wire_position at = in_.here();
    return at.at == place_->at && at.depth_left == place_->depth_left &&
           at.inline_bool == place_->inline_bool;
  }
  /// The target is in what was just read: a header, or what is in front of it.
  [[nodiscard]] bool is_behind_target() const noexcept { return place_ == nullptr && target_ < in_.at(); }
  /// A value that neither is nor holds the target is skipped; else it is traced, and the answer is false.
  bool pass(ttype wire, std::uint32_t type) {
    const wire_position at = in_.here();
    if (skips(wire)) return true;
    return trace(at, wire, type);
  }
  /// A place can be that of the value after a bool that lies in its header; an offset belongs to what starts
  /// there.
  [[nodiscard]] bool skips(ttype wire) noexcept {
    reader_type probe = in_;
    if (!probe.skip(wire) || probe.at() > target_) return false;
    in_ = probe;
    return true;
  }

  bool structure(std::uint32_t type) {
    return this->each_field(type, [&](const walked_field& field) {
      if (place_ == nullptr && field.begin > target_) return false;
      const std::size_t mark = path.mark();
      add_field_step(path, types_.image(), type, field.header.id);
      if (arrived() || is_behind_target() || !pass(field.header.type, field.type)) return false;
      path.back_to(mark);
      return true;
    });
  }
  bool sequence(ttype wire, std::uint32_t type) {
    return this->in_sequence(wire, type, [&](const list_header& list, std::uint32_t element, auto...) {
      if (is_behind_target()) return false;
      for (std::uint32_t i = 0; i < list.size; ++i) {
        const std::size_t mark = path.mark();
        path.index(i);
        if (wire == ttype::set && is_duplicate(in_.at())) {
          words = duplicate_element_text;
          return false;
        }
        if (arrived() || !pass(list.element, element)) return false;
        path.back_to(mark);
      }
      return true;
    });
  }
  bool mapping(std::uint32_t type) {
    return this->in_map(type, [&](const map_header& map, std::uint32_t key, std::uint32_t item, auto...) {
      if (is_behind_target()) return false;
      for (std::uint32_t i = 0; i < map.size; ++i) {
        const std::size_t mark = path.mark();
        if (!pass_key(map.key, key, i)) return false;
        if (arrived() || !pass(map.value, item)) return false;
        path.back_to(mark);
      }
      return true;
    });
  }
  /// Over a key, which becomes a step of the path. False where the target is the key or lies inside it.
  bool pass_key(ttype wire, std::uint32_t type, std::uint32_t number) {
    const wire_position at = in_.here();
    const bool is_target = arrived();
    if (!is_target && (skips(wire) || (is_refused(at.at) && in_.skip(wire)))) {
      add_key_step<P>(path, {at.at, static_cast<std::size_t>(in_.at() - at.at)}, wire);
      return at.at != target_;
    }
    path.key_at(number);
    return is_target ? false : trace(at, wire, type);
  }
  /// A key or set element that equals an earlier one.
  [[nodiscard]] bool is_duplicate(const std::uint8_t* key) const noexcept {
    return why_ != nullptr && key == target_ && why_->code == errc::duplicate_key;
  }
  /// A key that is valid in itself but refused: the path names it by its value.
  [[nodiscard]] bool is_refused(const std::uint8_t* key) const noexcept {
    return is_duplicate(key) || (why_ != nullptr && key == target_ && why_->code == errc::hash_flood);
  }
  /// A missing field is reported at the start or at the stop byte of its struct.
  [[nodiscard]] bool lacks_field(std::uint32_t type) const noexcept {
    if (why_ == nullptr || why_->code != errc::missing_required || in_.at() != target_) return false;
    const std::uint32_t field = types_.find(types_.structure(type), why_->field_id);
    return field != image::none && (types_.image()->fields[field].flags & image::required) != 0;
  }

  /// Goes on without types, unless this is what the fault is about.
  bool mismatch(const walk_mismatch& what, std::uint32_t& type) {
    if (place_ == nullptr && what.begin <= target_ && target_ < in_.at()) {
      const bool is_field = what.outer_wire == ttype::struct_;
      words = "expected " + thriftlens::type(types_.image(), is_field ? type : what.outer_type).name() +
              ", found ";
      if (!is_field)
        words +=
            std::string(to_string(what.outer_wire)) + (what.outer_wire == ttype::map ? " with " : " of ");
      words += to_string(what.found);
    }
    type = image::none;
    return true;
  }

  reader_type reader_;
  const std::uint8_t* target_ = nullptr;
  const wire_position* place_ = nullptr;
  const fault* why_ = nullptr;
  std::uint32_t structure_ = image::none;  // the innermost struct on the way
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
