// redact_blank: the value of an IDL type that tells nothing.
// In: a type. Out: wire bytes of its zero, of an empty container or of a struct that holds required fields
// only. Never endless: types that require themselves, or too much, have no blank.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/dispatch.hpp>
#include <thriftlens/protocol/traits.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// The zero of a base type, which takes no more than P::uuid_room.
template <protocol P, ttype Wire>
[[nodiscard]] std::uint8_t* put_zero(std::uint8_t* at) noexcept {
  if constexpr (Wire == ttype::bool_)
    return P::put_bool(at, false);
  else if constexpr (Wire == ttype::i8)
    return P::put_i8(at, 0);
  else if constexpr (Wire == ttype::i16)
    return P::put_i16(at, 0);
  else if constexpr (Wire == ttype::i32)
    return P::put_i32(at, 0);
  else if constexpr (Wire == ttype::i64)
    return P::put_i64(at, 0);
  else if constexpr (Wire == ttype::double_)
    return P::put_double(at, 0);
  else if constexpr (Wire == ttype::string)
    return P::put_size(at, 0);
  else
    return P::put_uuid(at, {});
}

/// Appends blanks; `depth` structs are around.
template <protocol P>
class blank_writer {
 public:
  explicit blank_writer(buffer& out) noexcept : out_(out), begin_(out.size()) {}

  [[nodiscard]] errc append(type of, unsigned depth) {
    if (of.is_struct()) return append_struct(of, depth);
    std::uint8_t* const at = out_.reserve(P::uuid_room);
    if (of.is_enum()) {
      const bool has_zero = of.members().empty() || !of.member_name(0).empty();
      out_.commit(P::put_i32(at, has_zero ? 0 : of.members()[0].value()));
      return errc::ok;
    }
    visit_ttype(of.wire(), [&]<ttype Wire>(ttype_constant<Wire>) {
      if constexpr (Wire == ttype::map)
        out_.commit(P::put_map(at, {of.key().wire(), of.value().wire(), 0}));
      else if constexpr (Wire == ttype::list)
        out_.commit(P::put_list(at, {of.element().wire(), 0}));
      else if constexpr (Wire == ttype::set)
        out_.commit(P::put_set(at, {of.element().wire(), 0}));
      else
        out_.commit(put_zero<P, Wire>(at));
    });
    return errc::ok;
  }

 private:
  static constexpr unsigned max_depth = 64;
  static constexpr std::size_t max_size = std::size_t{1} << 16;

  [[nodiscard]] errc append_struct(type of, unsigned depth) {
    std::int16_t last = 0;
    for (const field_info field : of.fields()) {
      if (!field.required()) continue;
      const ttype wire = field.type().wire();
      out_.commit(put_header<P>(out_.reserve(P::field_room), {wire, field.id()}, false, last));
      if (P::traits.has_inline_bool && wire == ttype::bool_) continue;
      if (depth == max_depth || out_.size() - begin_ > max_size) return errc::bad_rule;
      if (const errc code = append(field.type(), depth + 1); code != errc::ok) return code;
    }
    out_.commit(P::put_stop(out_.reserve(1)));
    return errc::ok;
  }

  buffer& out_;
  std::size_t begin_;
};

}  // namespace detail

/// Appends the blank of the type (a bool as an element has it). ok, or bad_rule for structs whose required
/// fields lead deeper than 64 structs or take more than 64 KiB; then the buffer is as before.
template <protocol P>
[[nodiscard]] errc append_blank(buffer& out, type of) {
  const std::size_t begin = out.size();
  const errc code = detail::blank_writer<P>(out).append(of, 0);
  if (code != errc::ok) out.truncate(begin);
  return code;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
