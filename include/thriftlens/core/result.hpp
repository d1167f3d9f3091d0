// result: a value or an error; returned by try_ functions.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/fwd.hpp>

#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
template <class T>
inline constexpr bool is_result = false;
template <class T>
inline constexpr bool is_result<result<T>> = true;

/// std::invoke of one argument, without <functional>.
template <class Function, class Argument>
decltype(auto) call(Function&& function, Argument&& argument) {
  if constexpr (std::is_member_function_pointer_v<std::remove_cvref_t<Function>>)
    return (std::forward<Argument>(argument).*function)();
  else if constexpr (std::is_member_object_pointer_v<std::remove_cvref_t<Function>>)
    return (std::forward<Argument>(argument).*function);
  else
    return std::forward<Function>(function)(std::forward<Argument>(argument));
}
/// `next` of the value, or of nothing for result<void>.
template <class Self, class Next>
decltype(auto) call_with_value(Self&& self, Next&& next) {
  if constexpr (std::is_void_v<typename std::remove_cvref_t<Self>::value_type>)
    return std::forward<Next>(next)();
  else if constexpr (std::is_lvalue_reference_v<Self>)
    return call(std::forward<Next>(next), *self);
  else
    return call(std::forward<Next>(next), std::move(*self));
}

// Implementations of the members of result with these names; instantiated only if called.
template <class Self, class Next>
auto and_then(Self&& self, Next&& next) {
  using to = std::remove_cvref_t<decltype(call_with_value(std::forward<Self>(self), next))>;
  static_assert(is_result<to>,
                "thriftlens: and_then: the function returns a result; see transform for others");
  if (self.has_value()) return to(call_with_value(std::forward<Self>(self), std::forward<Next>(next)));
  return to(std::forward<Self>(self).error());
}
template <class Self, class Next>
auto transform(Self&& self, Next&& next) {
  using to = std::remove_cvref_t<decltype(call_with_value(std::forward<Self>(self), next))>;
  if (!self.has_value()) return result<to>(std::forward<Self>(self).error());
  if constexpr (std::is_void_v<to>) {
    call_with_value(std::forward<Self>(self), std::forward<Next>(next));
    return result<to>();
  } else {
    return result<to>(std::in_place, call_with_value(std::forward<Self>(self), std::forward<Next>(next)));
  }
}
template <class Self, class Next>
auto or_else(Self&& self, Next&& next) {
  using same = std::remove_cvref_t<Self>;
  using to = std::remove_cvref_t<decltype(call(next, std::forward<Self>(self).error()))>;
  static_assert(std::is_same_v<to, same>, "thriftlens: or_else: the function returns the same result type");
  if (self.has_value()) return same(std::forward<Self>(self));
  return same(call(std::forward<Next>(next), std::forward<Self>(self).error()));
}
template <class Self, class Next>
auto transform_error(Self&& self, Next&& next) {
  using same = std::remove_cvref_t<Self>;
  if (self.has_value()) return same(std::forward<Self>(self));
  return same(error(call(std::forward<Next>(next), std::forward<Self>(self).error())));
}
/// Base of results: monadic functions as in std::expected. `next` is called at most once, with an rvalue for
/// a temporary, else with a const reference; without a value for result<void>.
template <class Self>
class result_chains {
 public:
  /// The result that `next(value)` returns, or the error.
  template <class Next>
  auto and_then(Next&& next) const& {
    return detail::and_then(self(), std::forward<Next>(next));
  }
  template <class Next>
  auto and_then(Next&& next) && {
    return detail::and_then(moved(), std::forward<Next>(next));
  }
  /// A result of what `next(value)` returns (without its reference), or the error.
  template <class Next>
  auto transform(Next&& next) const& {
    return detail::transform(self(), std::forward<Next>(next));
  }
  template <class Next>
  auto transform(Next&& next) && {
    return detail::transform(moved(), std::forward<Next>(next));
  }
  /// The result itself if it has a value, else `next(error)`, a result of the same type.
  template <class Next>
  Self or_else(Next&& next) const& {
    return detail::or_else(self(), std::forward<Next>(next));
  }
  template <class Next>
  Self or_else(Next&& next) && {
    return detail::or_else(moved(), std::forward<Next>(next));
  }
  /// The result itself if it has a value, else the error that `next(error)` returns.
  template <class Next>
  Self transform_error(Next&& next) const& {
    return detail::transform_error(self(), std::forward<Next>(next));
  }
  template <class Next>
  Self transform_error(Next&& next) && {
    return detail::transform_error(moved(), std::forward<Next>(next));
  }
  /// The error, or the fallback if there is a value.
  [[nodiscard]] error error_or(error fallback) const {
    return self().has_value() ? std::move(fallback) : self().error();
  }

 private:
  [[nodiscard]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }
  [[nodiscard]] Self&& moved() noexcept { return static_cast<Self&&>(*this); }
};
}  // namespace detail

/// Holds a T or an error, like std::expected<T, error>. The error's code is never ok, which becomes
/// `internal`. For temporaries, value(), * and error() return by value: `for (auto& item : *try_list())` is
/// safe.
template <class T>
class [[nodiscard]] result : public detail::result_chains<result<T>> {
 public:
  using value_type = T;

  result(T value) : value_(std::move(value)), holds_(part::value) {}  // NOLINT: implicit on purpose
  result(class error reason)
      : error_(std::move(reason)), holds_(part::error) {  // NOLINT: implicit on purpose
    detail::require_code(error_);
  }
  /// Constructs the value in place from these arguments.
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

  /// The value; raises the error otherwise.
  [[nodiscard]] T& value() & { return require_value(), value_; }
  [[nodiscard]] const T& value() const& { return require_value(), value_; }
  [[nodiscard]] T value() && { return require_value(), std::move(value_); }
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
    THRIFTLENS_ASSERT_TEXT(has_value(), error_.what());
    return std::addressof(value_);
  }
  void require_value() const {
    if (!has_value()) detail::raise(thriftlens::error(error_));
  }

  // A std::variant would instantiate sixty functions per T.
  enum class part : unsigned char { nothing, value, error };

  void clear() noexcept {
    if (holds_ == part::value) {
      value_.~T();
    } else if (holds_ == part::error) {
      std::destroy_at(&error_);
    }
    holds_ = part::nothing;
  }
  // Empty before construction and after a constructor that throws.
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

/// Success without a value, or an error, whose code is never ok. Success is `return {}` and creates no error
/// object.
template <>
class [[nodiscard]] result<void> : public detail::result_chains<result<void>> {
 public:
  using value_type = void;

  result() noexcept {}  // NOLINT: a defaulted one would zero its memory first for {}
  /// A failure: an error of code ok becomes `internal`.
  result(class error reason) : error_(std::move(reason)) {  // NOLINT: implicit on purpose
    detail::require_code(*error_);
  }

  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }
  /// Raises the error, if any.
  void value() const {
    if (!has_value()) detail::raise(thriftlens::error(*error_));
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
static_assert(sizeof(result<void>) == 4 * sizeof(void*) && sizeof(result<void*>) == 4 * sizeof(void*),
              "an error fits beside one word");

/// Equal values or equal errors.
template <class T, class U>
  requires requires(const T& lhs, const U& rhs) { static_cast<bool>(lhs == rhs); }
[[nodiscard]] bool operator==(const result<T>& lhs, const result<U>& rhs) {
  if (lhs.has_value() != rhs.has_value()) return false;
  return lhs.has_value() ? static_cast<bool>(*lhs == *rhs) : lhs.error() == rhs.error();
}
[[nodiscard]] inline bool operator==(const result<void>& lhs, const result<void>& rhs) noexcept {
  if (lhs.has_value() != rhs.has_value()) return false;
  return lhs.has_value() || lhs.error() == rhs.error();
}
/// Has a value equal to this one.
template <class T, class U>
  requires(!detail::is_result<U> && requires(const T& lhs, const U& rhs) { static_cast<bool>(lhs == rhs); })
[[nodiscard]] bool operator==(const result<T>& lhs, const U& rhs) {
  return lhs.has_value() && static_cast<bool>(*lhs == rhs);
}
/// Has an error equal to this one.
template <class T>
[[nodiscard]] bool operator==(const result<T>& lhs, const error& rhs) noexcept {
  return !lhs.has_value() && lhs.error() == rhs;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
