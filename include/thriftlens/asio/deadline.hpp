// deadline: the end of a timeout.
#pragma once

#include <thriftlens/asio/net.hpp>

#include <chrono>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

using deadline = asio::net::steady_timer::time_point;

/// The end of a timeout that starts now; 0 means never.
[[nodiscard]] inline deadline deadline_after(std::chrono::milliseconds timeout) {
  using clock = asio::net::steady_timer::clock_type;
  return timeout.count() > 0 ? clock::now() + timeout : (deadline::max)();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
