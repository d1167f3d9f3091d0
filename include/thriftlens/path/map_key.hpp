// map_key: identifies a map entry by a key of any type. Borrows its text.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/schema/type.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A map key. 32 bytes; pass by value. Struct and container keys are identified by their wire bytes.
class map_key {
 public:
  enum class form : unsigned char { integer, real, boolean, text, name, wire };

  template <std::signed_integral Int>
  map_key(Int value) noexcept : integer_(value), form_(form::integer) {}  // NOLINT: implicit on purpose
  template <std::unsigned_integral Int>
    requires(sizeof(Int) < 8)
  map_key(Int value) noexcept : integer_(value), form_(form::integer) {}   // NOLINT: implicit on purpose
  map_key(bool value) noexcept : integer_(value), form_(form::boolean) {}  // NOLINT: implicit on purpose
  map_key(double value) noexcept
      : integer_(std::bit_cast<std::int64_t>(value)), form_(form::real) {}  // NOLINT: implicit on purpose
  /// A string or binary key; for enum keys the member's name.
  map_key(std::string_view value) noexcept
      : text_(value), form_(form::text) {}                                   // NOLINT: implicit on purpose
  map_key(const char* value) noexcept : map_key(std::string_view(value)) {}  // NOLINT: implicit on purpose
  map_key(const std::string& value) noexcept
      : map_key(std::string_view(value)) {}  // NOLINT: implicit on purpose

  map_key(const uuid_bytes& value) noexcept
      : map_key(wire({value.data(), value.size()})) {}  // NOLINT: implicit on purpose

  /// A key of any type by its wire bytes.
  [[nodiscard]] static map_key wire(byte_view bytes) noexcept { return {bytes.text(), form::wire}; }
  /// An enum member by name; never matches a string key.
  [[nodiscard]] static map_key name(std::string_view member) noexcept { return {member, form::name}; }

  [[nodiscard]] form kind() const noexcept { return form_; }
  [[nodiscard]] std::int64_t integer() const noexcept { return integer_; }
  [[nodiscard]] bool boolean() const noexcept { return integer_ != 0; }
  [[nodiscard]] double real() const noexcept { return std::bit_cast<double>(integer_); }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] byte_view bytes() const noexcept { return {text_.data(), text_.size()}; }

  /// The same form and the same value; doubles and uuids by their bits.
  friend bool operator==(const map_key& lhs, const map_key& rhs) noexcept {
    return lhs.form_ == rhs.form_ && lhs.integer_ == rhs.integer_ && lhs.text_ == rhs.text_;
  }

  /// Converts the key to `key_type`: enum names to numbers, integers to doubles for double keys.
  /// Returns ok, value_type (such a map cannot have a key of that form), value_range or unknown_enum_name.
  [[nodiscard]] errc fit(type key_type) noexcept {
    if (form_ == form::wire) return errc::ok;
    switch (key_type.kind()) {
      case type_kind::bool_:
        return only(form::boolean);
      case type_kind::enum_:
        return fit_enum(key_type);
      case type_kind::double_:
        if (form_ == form::integer) *this = static_cast<double>(integer_);
        return only(form::real);
      case type_kind::string:
      case type_kind::binary:
        return only(form::text);
      default:
        return fit_width(key_type.kind());
    }
  }

 private:
  map_key(std::string_view value, form kind) noexcept : text_(value), form_(kind) {}

  [[nodiscard]] errc only(form kind) const noexcept { return form_ == kind ? errc::ok : errc::value_type; }
  [[nodiscard]] errc fit_width(type_kind kind) const noexcept {
    switch (kind) {
      case type_kind::i8:
        return fit_integer<std::int8_t>();
      case type_kind::i16:
        return fit_integer<std::int16_t>();
      case type_kind::i32:
        return fit_integer<std::int32_t>();
      case type_kind::i64:
        return fit_integer<std::int64_t>();
      default:
        return errc::value_type;
    }
  }
  template <class Int>
  [[nodiscard]] errc fit_integer() const noexcept {
    if (form_ != form::integer) return errc::value_type;
    return integer_ == static_cast<Int>(integer_) ? errc::ok : errc::value_range;
  }
  [[nodiscard]] errc fit_enum(type key_type) noexcept {
    if (form_ != form::text && form_ != form::name) return fit_integer<std::int32_t>();
    std::optional<std::int32_t> value = key_type.member_value(text_);
    if (!value) return errc::unknown_enum_name;
    *this = map_key(*value);
    return errc::ok;
  }

  std::string_view text_;
  std::int64_t integer_ = 0;
  form form_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

/// Consistent with operator==.
template <>
struct std::hash<thriftlens::map_key> {
  [[nodiscard]] std::size_t operator()(const thriftlens::map_key& of) const noexcept {
    const std::size_t number = std::hash<std::int64_t>()(of.integer()) + static_cast<unsigned>(of.kind());
    return number * 0x9e3779b1u ^ std::hash<std::string_view>()(of.text());
  }
};
