// choice: an option that accepts some values of an enum, and the error for others.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/joined.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// An option that accepts `Default` or one of `Others`, values of one enum below 128. Other values are an
/// error of the operation that uses the option.
template <auto Default, decltype(Default)... Others>
class choice {
 public:
  using value_type = decltype(Default);
  static constexpr value_type values[] = {Default, Others...};

  constexpr choice() noexcept = default;
  constexpr choice(value_type chosen) noexcept : value_(chosen) {  // NOLINT: implicit on purpose
    if (chosen != Default && ((chosen != Others) && ...))
      value_ = static_cast<value_type>(static_cast<std::uint8_t>(chosen) | 0x80u);
  }
  [[nodiscard]] constexpr operator value_type() const noexcept { return value_; }  // NOLINT

  friend constexpr bool operator==(const choice&, const choice&) noexcept = default;
  friend constexpr bool operator==(const choice& lhs, value_type rhs) noexcept { return lhs.value_ == rhs; }

 private:
  value_type value_ = Default;
};

namespace detail {

/// Whether all of these options have an accepted value.
template <class... Choices>
[[nodiscard]] constexpr bool are_valid(const Choices&... of) noexcept {
  return ((static_cast<unsigned>(static_cast<typename Choices::value_type>(of)) | ...) & 0x80u) == 0;
}

/// An option with its name, its value and a bit mask of accepted values.
struct named_choice {
  template <auto Default, decltype(Default)... Others>
  named_choice(std::string_view option, const choice<Default, Others...>& of) noexcept
      : name(option),
        names(enumerators(Default)),
        value(static_cast<std::uint8_t>(static_cast<decltype(Default)>(of))),
        allowed(((1u << static_cast<unsigned>(Default)) | ... | (1u << static_cast<unsigned>(Others)))) {}

  std::string_view name, names;
  std::uint8_t value;
  unsigned allowed;
};
/// bad_option with its name, its value and the accepted values.
[[nodiscard]] THRIFTLENS_COLD inline error bad_option_error(const named_choice& option) {
  const unsigned value = option.value & 0x7fu;
  std::string actual = std::to_string(value), expected;
  std::string_view names = option.names;
  for (unsigned i = 0; !names.empty(); ++i) {
    const std::string_view value_name = names.substr(0, names.find(','));
    names.remove_prefix(value_name.size() < names.size() ? value_name.size() + 1 : value_name.size());
    if (i == value) actual = value_name;
    if ((option.allowed >> i & 1) != 0) expected.append(expected.empty() ? "" : " or ").append(value_name);
  }
  return error(errc::bad_option, joined({option.name, " = ", actual, "; expected ", expected}));
}
/// bad_option for the first option with a value that is not accepted.
[[nodiscard]] inline std::optional<error> find_bad_option(std::initializer_list<named_choice> options) {
  for (const named_choice& option : options)
    if ((option.value & 0x80u) != 0) return bad_option_error(option);
  return std::nullopt;
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
