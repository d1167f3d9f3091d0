// first_error: keeps the first error of an object, also that it was moved from, for all later calls.
#pragma once

#include <thriftlens/core/error.hpp>

#include <optional>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The error of every call on an object that was moved from.
[[nodiscard]] inline const error& moved_from_error() {
  static const error why(errc::bad_option, "used after it was moved from");
  return why;
}

/// Like std::optional<error>, but what is moved from holds moved_from_error().
class first_error {
 public:
  first_error() noexcept = default;
  first_error(const first_error&) = default;
  first_error& operator=(const first_error&) = default;
  first_error(first_error&& other) noexcept : why_(std::move(other.why_)) { other.why_ = moved_from_error(); }
  first_error& operator=(first_error&& other) noexcept {
    if (this == &other) return *this;
    why_ = std::move(other.why_);
    other.why_ = moved_from_error();
    return *this;
  }
  first_error& operator=(error why) noexcept {
    why_ = std::move(why);
    return *this;
  }
  first_error& operator=(std::optional<error> why) noexcept {
    why_ = std::move(why);
    return *this;
  }
  ~first_error() = default;

  [[nodiscard]] explicit operator bool() const noexcept { return why_.has_value(); }
  [[nodiscard]] const error& operator*() const noexcept { return *why_; }
  void reset() noexcept { why_.reset(); }

 private:
  std::optional<error> why_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
