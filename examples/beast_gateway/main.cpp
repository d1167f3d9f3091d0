// A gateway on Boost.Beast: HTTP requests become calls of a Thrift server, by the annotations of an IDL that
// is parsed at start. There is no generated code and no tree between the bytes and the JSON. SIGTERM and
// SIGINT end it after the running requests, a second signal immediately. It uses one thread.
#include "server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using namespace gateway;

constexpr const char* usage = R"(usage: beast_gateway IDL UPSTREAM LISTEN [--OPTION VALUE …]

UPSTREAM and LISTEN are HOST:PORT, or a port of this machine; LISTEN 0 is a free port, which is printed.
  --transport       framed or buffered, what the upstream speaks; a wrong word is answered by 502 [framed]
  --timeout         seconds that a call may take [5]
  --client-timeout  seconds for a head, a body, an answer, and between requests [30]
  --header-size     bytes of a request line with its headers [32768]
  --body-size       bytes of a body [8388608])";

struct settings {
  std::string idl;
  std::string upstream;
  std::string listen;
  upstream_options behind;
  server_options in_front;
};

/// "host:port", "[::1]:port" or a port of this machine.
tcp::resolver::results_type look_up(asio::io_context& context, const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::string host = colon == std::string::npos ? "127.0.0.1" : address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return tcp::resolver(context).resolve(host, address.substr(colon + 1));
}

std::chrono::milliseconds seconds(const std::string& text) {
  return std::chrono::milliseconds(std::llround(std::stod(text) * 1000));
}

void set(settings& to, std::string_view option, const std::string& value) {
  if (option == "--transport" && (value == "framed" || value == "buffered"))
    to.behind.transport = value == "framed" ? tl::transport_id::framed : tl::transport_id::buffered;
  else if (option == "--timeout")
    to.behind.timeout = seconds(value);
  else if (option == "--client-timeout")
    to.in_front.timeout = seconds(value);
  else if (option == "--header-size")
    to.in_front.header_size = static_cast<std::uint32_t>(std::stoul(value));
  else if (option == "--body-size")
    to.in_front.body_size = std::stoull(value);
  else
    throw std::invalid_argument(usage);
}

settings parse(int count, char** words) {
  if (count < 4 || count % 2 != 0) throw std::invalid_argument(usage);
  settings result{words[1], words[2], words[3], {}, {}};
  for (int i = 4; i < count; i += 2) set(result, words[i], words[i + 1]);
  return result;
}

void run(settings how) {
  const tl::schema schema = tl::schema::load(how.idl);
  tl::http_options options;
  options.bounds.body_size = how.in_front.body_size;
  const endpoints table = endpoints::make(schema, options).value();
  if (table.routes() == 0) throw std::invalid_argument(how.idl + " has no routes, as api.get makes them");

  asio::io_context context(1);
  how.behind.name = how.upstream;
  how.behind.at = look_up(context, how.upstream);
  upstream behind(how.behind);
  server in_front(table, behind, how.in_front);
  tcp::acceptor acceptor(context, *look_up(context, how.listen).begin());
  asio::signal_set signals(context, SIGTERM, SIGINT);
  signals.async_wait([&](const error_code& code, int) {
    if (code) return;
    signals.clear();  // the next one ends the program
    acceptor.close();
    in_front.stop();
  });
  asio::co_spawn(context, in_front.run(acceptor), asio::detached);
  const tcp::endpoint at = acceptor.local_endpoint();
  std::printf("serving %zu routes on %s:%u\n", table.routes(), at.address().to_string().c_str(), at.port());
  std::fflush(stdout);
  context.run();
}

}  // namespace

int main(int count, char** words) {
  try {
    run(parse(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
