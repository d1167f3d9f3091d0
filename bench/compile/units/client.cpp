// An HTTP request becomes a call over a socket, its reply an HTTP response.
#include <thriftlens/asio.hpp>
#include <thriftlens/http.hpp>

namespace tl = thriftlens;

asio::awaitable<tl::http_response> answer(tl::function_info function, tl::http_request request) {
  const tl::http_plan plan = tl::http_plan::compile(function);
  const tl::buffer arguments = plan.request<tl::binary>(request);
  auto client = co_await tl::asio::client<tl::binary>::connect("localhost:9090");
  const auto reply = co_await client.call(function, tl::wire_bytes{arguments});
  co_return plan.try_response<tl::binary>(reply.value.bytes()).value();
}
