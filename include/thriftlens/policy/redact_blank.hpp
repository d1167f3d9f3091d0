// redact_blank: the value of an IDL type that tells nothing.
// In: a type. Out: wire bytes of its zero, of an empty container or of a struct that holds required fields
// only. Never endless: types that require themselves, or too much, have no blank.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/dispatch.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Appends the blank of the type (a bool as an element has it). ok, or bad_rule for structs whose required
/// fields lead deeper than 64 structs or take more than 64 KiB; then the buffer is as before.
template <protocol P>
[[nodiscard]] errc append_blank(buffer& out, type of, unsigned depth = 0) {
  constexpr unsigned deepest = 64;
  constexpr std::size_t largest = std::size_t{1} << 16;
  const std::size_t begin = out.size();
  std::uint8_t* const at = out.reserve(P::uuid_room);
  if (of.is_enum()) {
    const bool has_zero = of.members().empty() || !of.member_name(0).empty();
    return out.commit(P::put_i32(at, has_zero ? 0 : of.members()[0].value())), errc::ok;
  }
  return visit_ttype(of.wire(), [&]<ttype Wire>(ttype_constant<Wire>) {
    if constexpr (Wire == ttype::bool_)
      out.commit(P::put_bool(at, false));
    else if constexpr (Wire == ttype::i8)
      out.commit(P::put_i8(at, 0));
    else if constexpr (Wire == ttype::i16)
      out.commit(P::put_i16(at, 0));
    else if constexpr (Wire == ttype::i32)
      out.commit(P::put_i32(at, 0));
    else if constexpr (Wire == ttype::i64)
      out.commit(P::put_i64(at, 0));
    else if constexpr (Wire == ttype::double_)
      out.commit(P::put_double(at, 0));
    else if constexpr (Wire == ttype::string)
      out.commit(P::put_size(at, 0));
    else if constexpr (Wire == ttype::uuid)
      out.commit(P::put_uuid(at, {}));
    else if constexpr (Wire == ttype::map)
      out.commit(P::put_map(at, {of.key().wire(), of.value().wire(), 0}));
    else if constexpr (Wire == ttype::list)
      out.commit(P::put_list(at, {of.element().wire(), 0}));
    else if constexpr (Wire == ttype::set)
      out.commit(P::put_set(at, {of.element().wire(), 0}));
    else {
      std::int16_t last = 0;
      image::slice fields = of.structure().fields;
      for (std::uint32_t i = fields.begin; i < fields.begin + fields.size; ++i) {
        field_info field(of.image(), i);
        if (!field.required()) continue;
        errc code = depth == deepest || out.size() - begin > largest ? errc::bad_rule : errc::ok;
        std::uint8_t* header = out.reserve(P::field_room);
        if (P::id == protocol_id::compact && field.type().wire() == ttype::bool_) {
          out.commit(P::put_bool_field(header, field.id(), false, last));
        } else if (code == errc::ok) {
          out.commit(P::put_field(header, field.type().wire(), field.id(), last));
          code = append_blank<P>(out, field.type(), depth + 1);
        }
        if (code != errc::ok) return out.truncate(begin), code;
      }
      out.commit(P::put_stop(out.reserve(1)));
    }
    return errc::ok;
  });
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
