// result: a value or the error that took its place; what every try_ call returns.
// In: one of the two. Out: the same, asked for safely.
// Never empty, never throws unless value() is asked of an error.
#pragma once

#include <thriftlens/core/error.hpp>

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Holds a T or an error. Model: std::expected<T, error>. The error's code is never ok: one of code ok
/// becomes `internal`. Of a temporary, value, * and error give what it held, not a reference into it: `for
/// (auto& each : *try_list())` is fine.
template <class T>
class [[nodiscard]] result {
 public:
  using value_type = T;

  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  result(class error reason)
      : state_(std::in_place_index<1>, std::move(reason)) {  // NOLINT: implicit on purpose
    detail::require_code(*std::get_if<1>(&state_));
  }
  /// A value made of these arguments, to be filled where it stands.
  template <class... Arguments>
  explicit result(std::in_place_t, Arguments&&... arguments)
      : state_(std::in_place_index<0>, std::forward<Arguments>(arguments)...) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }

  /// The value; raises the error where there is none.
  [[nodiscard]] T& value() & { return check(), *std::get_if<0>(&state_); }
  [[nodiscard]] const T& value() const& { return check(), *std::get_if<0>(&state_); }
  [[nodiscard]] T value() && { return check(), std::move(*std::get_if<0>(&state_)); }
  template <class U>
  [[nodiscard]] T value_or(U&& fallback) const& {
    return has_value() ? *std::get_if<0>(&state_) : static_cast<T>(std::forward<U>(fallback));
  }
  template <class U>
  [[nodiscard]] T value_or(U&& fallback) && {
    return has_value() ? std::move(*std::get_if<0>(&state_)) : static_cast<T>(std::forward<U>(fallback));
  }

  /// The value; asserts that there is one.
  [[nodiscard]] T& operator*() & noexcept { return *get(); }
  [[nodiscard]] const T& operator*() const& noexcept { return *const_cast<result*>(this)->get(); }
  [[nodiscard]] T operator*() && { return std::move(*get()); }
  [[nodiscard]] T* operator->() noexcept { return get(); }
  [[nodiscard]] const T* operator->() const noexcept { return const_cast<result*>(this)->get(); }

  /// The error; asserts that there is one.
  [[nodiscard]] const class error& error() const& noexcept {
    THRIFTLENS_ASSERT(!has_value());
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] class error error() && noexcept {
    THRIFTLENS_ASSERT(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  T* get() noexcept {
    THRIFTLENS_ASSERT(has_value());
    return std::get_if<0>(&state_);
  }
  void check() const {
    if (!has_value()) raise(thriftlens::error(*std::get_if<1>(&state_)));
  }

  std::variant<T, class error> state_;
};

/// Success without a value, or an error, whose code is never ok. Success makes no error object and is always
/// said: `return {}`.
template <>
class [[nodiscard]] result<void> {
 public:
  result() noexcept {}  // NOLINT: a defaulted one would clear its memory first where it is made by {}
  /// A failure: an error of code ok becomes `internal`.
  result(class error reason) : error_(std::move(reason)) {  // NOLINT: implicit on purpose
    detail::require_code(*error_);
  }

  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }
  /// Raises the error where there is one.
  void value() const {
    if (!has_value()) raise(thriftlens::error(*error_));
  }
  [[nodiscard]] const class error& error() const& noexcept {
    THRIFTLENS_ASSERT(!has_value());
    return *error_;
  }
  [[nodiscard]] class error error() && noexcept {
    THRIFTLENS_ASSERT(!has_value());
    return std::move(*error_);
  }

 private:
  std::optional<class error> error_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
