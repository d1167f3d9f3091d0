// write_scalar: writes scalar Thrift values as JSON.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/json/string_out.hpp>
#include <thriftlens/json/write/write_state.hpp>
#include <thriftlens/text/number_out.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_writer that writes scalars.
template <protocol Protocol>
class json_scalar_writer : protected json_write_state<Protocol> {
 protected:
  using base = json_write_state<Protocol>;
  using base::image_, base::in_, base::need, base::options_, base::out_, base::put_ok;

  json_scalar_writer(byte_view bytes, const schema_image& image, buffer& to, const to_json_options& options,
                     const limits& bounds, utf8_check when)
      : base(bytes, image, to, options, bounds),
        when_(options.invalid_utf8 == on_invalid_utf8::error ? when : utf8_check::immediate),
        quoted_i64_(options.int64 == json_int64::string) {}

  THRIFTLENS_NOINLINE bool bool_value() {
    bool value = false;
    if (!in_.read_bool(value) || !need(8)) return false;
    out_.put_eight(value ? "true\0\0\0" : "false\0\0", value ? 4 : 5);
    return true;
  }
  THRIFTLENS_INLINE bool read(std::int8_t& number) { return in_.read_i8(number); }
  THRIFTLENS_INLINE bool read(std::int16_t& number) { return in_.read_i16(number); }
  THRIFTLENS_INLINE bool read(std::int32_t& number) { return in_.read_i32(number); }
  THRIFTLENS_INLINE bool read(std::int64_t& number) { return in_.read_i64(number); }
  template <class Int>
  THRIFTLENS_NOINLINE bool integer() {
    return plain_integer<Int>();
  }
  THRIFTLENS_NOINLINE bool i64_value() {
    return quoted_i64_ ? quoted_integer<std::int64_t>() : plain_integer<std::int64_t>();
  }
  template <class Int>
  THRIFTLENS_INLINE bool plain_integer() {
    Int number = 0;
    if (!read(number) || !need(integer_text_room)) return false;
    put_number(number);
    return true;
  }
  template <class Int>
  THRIFTLENS_INLINE bool quoted_integer() {
    Int number = 0;
    if (!read(number) || !need(integer_text_room + 2)) return false;
    out_.put('"');
    put_number(number);
    out_.put('"');
    return true;
  }
  // The caller has called need().
  THRIFTLENS_INLINE void put_number(std::int64_t number) noexcept {
    out_.move_to(put_integer(out_.at(), number));
  }
  THRIFTLENS_NOINLINE bool double_value() {
    double number = 0;
    const std::uint8_t* at = in_.at();
    if (!in_.read_double(number) || !need(double_text_room)) return false;
    if (!is_finite(number)) [[unlikely]]
      return nonfinite(number, at);
    out_.move_to(put_double(out_.at(), number));
    return true;
  }
  THRIFTLENS_NOINLINE bool string_value() {
    const std::uint8_t* at = in_.at();
    byte_view text;
    return in_.read_bytes(text) &&
           put_ok(put_string(out_, text, options_.invalid_utf8, when_, unchecked_), at);
  }
  THRIFTLENS_NOINLINE bool binary_value() {
    const std::uint8_t* at = in_.at();
    byte_view bytes;
    return in_.read_bytes(bytes) && put_ok(put_base64(out_, bytes), at);
  }
  THRIFTLENS_NOINLINE bool uuid_value() {
    const std::uint8_t* at = in_.at();
    uuid_bytes id;
    return in_.read_uuid(id) && put_ok(put_uuid(out_, id), at);
  }
  THRIFTLENS_NOINLINE bool enum_value(const image::type_node& type) {
    std::int32_t number = 0;
    if (!in_.read_i32(number)) return false;
    const std::string_view name = member_text(image_, type, number, options_.enums);
    if (!need(name.size() + integer_text_room)) return false;
    if (name.empty())
      put_number(number);
    else
      out_.put(name);
    return true;
  }

  // Whether the UTF-8 of the output must be checked at the end.
  [[nodiscard]] bool has_unchecked_text() const noexcept { return unchecked_; }
  [[nodiscard]] bool quotes_i64() const noexcept { return quoted_i64_; }

 private:
  THRIFTLENS_COLD bool nonfinite(double number, const std::uint8_t* at) {
    if (options_.nonfinite == json_nonfinite::error) return in_.reject(errc::nonfinite, at);
    out_.put(nonfinite_text(number));
    return true;
  }

  utf8_check when_;
  bool unchecked_ = false;
  bool quoted_i64_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
