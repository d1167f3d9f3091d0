// redact_blank: the blank value of an IDL type. Always ends: types that require themselves, or too much, have
// no blank.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/traits.hpp>
#include <thriftlens/rewrite/value_in.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The zero of a base type, which takes no more than P::uuid_size.
template <protocol P>
[[nodiscard]] std::uint8_t* put_zero(std::uint8_t* at, ttype wire) noexcept {
  if (wire == ttype::bool_) return P::put_bool(at, false);
  if (wire == ttype::string) return P::put_size(at, 0);
  return wire == ttype::uuid ? P::put_uuid(at, {}) : put_integer_as<P>(at, wire, 0);
}

/// Appends blanks; `depth`: number of enclosing structs.
template <protocol P>
class blank_writer {
 public:
  explicit blank_writer(buffer& out) noexcept : out_(out), begin_(out.size()) {}

  [[nodiscard]] errc append(type of, unsigned depth) {
    if (of.is_struct()) return append_struct(of, depth);
    std::uint8_t* const at = out_.prepare(P::uuid_size);
    if (of.is_enum())
      out_.commit(P::put_i32(at, first_number(of)));
    else
      out_.commit(of.is_container() ? put_empty(at, of) : put_zero<P>(at, of.wire()));
    return errc::ok;
  }

 private:
  static constexpr unsigned max_depth = 64;
  static constexpr std::size_t max_size = std::size_t{1} << 16;

  /// 0 if a member has it, else the number of the first member.
  [[nodiscard]] static std::int32_t first_number(type of) {
    const bool has_zero = of.members().empty() || !of.member_name(0).empty();
    return has_zero ? 0 : of.members()[0].value();
  }
  [[nodiscard]] static std::uint8_t* put_empty(std::uint8_t* at, type of) {
    if (of.kind() == type_kind::map) return P::put_map(at, {of.key().wire(), of.value().wire(), 0});
    const list_header none{of.element().wire(), 0};
    return of.kind() == type_kind::set ? P::put_set(at, none) : P::put_list(at, none);
  }
  [[nodiscard]] errc append_struct(type of, unsigned depth) {
    std::int16_t last = 0;
    for (const field_info field : of.fields()) {
      if (!field.required()) continue;
      if (const errc code = append_field(field, depth, last); code != errc::ok) return code;
    }
    out_.commit(P::put_stop(out_.prepare(1)));
    return errc::ok;
  }
  [[nodiscard]] errc append_field(const field_info& field, unsigned depth, std::int16_t& last) {
    const ttype wire = field.type().wire();
    out_.commit(put_header<P>(out_.prepare(P::max_field_header), {wire, field.id()}, false, last));
    if (P::traits.has_inline_bool && wire == ttype::bool_) return errc::ok;
    if (depth == max_depth || out_.size() - begin_ > max_size) return errc::bad_rule;
    return append(field.type(), depth + 1);
  }

  buffer& out_;
  std::size_t begin_;
};

/// Appends the blank of the type (a bool as in an element). ok, or bad_rule for structs whose required fields
/// nest deeper than 64 structs or take more than 64 KiB; then the buffer is unchanged.
template <protocol P>
[[nodiscard]] errc append_blank(buffer& out, type of) {
  const std::size_t begin = out.size();
  const errc code = detail::blank_writer<P>(out).append(of, 0);
  if (code != errc::ok) out.truncate(begin);
  return code;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
