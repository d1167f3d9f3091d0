// convert: one value from one protocol to the other, without a schema.
// In: all bytes of a value and its wire type. Out: the same value at the end of a buffer, or an error and the
// buffer as before. Never makes a tree, never looks at a schema, never reads past the value.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/dispatch.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/select.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Steps values from a reader to a writer. Linear; recursion is bounded by the reader's depth limit.
///
/// What the two protocols do not share: an empty map has no types in Compact, so Binary gets ttype stop
/// twice, which is what Compact's readers report and what every reader accepts in an empty map. Numbers,
/// headers and bools come out in their shortest form, so a value that was written otherwise becomes the
/// canonical one.
template <protocol From, protocol To>
class converter {
 public:
  converter(typename From::reader& in, typename To::writer& out, const limits& bounds = {}) noexcept
      : in_(in),
        out_(out),
        most_(detail::output_end(out.output().size(), bounds.max_output(in.remaining()))) {}

  /// One value. After false the reader's fault says why and path() where; the output holds what was written
  /// until then.
  [[nodiscard]] bool value(ttype type) {
    if (!is_value_type(type)) return in_.fail(errc::bad_ttype);
    return visit_ttype(type, [this](auto known) { return this->one(known); });
  }
  /// Where the value stands that could not be converted: "$.#3[2]". Good after a failure of value().
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  template <ttype Type>
  using constant = ttype_constant<Type>;

  bool one(constant<ttype::bool_>) {
    bool value{};
    return in_.read_bool(value) && (out_.write_bool(value), fits());
  }
  bool one(constant<ttype::i8>) {
    std::int8_t value{};
    return in_.read_i8(value) && (out_.write_i8(value), fits());
  }
  bool one(constant<ttype::i16>) {
    std::int16_t value{};
    return in_.read_i16(value) && (out_.write_i16(value), fits());
  }
  bool one(constant<ttype::i32>) {
    std::int32_t value{};
    return in_.read_i32(value) && (out_.write_i32(value), fits());
  }
  bool one(constant<ttype::i64>) {
    std::int64_t value{};
    return in_.read_i64(value) && (out_.write_i64(value), fits());
  }
  bool one(constant<ttype::double_>) {
    double value{};
    return in_.read_double(value) && (out_.write_double(value), fits());
  }
  bool one(constant<ttype::uuid>) {
    uuid_bytes value{};
    return in_.read_uuid(value) && (out_.write_uuid(value), fits());
  }
  bool one(constant<ttype::string>) {
    byte_view bytes;
    if (!in_.read_bytes(bytes)) return false;
    out_.write_bytes(bytes);
    return fits();
  }

  bool one(constant<ttype::struct_>) {
    const struct_mark outer_in = in_.begin_struct(), outer_out = out_.begin_struct();
    field_header field;
    for (;;) {
      if (!in_.read_field(field)) return false;
      if (field.type == ttype::stop) break;
      out_.write_field(field.type, field.id);
      if (!value(field.type)) return note(".#" + std::to_string(field.id));
    }
    out_.write_stop();
    out_.end_struct(outer_out);
    in_.end_struct(outer_in);
    return fits();
  }

  bool one(constant<ttype::list>) {
    list_header list;
    if (!in_.read_list(list)) return false;
    out_.write_list(list);
    return elements(list);
  }
  bool one(constant<ttype::set>) {
    list_header set;
    if (!in_.read_set(set)) return false;
    out_.write_set(set);
    return elements(set);
  }
  bool one(constant<ttype::map>) {
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    out_.write_map(map);
    for (std::uint32_t i = 0; i < map.size; ++i) {
      if (!value(map.key) || !value(map.value)) return note("{entry " + std::to_string(i) + '}');
    }
    in_.leave();
    return fits();
  }

  bool elements(const list_header& list) {
    if (!in_.enter()) return false;
    if (list.size != 0) {
      const bool done = visit_ttype(list.element, [&](auto element) {
        for (std::uint32_t i = 0; i < list.size; ++i) {
          if (!this->one(element)) return this->note('[' + std::to_string(i) + ']');
        }
        return true;
      });
      if (!done) return false;
    }
    in_.leave();
    return fits();
  }

  THRIFTLENS_INLINE bool fits() noexcept {
    return out_.output().size() <= most_ || in_.fail(errc::output_limit);
  }
  THRIFTLENS_COLD bool note(std::string step) {
    path_.insert(0, step);
    return false;
  }

  typename From::reader& in_;
  typename To::writer& out_;
  std::size_t most_;
  std::string path_;
};

/// Appends the value that `bytes` hold, all of them, in the other protocol. Works for any type; a message's
/// header is not part of a value (see message.hpp). Errors: those of reading, trailing_bytes, output_limit;
/// the buffer is then as before. The path tells field ids.
template <protocol From, protocol To>
[[nodiscard]] result<void> try_append_converted(byte_view bytes, buffer& out, const limits& bounds = {},
                                                ttype type = ttype::struct_) {
  rollback guard(out);
  typename From::reader in(bytes, bounds);
  typename To::writer writer(out);
  converter<From, To> step(in, writer, bounds);
  if (step.value(type) && (in.at_end() || in.fail(errc::trailing_bytes))) {
    guard.keep();
    return {};
  }
  std::string words = words_with_looks({}, in.fault().code, bytes, From::id, type);
  return error(in.fault().code, std::move(words), in.fault().offset, '$' + step.path());
}
template <protocol From, protocol To>
void append_converted(byte_view bytes, buffer& out, const limits& bounds = {}, ttype type = ttype::struct_) {
  try_append_converted<From, To>(bytes, out, bounds, type).value();
}

/// The same with the protocols named at run time; a copy, not looked at, where they are one.
[[nodiscard]] inline result<void> try_append_converted(protocol_id from, protocol_id to, byte_view bytes,
                                                       buffer& out, const limits& bounds = {},
                                                       ttype type = ttype::struct_) {
  if (from == to) {
    out.append(bytes);
    return {};
  }
  return visit_protocol(from, [&](auto source) {
    return visit_protocol(to, [&](auto target) -> result<void> {
      if constexpr (std::is_same_v<decltype(source), decltype(target)>)
        return {};
      else
        return try_append_converted<decltype(source), decltype(target)>(bytes, out, bounds, type);
    });
  });
}

/// What is held as bytes for each protocol (`type` as an element of a container has it), for protocol P:
/// one that the library does not know gets it converted from Binary, in `spare`.
template <protocol P>
[[nodiscard]] byte_view bytes_in(const by_protocol<byte_view>& held, ttype type, buffer& spare) {
  if constexpr (by_protocol<byte_view>::holds<P>) {
    return held[P::id];
  } else {
    spare.clear();
    try_append_converted<binary, P>(held[binary::id], spare, {}, type).value();
    return spare;
  }
}

/// The same into a buffer of its own.
template <protocol From, protocol To>
[[nodiscard]] result<buffer> try_convert(byte_view bytes, const limits& bounds = {},
                                         ttype type = ttype::struct_) {
  buffer out;
  result<void> done = try_append_converted<From, To>(bytes, out, bounds, type);
  if (!done) return std::move(done).error();
  return out;
}
template <protocol From, protocol To>
[[nodiscard]] buffer convert(byte_view bytes, const limits& bounds = {}, ttype type = ttype::struct_) {
  return try_convert<From, To>(bytes, bounds, type).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
