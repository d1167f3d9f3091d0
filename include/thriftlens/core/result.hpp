// result: a value or the error that took its place; what every try_ call returns.
// In: one of the two. Out: the same, asked for safely.
// Never empty, never throws unless value() is asked of an error.
#pragma once

#include <thriftlens/core/error.hpp>

#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Holds a T or an error. Model: std::expected<T, error>. The error's code is never ok: one of code ok
/// becomes `internal`. Of a temporary, value, * and error give what it held, not a reference into it: `for
/// (auto& each : *try_list())` is fine.
template <class T>
class [[nodiscard]] result {
 public:
  using value_type = T;

  result(T value) : value_(std::move(value)), holds_(part::value) {}  // NOLINT: implicit on purpose
  result(class error reason)
      : error_(std::move(reason)), holds_(part::error) {  // NOLINT: implicit on purpose
    detail::require_code(error_);
  }
  /// A value made of these arguments, to be filled where it stands.
  template <class... Arguments>
  explicit result(std::in_place_t, Arguments&&... arguments)
      : value_(std::forward<Arguments>(arguments)...), holds_(part::value) {}

  result(const result& other)
    requires std::is_copy_constructible_v<T>
  {
    make(other);
  }
  result(result&& other) noexcept(std::is_nothrow_move_constructible_v<T>) { make(std::move(other)); }
  result& operator=(const result& other)
    requires(std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T>)
  {
    if (this != &other) assign(result(other));
    return *this;
  }
  result& operator=(result&& other) noexcept(
      std::is_nothrow_move_constructible_v<T>&& std::is_nothrow_move_assignable_v<T>)
    requires std::is_move_assignable_v<T>
  {
    assign(std::move(other));
    return *this;
  }
  ~result() { clear(); }

  [[nodiscard]] bool has_value() const noexcept { return holds_ == part::value; }
  [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }

  /// The value; raises the error where there is none.
  [[nodiscard]] T& value() & { return check(), value_; }
  [[nodiscard]] const T& value() const& { return check(), value_; }
  [[nodiscard]] T value() && { return check(), std::move(value_); }
  template <class U>
  [[nodiscard]] T value_or(U&& fallback) const& {
    return has_value() ? value_ : static_cast<T>(std::forward<U>(fallback));
  }
  template <class U>
  [[nodiscard]] T value_or(U&& fallback) && {
    return has_value() ? std::move(value_) : static_cast<T>(std::forward<U>(fallback));
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
    return error_;
  }
  [[nodiscard]] class error error() && noexcept {
    THRIFTLENS_ASSERT(!has_value());
    return std::move(error_);
  }

 private:
  T* get() noexcept {
    THRIFTLENS_ASSERT(has_value());
    return std::addressof(value_);
  }
  void check() const {
    if (!has_value()) raise(thriftlens::error(error_));
  }

  // By hand: a std::variant takes the compiler sixty functions for each T.
  enum class part : unsigned char { nothing, value, error };

  void clear() noexcept {
    if (holds_ == part::value) value_.~T();
    if (holds_ == part::error) std::destroy_at(&error_);
    holds_ = part::nothing;
  }
  // Nothing is held before, nor after a constructor that throws.
  template <class Other>
  void make(Other&& other) {
    if (other.holds_ == part::value)
      ::new (static_cast<void*>(std::addressof(value_))) T(std::forward<Other>(other).value_);
    else if (other.holds_ == part::error)
      ::new (static_cast<void*>(std::addressof(error_))) class error(std::forward<Other>(other).error_);
    holds_ = other.holds_;
  }
  void assign(result&& other) {
    if (this == &other) return;
    if (holds_ == part::value && other.holds_ == part::value) {
      value_ = std::move(other.value_);
    } else {
      clear();
      make(std::move(other));
    }
  }

  union {
    T value_;
    class error error_;
  };
  part holds_ = part::nothing;
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
