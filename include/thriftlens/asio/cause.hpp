// cause: causes of errors with the code io.
#pragma once

#include <thriftlens/asio/net.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/joined.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace asio {

/// Cause of an error with the code io.
enum class cause : std::uint8_t {
  other,       ///< not an error of this module, or another code
  timeout,     ///< the timeout expired; the connection stays open
  closed,      ///< the connection is closed
  cancelled,   ///< the caller cancelled the operation; the connection stays open
  unreachable  ///< the address cannot be reached
};

}  // namespace asio

namespace detail {

inline constexpr std::string_view cause_names[] = {"other", "timeout", "closed", "cancelled", "unreachable"};

/// An error with a cause: "timeout: no reply to price".
[[nodiscard]] inline error io_error(asio::cause cause, std::string_view text) {
  return error(errc::io, joined({cause_names[static_cast<std::size_t>(cause)], ": ", text}));
}

}  // namespace detail

namespace asio {

/// "other", "timeout", "closed", "cancelled", "unreachable".
[[nodiscard]] constexpr std::string_view to_string(cause which) noexcept {
  return thriftlens::detail::cause_names[static_cast<std::size_t>(which)];
}

/// The cause of an error returned by this module. O(1).
[[nodiscard]] inline cause cause_of(const error& reason) noexcept {
  if (reason.code() != errc::io) return cause::other;
  for (const cause candidate : {cause::timeout, cause::closed, cause::cancelled, cause::unreachable}) {
    const std::string_view name = to_string(candidate), text = reason.detail();
    if (text.starts_with(name) && text.substr(name.size()).starts_with(": ")) return candidate;
  }
  return cause::other;
}

}  // namespace asio

template <>
inline constexpr bool detail::is_printed<asio::cause> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI
