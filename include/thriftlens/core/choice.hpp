// choice: one value of an enum, out of those that an operation can do.
// In: a value. Out: the same. Never holds another: the attempt is a compile error where it is constant, else
// raises.
#pragma once

#include <thriftlens/core/error.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
[[noreturn]] THRIFTLENS_COLD inline void raise_bad_option() { raise(error(errc::bad_option)); }
}  // namespace detail

/// An option that takes `Default` or one of `Others`, values of one enum. Raises bad_option for another
/// value: an operation never passes over a wish that it cannot follow.
template <auto Default, decltype(Default)... Others>
class choice {
 public:
  using value_type = decltype(Default);
  static constexpr value_type values[] = {Default, Others...};

  constexpr choice() noexcept = default;
  constexpr choice(value_type chosen) : value_(chosen) {  // NOLINT: implicit on purpose
    if (chosen != Default && ((chosen != Others) && ...)) detail::raise_bad_option();
  }
  [[nodiscard]] constexpr operator value_type() const noexcept { return value_; }  // NOLINT

  friend constexpr bool operator==(const choice&, const choice&) noexcept = default;
  friend constexpr bool operator==(const choice& left, value_type right) noexcept {
    return left.value_ == right;
  }

 private:
  value_type value_ = Default;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
