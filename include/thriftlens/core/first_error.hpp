// first_error: stores the first error of an object, including use after move, for later calls.
#pragma once

#include <thriftlens/core/error.hpp>

#include <optional>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The error of calls on a moved-from object.
[[nodiscard]] inline const error& moved_from_error() {
  static const error moved_from(errc::bad_option, "used after it was moved from");
  return moved_from;
}

/// Like std::optional<error>, but a moved-from object holds moved_from_error().
class first_error {
 public:
  first_error() noexcept = default;
  first_error(const first_error&) = default;
  first_error& operator=(const first_error&) = default;
  first_error(first_error&& other) noexcept : error_(std::move(other.error_)) {
    other.error_ = moved_from_error();
  }
  first_error& operator=(first_error&& other) noexcept {
    if (this == &other) return *this;
    error_ = std::move(other.error_);
    other.error_ = moved_from_error();
    return *this;
  }
  first_error& operator=(error reason) noexcept {
    error_ = std::move(reason);
    return *this;
  }
  first_error& operator=(std::optional<error> reason) noexcept {
    error_ = std::move(reason);
    return *this;
  }
  ~first_error() = default;

  [[nodiscard]] explicit operator bool() const noexcept { return error_.has_value(); }
  [[nodiscard]] const error& operator*() const noexcept { return *error_; }
  void reset() noexcept { error_.reset(); }

 private:
  std::optional<error> error_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
