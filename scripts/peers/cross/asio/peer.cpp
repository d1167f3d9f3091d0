// The Asio client and server of thriftlens: peer server|client PORT TRANSPORT PROTOCOL IDL.
#include <thriftlens/asio.hpp>
#include <thriftlens/codec.hpp>

#include <asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace tl = thriftlens;

struct point {
  std::int32_t x = 0, y = 0;
  std::optional<std::string> label;
  bool operator==(const point&) const = default;
};
struct value {
  bool yes = true;
  std::int8_t tiny = -3;
  std::int16_t small = 300;
  std::int32_t number = -70000;
  std::int64_t large = std::int64_t{1} << 40;
  double real = 1.5;
  std::string text = "größer", raw = std::string("\0\xff", 2);
  std::int32_t colour = 4;
  std::vector<point> points = {{1, 2, {}}, {3, 4, "p"}};
  std::set<std::int32_t> numbers = {1, 2, 3};
  std::map<std::string, point> by_name = {{"a", {}}};
  std::optional<std::string> absent;
  bool operator==(const value&) const = default;
};
struct echo_arguments {
  ::value value;
};
struct text_argument {
  std::string text;
};
struct add_arguments {
  std::int64_t a = 2, b = 40;
};
struct refuse_arguments {
  std::string reason = "no";
  std::int32_t code = 7;
};

template <>
struct tl::binding<point> : tl::numbered {};
template <>
struct tl::binding<value> : tl::numbered {};
template <>
struct tl::binding<echo_arguments> : tl::numbered {};
template <>
struct tl::binding<text_argument> : tl::numbered {};
template <>
struct tl::binding<add_arguments> : tl::numbered {};
template <>
struct tl::binding<refuse_arguments> : tl::numbered {};

namespace {

asio::awaitable<void> answer(auto& call) {
  const std::string_view name = call.function.name();
  const auto text = [&] { return std::string(call.arguments["reason"].template as<std::string_view>()); };
  if (name == "echo") call.reply(call.arguments["value"]);
  if (name == "hello")
    call.reply("hello " + std::string(call.arguments["name"].template as<std::string_view>()));
  if (name == "crash") call.refuse(text());
  if (name == "nothing") call.reply();
  if (name == "add")
    call.reply(call.arguments["a"].template as<std::int64_t>() +
               call.arguments["b"].template as<std::int64_t>());
  if (name == "refuse")
    call.raise("refused", refuse_arguments{text(), call.arguments["code"].template as<std::int32_t>()});
  co_return;
}

void check(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("wrong: ") + what);
}

template <class P>
asio::awaitable<void> call(tl::service_info full, std::string address, tl::asio::client_options options) {
  auto client = co_await tl::asio::client<P>::connect(address, options);
  const auto function = [&](std::string_view name) { return full.function(name); };
  const text_argument zoe{"Zoe"}, why{"why"}, again{"again"};
  const echo_arguments sample;
  const auto echoed = co_await client.call(function("echo"), sample);
  check(tl::decode<value>(echoed.value) == sample.value, "echo");
  const auto hello = co_await client.call(function("hello"), zoe);
  check(hello.value.template as<std::string_view>() == "hello Zoe", "hello");
  const auto crash = co_await client.call(function("crash"), why);
  check(
      crash.kind == tl::reply_kind::application && crash.refusal.message.find("why") != std::string::npos,
      "crash");
  co_await client.call(function("note"), zoe);
  const auto after = co_await client.call(function("hello"), again);
  check(after.value.template as<std::string_view>() == "hello again", "hello after oneway");
  const auto nothing = co_await client.call(function("nothing"), tl::no_value{});
  check(nothing && nothing.is_void(), "nothing");
  const add_arguments numbers;
  const auto sum = co_await client.call(function("add"), numbers);
  check(sum.value.template as<std::int64_t>() == 42, "add");
  const refuse_arguments no;
  const auto refused = co_await client.call(function("refuse"), no);
  check(refused.kind == tl::reply_kind::declared && refused.thrown.name() == "refused", "refuse");
  check(refused.value["reason"].template as<std::string_view>() == "no", "reason of refuse");
  check(refused.value["code"].template as<std::int32_t>() == 7, "code of refuse");
}

void run(const std::string& role, unsigned short port, const std::string& transport, bool is_compact,
         const char* idl_file) {
  const tl::schema idl = tl::schema::load(idl_file);
  const tl::service_info full = idl.service("Full");
  const tl::transport_id spoken = transport == "framed"   ? tl::transport_id::framed
                                  : transport == "header" ? tl::transport_id::header
                                                          : tl::transport_id::buffered;
  asio::io_context context;
  std::exception_ptr fault;
  const auto store_fault = [&](std::exception_ptr exception) { fault = std::move(exception); };
  if (role == "server") {
    tl::asio::server server(
        context.get_executor(), full, [](auto& call) { return answer(call); },
        {.transport = spoken,
         .protocol = is_compact ? tl::message_protocol::compact : tl::message_protocol::binary});
    server.listen(asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), port));
    asio::co_spawn(context, server.run(), store_fault);
    context.run();
  } else {
    tl::asio::client_options options{.transport = spoken};
    if (transport == "multiplexed") options.service = "Full";
    const std::string address = "127.0.0.1:" + std::to_string(port);
    asio::co_spawn(
        context,
        is_compact ? call<tl::compact>(full, address, options) : call<tl::binary>(full, address, options),
        store_fault);
    context.run();
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count != 6) throw std::runtime_error("usage: peer server|client PORT TRANSPORT PROTOCOL IDL");
    run(words[1], static_cast<unsigned short>(std::atoi(words[2])), words[3],
        words[4] == std::string("compact"), words[5]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
