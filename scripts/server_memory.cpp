// The Asio server that scripts/server_memory.py measures: server_memory OPTIONS; "few": at most 4
// connections.
#include <thriftlens/asio.hpp>

#include <asio/io_context.hpp>
#include <cstdio>
#include <cstring>
#include <string>

namespace tl = thriftlens;

constexpr const char* idl_text = R"(
struct Empty {}
service Load {
  i32 put(1: binary data),
  i32 many(1: list<Empty> items),
  i32 ping(),
  binary get(1: i32 size),
  i32 hold(1: binary data),
  oneway void tell(1: binary data)
})";

asio::awaitable<void> answer(auto& call) {
  const std::string_view name = call.function.name();
  const auto size_of = [&](std::string_view argument) {
    return static_cast<std::int32_t>(call.arguments[argument].template as<std::string_view>().size());
  };
  if (name == "put") call.reply(size_of("data"));
  if (name == "many") call.reply(static_cast<std::int32_t>(call.arguments["items"].size()));
  if (name == "ping") call.reply(std::int32_t{1});
  if (name == "get") call.reply(std::string(call.arguments["size"].template as<std::uint32_t>(), '\0'));
  if (name == "hold") {
    asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::minutes(5));
    co_await timer.async_wait(asio::use_awaitable);
    call.reply(std::int32_t{0});
  }
}

int main(int count, char** words) {
  const tl::schema idl = tl::schema::parse(idl_text);
  asio::io_context context;
  tl::asio::server_options options;
  if (count > 1 && std::strstr(words[1], "few") != nullptr) options.bounds.connections = 4;
  const auto handler = [](auto& call) { return answer(call); };
  tl::asio::server server(context.get_executor(), idl.service("Load"), handler, options);
  const tl::asio::endpoint at = server.listen(asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  std::puts(tl::asio::to_string(at).c_str());
  std::fflush(stdout);
  asio::co_spawn(context, server.run(), asio::detached);
  context.run();
}
