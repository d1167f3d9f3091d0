// cause: why a connection failed, of errors that have the code io.
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

/// What stands behind an error whose code is io.
enum class cause : std::uint8_t {
  other,       ///< not of this room, or with a code that says all
  timeout,     ///< the options' time ran out; the connection lives
  closed,      ///< the connection is gone, or was never there
  cancelled,   ///< the caller cancelled what it waited for; the connection lives
  unreachable  ///< there is no connection to that address
};

}  // namespace asio

namespace detail {

inline constexpr std::string_view cause_names[] = {"other", "timeout", "closed", "cancelled", "unreachable"};

/// An error of that cause: "timeout: no reply to price".
[[nodiscard]] inline error io_error(asio::cause why, std::string_view words) {
  return error(errc::io, joined({cause_names[static_cast<std::size_t>(why)], ": ", words}));
}

}  // namespace detail

namespace asio {

/// "other", "timeout", "closed", "cancelled", "unreachable".
[[nodiscard]] constexpr std::string_view to_string(cause which) noexcept {
  return thriftlens::detail::cause_names[static_cast<std::size_t>(which)];
}

/// The cause of an error that a call of this room returned. O(1).
[[nodiscard]] inline cause cause_of(const error& why) noexcept {
  if (why.code() != errc::io) return cause::other;
  for (const cause each : {cause::timeout, cause::closed, cause::cancelled, cause::unreachable}) {
    const std::string_view name = to_string(each), words = why.detail();
    if (words.starts_with(name) && words.substr(name.size()).starts_with(": ")) return each;
  }
  return cause::other;
}

}  // namespace asio

template <>
inline constexpr bool detail::is_printed<asio::cause> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI
