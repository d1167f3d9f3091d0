// net: includes standalone Asio or Boost.Asio.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/joined.hpp>

#if defined(THRIFTLENS_BOOST_ASIO)
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#else
#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/buffer.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/generic/stream_protocol.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/strand.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#if !defined(ASIO_HAS_CO_AWAIT)
#error \
    "thriftlens: Asio has no coroutine support; clang needs -DASIO_HAS_CO_AWAIT=1 -DASIO_HAS_STD_COROUTINE=1"
#endif
#endif

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::asio {

#if defined(THRIFTLENS_BOOST_ASIO)
namespace net = ::boost::asio;
using error_code = ::boost::system::error_code;
#else
namespace net = ::asio;
using error_code = ::asio::error_code;
#endif

/// The address of a peer; endpoints of TCP and of Unix sockets convert to it.
using endpoint = net::generic::stream_protocol::endpoint;

/// Converts a generic endpoint to one of a protocol.
template <class Endpoint>
[[nodiscard]] Endpoint endpoint_cast(const endpoint& from) {
  Endpoint to;
  const std::size_t size = (std::min)(from.size(), to.capacity());
  std::memcpy(to.data(), from.data(), size);
  to.resize(size);
  return to;
}
/// An endpoint in the form that client::connect() accepts: "127.0.0.1:9090", "[::1]:9090" or "unix:/path".
[[nodiscard]] inline std::string to_string(const endpoint& of) {
  if (of.protocol().family() == AF_UNIX)
    return detail::joined({"unix:", endpoint_cast<net::local::stream_protocol::endpoint>(of).path()});
  const auto tcp = endpoint_cast<net::ip::tcp::endpoint>(of);
  const bool is_v6 = tcp.address().is_v6();
  return detail::joined(
      {is_v6 ? "[" : "", tcp.address().to_string(), is_v6 ? "]:" : ":", std::size_t{tcp.port()}});
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::asio
