// A consumer's program: a server and a client in one context.
#include <thriftlens/asio.hpp>

#include <asio/io_context.hpp>

namespace tl = thriftlens;

int main() {
  const tl::schema idl = tl::schema::parse("service Shop { double price(1: string sku) }");
  const tl::function_info price = idl.service("Shop").function("price");
  const auto handler = [](auto& call) -> asio::awaitable<void> {
    call.reply(9.5);
    co_return;
  };
  asio::io_context context;
  tl::asio::server server(context.get_executor(), idl.service("Shop"), handler);
  const tl::asio::endpoint at = server.listen(asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  double found = 0;
  asio::co_spawn(context, server.run(), asio::detached);
  asio::co_spawn(
      context,
      [&]() -> asio::awaitable<void> {
        auto client = co_await tl::asio::client<>::connect_to(at);
        const auto reply =
            co_await client.call(price, tl::wire_bytes{tl::byte_view(std::string_view("\0", 1))});
        found = reply.value.template as<double>();
        server.stop();
      },
      asio::detached);
  context.run();
  return found > 9 && found < 10 ? 0 : 1;
}
