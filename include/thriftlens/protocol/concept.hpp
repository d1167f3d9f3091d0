// concept: requirements on a protocol; binary and compact satisfy them. The headers of the protocols document
// the primitives.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/protocol/header.hpp>
#include <thriftlens/protocol/traits.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Reads at a pointer, not beyond `end`, and returns the end, or nullptr with a code. `last_id` is the id of
/// the previous field, 0 for the first, and is updated. Container sizes are checked against the remaining
/// bytes.
template <class P>
concept protocol_gets = requires(byte_ptr at, std::int16_t& last_id, wire_field& field, byte_view& bytes,
                                 list_header& list, map_header& map, errc& code) {
  { P::get_field(at, at, last_id, field, code) } -> std::same_as<byte_ptr>;
  { P::get_bytes(at, at, 1u, bytes, code) } -> std::same_as<byte_ptr>;
  { P::get_list(at, at, 1u, list, code) } -> std::same_as<byte_ptr>;
  { P::get_map(at, at, 1u, map, code) } -> std::same_as<byte_ptr>;
};
/// Writes at a pointer with reserved capacity and returns the end.
template <class P>
concept protocol_puts = requires(std::uint8_t* to, std::int16_t id, std::int16_t& last_id, std::uint32_t size,
                                 list_header list, map_header map) {
  { P::put_field(to, ttype::i8, id, last_id) } -> std::same_as<std::uint8_t*>;
  { P::put_bool_field(to, id, true, last_id) } -> std::same_as<std::uint8_t*>;
  { P::put_size(to, size) } -> std::same_as<std::uint8_t*>;
  { P::put_list(to, list) } -> std::same_as<std::uint8_t*>;
  { P::put_map(to, map) } -> std::same_as<std::uint8_t*>;
};
template <class P, class Number>
concept protocol_of_number = requires(byte_ptr at, std::uint8_t* to, Number& value, errc& code) {
  { P::get_number(at, at, value, code) } -> std::same_as<byte_ptr>;
  { P::put_number(to, value) } -> std::same_as<std::uint8_t*>;
};
template <class P, class... Numbers>
concept protocol_of_numbers = (protocol_of_number<P, Numbers> && ...);
/// Skips values. Constructed from the end of the bytes; after a nullptr, `code` and `at` have the reason.
template <class Skipper>
concept protocol_skipper = std::constructible_from<Skipper, byte_ptr> &&
                           requires(Skipper& skipper, byte_ptr from, std::uint32_t depth_left) {
                             { skipper.skip(from, ttype::i8, depth_left) } -> std::same_as<byte_ptr>;
                             { skipper.skip_struct(from, depth_left) } -> std::same_as<byte_ptr>;
                             { skipper.code } -> std::convertible_to<errc>;
                             { skipper.at } -> std::convertible_to<byte_ptr>;
                           };

/// A wire format: a tag type such as `binary` or `compact`, derived from protocol_primitives. Programs may
/// define their own with ids from protocol_count. To walk a value with its reader, whose functions return
/// false after a failure and set fault():
///
///     struct_mark outer = in.begin_struct();           // depth; a fault shows in the next read
///     field_header field;
///     while (in.read_field(field) && field.type != ttype::stop) …read or skip(field.type)…
///     in.end_struct(outer);
///
///     list_header list;                                // sets likewise, maps with map_header
///     if (!in.read_list(list) || !in.enter()) return false;
///     for (std::uint32_t i = 0; i < list.size; ++i) …read or skip(list.element)…
///     in.leave();
///
/// here() is the position of the next value and seek() returns to it, also for bools in field headers. Sizes
/// are checked: `size` never exceeds remaining().
///
/// Its writer appends to a buffer. Misuse (a field without a value) is not detected. Sizes not known yet:
/// `begin_list(element)` … elements … `end_list(mark, size)`.
template <class P>
concept protocol =
    requires(byte_ptr at) {
      typename P::reader;
      typename P::writer;
      { P::id } -> std::convertible_to<protocol_id>;
      { P::name } -> std::convertible_to<std::string_view>;
      { P::traits } -> std::same_as<const protocol_traits&>;
      { P::to_bool(std::uint8_t{}) } -> std::same_as<bool>;
      { P::bool_byte(true) } -> std::same_as<std::uint8_t>;
      { P::is_empty_container(at, at, ttype::list) } -> std::same_as<bool>;
      requires P::max_field_header + P::max_list_header + P::max_map_header + P::max_length_prefix +
                       P::max_number != 0;
    } && protocol_gets<P> && protocol_puts<P> && protocol_skipper<typename P::skipper> &&
    protocol_of_numbers<P, std::int8_t, std::int16_t, std::int32_t, std::int64_t, double>;

/// A protocol that can be chosen at run time (visit_protocol), and for which by_protocol holds a value. A
/// document speaks one of these: values of others are converted first.
template <class P>
concept listed_protocol = protocol<P> && detail::is_listed(P::id);

/// A protocol whose bytes prefix templates and learned layouts match by position.
template <class P>
concept fixed_layout_protocol = protocol<P> && P::traits.has_fixed_layout;

}  // namespace thriftlens::inline THRIFTLENS_ABI
