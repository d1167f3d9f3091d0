// tracer: finds the path to a byte or position in wire bytes by a second walk.
#pragma once

#include <thriftlens/core/joined.hpp>
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

/// Walks from the root towards a byte and records the path. As a visitor it returns false on arrival.
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
  std::string message;  // replaces the message of the code unless empty

  /// Appends the step of a missing field.
  void to_missing(std::int16_t id) { add_field_step(path, types_.image(), structure_, id); }
  /// Traces from a value of that type at the start of the bytes to the innermost value that contains
  /// `offset`; sets `message` for bytes that contradict the IDL.
  THRIFTLENS_COLD void to_offset(ttype wire, std::uint32_t type, std::size_t offset, const fault* cause) {
    target_ = in_.begin() + offset;
    fault_ = cause;
    trace(in_.here(), wire, type);
  }
  /// Traces to the value at exactly that position.
  THRIFTLENS_COLD void to_position(ttype wire, std::uint32_t type, const wire_position& position) {
    target_ = position.at;
    position_ = &position;
    if (!arrived()) trace(in_.here(), wire, type);
  }

 private:
  using base::in_, base::types_;

  /// Always false: stops at the target or at malformed bytes.
  THRIFTLENS_COLD bool trace(const wire_position& at, ttype wire, std::uint32_t type) {
    in_.seek(at);
    if (wire == ttype::struct_) {
      structure_ = type;
      if (lacks_field(type)) return false;
    }
    if (wire == ttype::struct_ || is_container(wire)) static_cast<void>(this->value(wire, type));
    return false;
  }
  /// Whether the reader is at the target.
  [[nodiscard]] bool arrived() const noexcept {
    if (position_ == nullptr) return false;
    const wire_position at = in_.here();
    return at.at == position_->at && at.depth_left == position_->depth_left &&
           at.inline_bool == position_->inline_bool;
  }
  /// Whether the target is within or before the header just read.
  [[nodiscard]] bool is_past_target() const noexcept { return position_ == nullptr && target_ < in_.at(); }
  /// Skips a value that does not contain the target; otherwise traces it and returns false.
  THRIFTLENS_COLD bool pass(ttype wire, std::uint32_t type) {
    const wire_position at = in_.here();
    if (skips(wire)) return true;
    return trace(at, wire, type);
  }
  /// A position may be that of the value after a bool stored in its header; an offset belongs to the value
  /// that starts there.
  [[nodiscard]] THRIFTLENS_COLD bool skips(ttype wire) noexcept {
    reader_type probe = in_;
    if (!probe.skip(wire) || probe.at() > target_) return false;
    in_ = probe;
    return true;
  }

  THRIFTLENS_COLD bool structure(std::uint32_t type) {
    return this->each_field(type, [&](const walked_field& field) {
      if (position_ == nullptr && field.begin > target_) return false;
      const std::size_t mark = path.mark();
      add_field_step(path, types_.image(), type, field.header.id);
      if (arrived() || is_past_target() || !pass(field.header.type, field.type)) return false;
      path.back_to(mark);
      return true;
    });
  }
  THRIFTLENS_COLD bool sequence(ttype wire, std::uint32_t type) {
    return this->in_sequence(wire, type, [&](const list_header& list, std::uint32_t element, auto...) {
      if (is_past_target()) return false;
      for (std::uint32_t i = 0; i < list.size; ++i) {
        const std::size_t mark = path.mark();
        path.index(i);
        if (wire == ttype::set && is_duplicate(in_.at())) {
          message = duplicate_element_text;
          return false;
        }
        if (arrived() || !pass(list.element, element)) return false;
        path.back_to(mark);
      }
      return true;
    });
  }
  THRIFTLENS_COLD bool mapping(std::uint32_t type) {
    return this->in_map(type, [&](const map_header& map, std::uint32_t key, std::uint32_t item, auto...) {
      if (is_past_target()) return false;
      for (std::uint32_t i = 0; i < map.size; ++i) {
        const std::size_t mark = path.mark();
        if (!pass_key(map.key, key, i)) return false;
        if (arrived() || !pass(map.value, item)) return false;
        path.back_to(mark);
      }
      return true;
    });
  }
  /// Skips a key, which becomes a step of the path. False if the target is the key or within it.
  THRIFTLENS_COLD bool pass_key(ttype wire, std::uint32_t type, std::uint32_t number) {
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
    return fault_ != nullptr && key == target_ && fault_->code == errc::duplicate_key;
  }
  /// A valid but rejected key: the path names it by its value.
  [[nodiscard]] bool is_refused(const std::uint8_t* key) const noexcept {
    return is_duplicate(key) || (fault_ != nullptr && key == target_ && fault_->code == errc::hash_flood);
  }
  /// A missing field is reported at the start or at the stop byte of its struct.
  [[nodiscard]] THRIFTLENS_COLD bool lacks_field(std::uint32_t type) const noexcept {
    if (fault_ == nullptr || fault_->code != errc::missing_required || in_.at() != target_) return false;
    const std::uint32_t field = types_.find(types_.structure(type), fault_->field_id);
    return field != image::none && (types_.image()->fields[field].flags & image::required) != 0;
  }

  /// Continues without types, unless this mismatch is the reported fault.
  THRIFTLENS_COLD bool mismatch(const walk_mismatch& mismatched, std::uint32_t& type) {
    if (position_ == nullptr && mismatched.begin <= target_ && target_ < in_.at())
      message = mismatch_text(mismatched, type);
    type = image::none;
    return true;
  }
  [[nodiscard]] THRIFTLENS_COLD std::string mismatch_text(const walk_mismatch& of, std::uint32_t type) const {
    const bool is_field = of.outer_wire == ttype::struct_;
    const thriftlens::type expected(types_.image(), is_field ? type : of.outer_type);
    const std::string_view container = is_field ? "" : to_string(of.outer_wire);
    const std::string_view of_or_with = is_field ? "" : of.outer_wire == ttype::map ? " with " : " of ";
    return joined({"expected ", expected.name(), ", found ", container, of_or_with, to_string(of.actual)});
  }

  reader_type reader_;
  const std::uint8_t* target_ = nullptr;
  const wire_position* position_ = nullptr;
  const fault* fault_ = nullptr;
  std::uint32_t structure_ = image::none;  // the innermost enclosing struct
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
