// reader: reads the primitives of a protocol in order, with a depth limit and a sticky fault.
#pragma once

#include <thriftlens/core/uuid.hpp>
#include <thriftlens/protocol/cursor.hpp>
#include <thriftlens/protocol/traits.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Reads the primitives of P from borrowed bytes; returned strings borrow too. 56 bytes, cheap to construct
/// and copy. If P has bools in field headers, read_bool() and skip() right after read_field() use that value.
/// For usage see concept.hpp.
template <class P>
class wire_reader : public detail::wire_cursor {
 public:
  explicit wire_reader(byte_view bytes THRIFTLENS_LIFETIMEBOUND, const limits& bounds = {}) noexcept
      : detail::wire_cursor(bytes, bounds) {}

  [[nodiscard]] detail::wire_position here() const noexcept {
    if constexpr (has_state()) return {at_, depth_left_, last_id_, inline_bool_};
    return {at_, depth_left_, 0, -1};
  }
  /// Continues at a position of these bytes. Does not undo a fault.
  void seek(const detail::wire_position& position) noexcept {
    seek(position.at);
    depth_left_ = position.depth_left;
    if constexpr (has_state()) {
      last_id_ = position.last_id;
      inline_bool_ = position.inline_bool;
    }
  }
  /// Continues at an element or at the first field header of a struct (not at a bool whose value is in the
  /// header before).
  void seek(const std::uint8_t* position) noexcept {
    THRIFTLENS_ASSERT(in_range(position));
    if (failed()) return;
    at_ = position;
    if constexpr (has_state()) {
      last_id_ = 0;
      inline_bool_ = -1;
    }
  }

  struct_mark begin_struct() noexcept {
    static_cast<void>(enter());
    const struct_mark outer{last_id_};
    if constexpr (has_state()) last_id_ = 0;
    return outer;
  }
  void end_struct(struct_mark outer) noexcept {
    leave();
    if constexpr (has_state()) last_id_ = outer.last_id;
  }

  [[nodiscard]] THRIFTLENS_INLINE bool read_field(field_header& field) noexcept {
    wire_field decoded;
    errc code = errc::ok;
    const std::uint8_t* next = P::get_field(at_, end_, last_id_, decoded, code);
    if (next == nullptr) [[unlikely]]
      return reject(code);
    field = decoded.header;
    if constexpr (has_state()) inline_bool_ = decoded.inline_bool;
    at_ = next;
    return true;
  }

  [[nodiscard]] THRIFTLENS_INLINE bool read_bool(bool& value) noexcept {
    if constexpr (P::traits.has_inline_bool) {
      if (inline_bool_ >= 0) {
        value = inline_bool_ != 0;
        inline_bool_ = -1;
        return !failed();
      }
    }
    if (at_ == end_) [[unlikely]]
      return reject(errc::truncated);
    value = P::to_bool(*at_++);
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i8(std::int8_t& value) noexcept { return read_number(value); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i16(std::int16_t& value) noexcept { return read_number(value); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i32(std::int32_t& value) noexcept { return read_number(value); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i64(std::int64_t& value) noexcept { return read_number(value); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_double(double& value) noexcept { return read_number(value); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_uuid(uuid_bytes& value) noexcept {
    if (remaining() < value.size()) [[unlikely]]
      return reject(errc::truncated);
    std::memcpy(value.data(), at_, value.size());
    at_ += value.size();
    return true;
  }

  /// A string or binary, borrowed.
  [[nodiscard]] THRIFTLENS_INLINE bool read_bytes(byte_view& value) noexcept {
    errc code = errc::ok;
    return move_to(P::get_bytes(at_, end_, string_size_, value, code), code);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_bytes(std::string_view& value) noexcept {
    byte_view bytes;
    if (!read_bytes(bytes)) [[unlikely]]
      return false;
    value = bytes.text();
    return true;
  }

  [[nodiscard]] THRIFTLENS_INLINE bool read_list(list_header& list) noexcept {
    errc code = errc::ok;
    return move_to(P::get_list(at_, end_, container_size_, list, code), code);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_set(list_header& set) noexcept { return read_list(set); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_map(map_header& map) noexcept {
    errc code = errc::ok;
    return move_to(P::get_map(at_, end_, container_size_, map, code), code);
  }

  /// Skips a value. Bounded by the remaining bytes and the depth limit; size limits apply only to output.
  [[nodiscard]] THRIFTLENS_INLINE bool skip(ttype type) noexcept {
    if constexpr (P::traits.has_inline_bool) {
      if (inline_bool_ >= 0) {
        inline_bool_ = -1;
        return !failed();
      }
    }
    if (const std::size_t width = detail::element_width<P>(type)) {
      if (remaining() < width) [[unlikely]]
        return reject(errc::truncated);
      at_ += width;
      return true;
    }
    return skip_open(type);
  }

 private:
  [[nodiscard]] static constexpr bool has_state() noexcept {
    return P::traits.has_inline_bool || P::traits.headers_are_deltas;
  }
  template <class T>
  THRIFTLENS_INLINE bool read_number(T& value) noexcept {
    errc code = errc::ok;
    return move_to(P::get_number(at_, end_, value, code), code);
  }
  THRIFTLENS_INLINE bool move_to(const std::uint8_t* next, const errc& code) noexcept {
    if (next == nullptr) [[unlikely]]
      return reject(code);
    at_ = next;
    return true;
  }
  // A value of variable width.
  THRIFTLENS_NOINLINE bool skip_open(ttype type) noexcept {
    const std::uint8_t* from = at_;
    // Most structs are plain: constructs a skipper only for others, from the position reached.
    if constexpr (requires { P::skipper::skip_plain_fields(from, end_); }) {
      if (type == ttype::struct_ && depth_left_ != 0) {
        from = P::skipper::skip_plain_fields(from, end_);
        if (from != end_ && *from == 0) {
          at_ = from + 1;
          return true;
        }
      }
    }
    typename P::skipper skipper(end_);
    const std::uint8_t* next = nullptr;
    if constexpr (requires { skipper.skip_outermost(from, type, depth_left_); })
      next = skipper.skip_outermost(from, type, depth_left_);
    else
      next = skipper.skip(from, type, depth_left_);
    if (next == nullptr) [[unlikely]]
      return reject(skipper.code, skipper.at);
    at_ = next;
    return true;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
