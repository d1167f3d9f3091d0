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

/// A wire format: a tag type such as `binary` or `compact` that names its reader and writer.
template <class Protocol>
concept protocol = requires {
  typename Protocol::reader;
  typename Protocol::writer;
  { Protocol::id } -> std::convertible_to<protocol_id>;
  { Protocol::name } -> std::convertible_to<std::string_view>;
} && protocol_reader<typename Protocol::reader> && protocol_writer<typename Protocol::writer>;

}  // namespace thriftlens::inline THRIFTLENS_ABI
