// Calls of Small over loopback with 64 connections: our client and Apache's generated one, both against
// TNonblockingServer and against our server. Answers are compared first; contestants alternate. Prints calls
// per second, and times in microseconds.
#include "Echo.h"
#include "cpu_time.hpp"

#include <thriftlens/asio.hpp>
#include <thriftlens/codec.hpp>

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TNonblockingServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TNonblockingServerSocket.h>
#include <thrift/transport/TSocket.h>
#include <asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <latch>
#include <string>
#include <thread>
#include <vector>

namespace tl = thriftlens;
using namespace apache::thrift;
using thriftlens_bench::EchoClient;
using thriftlens_bench::EchoIf;
using thriftlens_bench::EchoProcessor;
using thriftlens_bench::Small;
using clock_type = std::chrono::steady_clock;

// Ours, bound once: the client encodes and decodes as Apache's does.
struct own_small {
  std::int8_t byte_field = 0;
  std::int64_t i64_field = 0;
  double double_field = 0;
  std::int32_t i32_field = 0;
  std::string string_field;
  std::string binary_field;
};
struct own_arguments {
  own_small value;
};
template <>
struct thriftlens::binding<own_small>
    : thriftlens::fields<
          thriftlens::field<1, &own_small::byte_field>, thriftlens::field<2, &own_small::i64_field>,
          thriftlens::field<3, &own_small::double_field>, thriftlens::field<4, &own_small::i32_field>,
          thriftlens::field<5, &own_small::string_field>, thriftlens::field<6, &own_small::binary_field>> {};
template <>
struct thriftlens::binding<own_arguments> : thriftlens::fields<thriftlens::field<1, &own_arguments::value>> {
};

namespace {

constexpr int connections = 64, warm = 20;
const int calls = bench::runs_once() ? 10 : 300, rounds = bench::runs_once() ? 1 : 7;
const std::string text = "a text of thirty-two characters.", bytes(32, '\x07');

struct figures {
  double per_second = 0, p50 = 0, p99 = 0;
};
figures figures_of(std::vector<double>& times, clock_type::duration elapsed) {
  std::sort(times.begin(), times.end());
  const double seconds = std::chrono::duration<double>(elapsed).count();
  return {static_cast<double>(times.size()) / seconds, times[times.size() / 2],
          times[times.size() * 99 / 100]};
}
double micros(clock_type::time_point since) {
  return std::chrono::duration<double, std::micro>(clock_type::now() - since).count();
}
void require(bool is_same) {
  if (is_same) return;
  std::fputs("an answer differs from what was sent\n", stderr);
  std::exit(1);
}

// One thread per connection, as in Apache's generated client.
figures run_apache(int port) {
  std::vector<std::vector<double>> times(connections);
  std::vector<std::thread> threads;
  std::latch ready(connections + 1);
  for (auto& mine : times) {
    threads.emplace_back([&mine, &ready, port] {
      const auto socket = std::make_shared<transport::TSocket>("127.0.0.1", port);
      EchoClient client(
          std::make_shared<protocol::TBinaryProtocol>(std::make_shared<transport::TFramedTransport>(socket)));
      socket->open();
      Small sent, got;
      sent.ByteField = 7;
      sent.I64Field = 1LL << 40;
      sent.DoubleField = 0.5;
      sent.I32Field = 1 << 20;
      sent.StringField = text;
      sent.BinaryField = bytes;
      for (int i = 0; i < warm; ++i) client.echo(got, sent);
      require(got == sent);
      ready.arrive_and_wait();
      for (int i = 0; i < calls; ++i) {
        const auto since = clock_type::now();
        client.echo(got, sent);
        mine.push_back(micros(since));
      }
    });
  }
  ready.arrive_and_wait();
  const auto begin = clock_type::now();
  for (std::thread& thread : threads) thread.join();
  const auto elapsed = clock_type::now() - begin;
  std::vector<double> joined;
  for (const auto& samples : times) joined.insert(joined.end(), samples.begin(), samples.end());
  return figures_of(joined, elapsed);
}

own_small own_value() { return {7, 1LL << 40, 0.5, 1 << 20, text, bytes}; }

asio::awaitable<void> call_own(tl::function_info echo, int count, std::vector<double>* times,
                               tl::asio::client<>& client) {
  const own_arguments sent{own_value()};
  for (int i = 0; i < count; ++i) {
    const auto since = clock_type::now();
    const auto reply = co_await client.call(echo, sent);
    const own_small got = tl::decode<own_small, tl::binary>(reply.value.bytes());
    if (times != nullptr) times->push_back(micros(since));
    require(got.string_field == text && got.binary_field == bytes && got.i64_field == sent.value.i64_field);
  }
}
// All connections in one thread.
figures run_own(tl::function_info echo, int port) {
  asio::io_context context(1);
  std::vector<tl::asio::client<>> clients;
  const auto connect = [&]() -> asio::awaitable<void> {
    for (int i = 0; i < connections; ++i)
      clients.push_back(co_await tl::asio::client<>::connect("127.0.0.1:" + std::to_string(port)));
  };
  asio::co_spawn(context, connect(), asio::detached);
  while (clients.size() != connections) context.run_one();
  std::vector<double> times;
  const auto round = [&](int count, std::vector<double>* to) {
    int running = connections;
    for (auto& client : clients)
      asio::co_spawn(context, call_own(echo, count, to, client), [&](const std::exception_ptr& error) {
        --running;
        require(error == nullptr);
      });
    while (running != 0) context.run_one();
  };
  round(warm, nullptr);
  const auto begin = clock_type::now();
  round(calls, &times);
  const auto elapsed = clock_type::now() - begin;
  require(times.size() == std::size_t{connections} * static_cast<std::size_t>(calls));
  clients.clear();
  context.poll();
  return figures_of(times, elapsed);
}

struct echo_handler : EchoIf {
  void echo(Small& to, const Small& value) override { to = value; }
};
struct announcer : server::TServerEventHandler {
  std::promise<void> listens;
  void preServe() override { listens.set_value(); }
};

void print(const char* server, const char* client, std::vector<figures>& of) {
  const auto median = [&](auto figure) {
    std::nth_element(of.begin(), of.begin() + rounds / 2, of.end(),
                     [&](const figures& a, const figures& b) { return a.*figure < b.*figure; });
    return of[rounds / 2].*figure;
  };
  std::printf("%-20s %-12s %9.0f calls/s   p50 %7.0f us   p99 %7.0f us\n", server, client,
              median(&figures::per_second), median(&figures::p50), median(&figures::p99));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s bench/asio/echo.thrift\n", arguments[0]);
    return 2;
  }
  const tl::schema idl = tl::schema::load(arguments[1]);
  const tl::function_info echo = idl.service("Echo").function("echo");
  GlobalOutput.setOutputFunction([](const char*) {});

  const auto socket = std::make_shared<transport::TNonblockingServerSocket>("127.0.0.1", 0);
  server::TNonblockingServer theirs(std::make_shared<EchoProcessor>(std::make_shared<echo_handler>()),
                                    std::make_shared<protocol::TBinaryProtocolFactory>(), socket);
  const auto events = std::make_shared<announcer>();
  theirs.setServerEventHandler(events);
  std::thread their_loop([&] { theirs.serve(); });
  events->listens.get_future().wait();
  const int their_port = socket->getListenPort();

  asio::io_context context(1);
  const auto handler = [](auto& call) -> asio::awaitable<void> {
    call.reply(call.arguments["value"]);
    co_return;
  };
  tl::asio::server ours(context.get_executor(), idl.service("Echo"), handler);
  const tl::asio::endpoint at = ours.listen(asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  asio::ip::tcp::endpoint tcp;
  std::copy_n(static_cast<const char*>(static_cast<const void*>(at.data())), at.size(),
              static_cast<char*>(static_cast<void*>(tcp.data())));
  asio::co_spawn(context, ours.run(), asio::detached);
  std::thread our_loop([&] { context.run(); });

  std::vector<figures> apache_theirs, own_theirs, apache_ours, own_ours;
  for (int i = 0; i < rounds; ++i) {
    apache_theirs.push_back(run_apache(their_port));
    own_theirs.push_back(run_own(echo, their_port));
    apache_ours.push_back(run_apache(tcp.port()));
    own_ours.push_back(run_own(echo, tcp.port()));
  }
  ours.stop();
  our_loop.join();
  theirs.stop();
  their_loop.join();
  print("TNonblockingServer", "Apache", apache_theirs);
  print("TNonblockingServer", "thriftlens", own_theirs);
  print("thriftlens::asio", "Apache", apache_ours);
  print("thriftlens::asio", "thriftlens", own_ours);
}
