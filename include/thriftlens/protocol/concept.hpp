// concept: what the library asks of a protocol; binary and compact are the two that answer.
// In: a type. Out: whether templates over protocols take it.
// Never a function: this header is the list of the primitives, the protocols' headers say what they do.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/cursor.hpp>
#include <thriftlens/protocol/header.hpp>
#include <thriftlens/protocol/traits.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Reads primitives in order; false means failed, and fault() says why. Walking any value by hand:
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
/// here() remembers the place of the value that is read next and seek() returns to it, for Compact bool
/// fields too, whose value is in the header. Sizes are checked against the bytes left: `size` never exceeds
/// remaining().
template <class Reader>
concept protocol_reader =
    std::derived_from<Reader, wire_cursor> && std::constructible_from<Reader, byte_view, const limits&> &&
    std::copyable<Reader> &&
    requires(Reader& in, field_header& field, list_header& list, map_header& map, struct_mark mark,
             wire_position place, ttype type, bool& b, std::int8_t& i8, std::int16_t& i16, std::int32_t& i32,
             std::int64_t& i64, double& d, byte_view& bytes, std::string_view& text, uuid_bytes& id,
             const std::uint8_t* pointer) {
      { in.begin_struct() } -> std::same_as<struct_mark>;
      { in.end_struct(mark) };
      { in.read_field(field) } -> std::same_as<bool>;
      { in.read_bool(b) } -> std::same_as<bool>;
      { in.read_i8(i8) } -> std::same_as<bool>;
      { in.read_i16(i16) } -> std::same_as<bool>;
      { in.read_i32(i32) } -> std::same_as<bool>;
      { in.read_i64(i64) } -> std::same_as<bool>;
      { in.read_double(d) } -> std::same_as<bool>;
      { in.read_bytes(bytes) } -> std::same_as<bool>;
      { in.read_bytes(text) } -> std::same_as<bool>;
      { in.read_uuid(id) } -> std::same_as<bool>;
      { in.read_list(list) } -> std::same_as<bool>;
      { in.read_set(list) } -> std::same_as<bool>;
      { in.read_map(map) } -> std::same_as<bool>;
      { in.skip(type) } -> std::same_as<bool>;
      { in.here() } -> std::same_as<wire_position>;
      { in.seek(place) };
      { in.seek(pointer) };
    };

/// Appends primitives to a buffer. Misuse (a field without a value) is not detected. Sizes not known yet:
/// `begin_list(element)` … elements … `end_list(mark, size)`.
template <class Writer>
concept protocol_writer =
    std::constructible_from<Writer, buffer&> &&
    requires(Writer& out, ttype type, std::int16_t id, byte_view bytes, const uuid_bytes& unique,
             struct_mark mark, container_mark open, std::uint32_t size, list_header list, map_header map) {
      { out.begin_struct() } -> std::same_as<struct_mark>;
      { out.end_struct(mark) };
      { out.write_field(type, id) };
      { out.write_stop() };
      { out.write_bool(true) };
      { out.write_i8(std::int8_t{}) };
      { out.write_i16(std::int16_t{}) };
      { out.write_i32(std::int32_t{}) };
      { out.write_i64(std::int64_t{}) };
      { out.write_double(0.0) };
      { out.write_bytes(bytes) };
      { out.write_uuid(unique) };
      { out.write_list(list) };
      { out.write_set(list) };
      { out.write_map(map) };
      { out.begin_list(type) } -> std::same_as<container_mark>;
      { out.end_list(open, size) };
      { out.begin_set(type) } -> std::same_as<container_mark>;
      { out.end_set(open, size) };
      { out.begin_map(type, type) } -> std::same_as<container_mark>;
      { out.end_map(open, size) };
      { out.output() } -> std::same_as<buffer&>;
    };

/// Writes primitives at a pointer, where the caller has made room, and returns the byte after them. `last_id`
/// is the id of the struct's field before, 0 for its first, and moves on.
template <class Protocol>
concept protocol_puts =
    requires(std::uint8_t* to, const std::uint8_t* from, ttype type, std::int16_t id, std::int16_t& last_id,
             const uuid_bytes& unique, std::uint32_t size, list_header list, map_header map) {
      { Protocol::put_field(to, type, id, last_id) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_bool_field(to, id, true, last_id) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_stop(to) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_bool(to, true) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_i8(to, std::int8_t{}) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_i16(to, std::int16_t{}) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_i32(to, std::int32_t{}) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_i64(to, std::int64_t{}) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_double(to, 0.0) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_size(to, size) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_uuid(to, unique) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_list(to, list) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_set(to, list) } -> std::same_as<std::uint8_t*>;
      { Protocol::put_map(to, map) } -> std::same_as<std::uint8_t*>;
      { Protocol::is_empty_container(from, from, type) } -> std::same_as<bool>;
      { Protocol::to_bool(std::uint8_t{}) } -> std::same_as<bool>;
      { Protocol::bool_byte(true) } -> std::same_as<std::uint8_t>;
    };

/// A wire format: a tag type such as `binary` or `compact` that names its reader and writer and says what it
/// is like. A program may bring its own; its id is then protocol_count or above.
template <class Protocol>
concept protocol =
    requires {
      typename Protocol::reader;
      typename Protocol::writer;
      { Protocol::id } -> std::convertible_to<protocol_id>;
      { Protocol::name } -> std::convertible_to<std::string_view>;
      { Protocol::traits } -> std::same_as<const protocol_traits&>;
    } && protocol_reader<typename Protocol::reader> && protocol_writer<typename Protocol::writer> &&
    protocol_puts<Protocol>;

}  // namespace thriftlens::inline THRIFTLENS_ABI
