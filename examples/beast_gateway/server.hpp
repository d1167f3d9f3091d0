// server: the HTTP side of the gateway, on Boost.Beast. Requests have limits for size and time.
#pragma once

#include "request_head.hpp"
#include "upstream.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gateway {

using request = http::request<http::string_body>;
using response = http::response<http::string_body>;

/// What a client may cost.
struct server_options {
  std::uint32_t header_size = 32 << 10;  ///< of the request line and all headers: more is 431
  std::uint64_t body_size = 8 << 20;     ///< more is 413
  std::size_t connections = 1000;        ///< further ones are closed
  std::chrono::milliseconds timeout =
      std::chrono::seconds(30);  ///< of a head, a body, an answer; between them
};

[[nodiscard]] inline std::string_view std_view(beast::string_view text) { return {text.data(), text.size()}; }
/// A request as plans see it.
class request_parts {
 public:
  explicit request_parts(const request& of)
      : method_(std_view(of.method_string())), url_(std_view(of.target())) {
    for (const auto& field : of) headers_.push_back({std_view(field.name_string()), std_view(field.value())});
    body_ = of.body();
  }
  [[nodiscard]] std::string_view method() const noexcept { return method_; }
  [[nodiscard]] std::string_view path() const noexcept { return url_.substr(0, url_.find_first_of("?#")); }
  [[nodiscard]] tl::http_request with(const tl::http_match& match) {
    for (const auto& parameter : match.params) params_.push_back({parameter.name, parameter.value});
    return {.method = method_, .url = url_, .headers = headers_, .path_params = params_, .body = body_};
  }

 private:
  std::string_view method_, url_, body_;
  std::vector<tl::http_pair> headers_, params_;
};

/// Lives in one thread.
class server {
 public:
  server(const endpoints& what, upstream& behind, const server_options& how)
      : endpoints_(what), upstream_(behind), how_(how) {}

  /// Takes connections until stop().
  asio::awaitable<void> run(tcp::acceptor& from) {
    const auto on = co_await asio::this_coro::executor;
    while (from.is_open()) {
      error_code code;
      tcp::socket socket = co_await from.async_accept(awaiting(code));
      if (code && from.is_open()) co_await pause();  // no more file descriptors: wait before the next accept
      if (code || open_.size() >= how_.connections) continue;
      asio::co_spawn(on, serve(std::move(socket)), asio::detached);
    }
  }
  /// Connections end after the running request, idle ones immediately.
  void stop() {
    is_stopping_ = true;
    for (connection* open : open_)
      if (open->is_idle()) open->stream.cancel();
  }

 private:
  struct connection {
    explicit connection(tcp::socket&& socket) : stream(std::move(socket)) {}
    [[nodiscard]] bool is_idle() const { return parser && !parser->got_some() && in.size() == 0; }

    beast::tcp_stream stream;
    beast::flat_buffer in;
    std::optional<http::request_parser<http::string_body>> parser;
  };
  /// Knows of a connection while it lives.
  class registration {
   public:
    registration(std::set<connection*>& all, connection& one) : all_(all), one_(&one) { all_.insert(one_); }
    registration(const registration&) = delete;
    registration& operator=(const registration&) = delete;
    ~registration() { all_.erase(one_); }

   private:
    std::set<connection*>& all_;
    connection* one_;
  };

  static asio::awaitable<void> pause() {
    asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::milliseconds(50));
    co_await timer.async_wait(asio::use_awaitable);
  }

  asio::awaitable<void> serve(tcp::socket socket) {
    connection on(std::move(socket));
    const registration known(open_, on);
    error_code code;
    on.stream.socket().set_option(tcp::no_delay(true), code);
    bool keep_alive = true;
    while (keep_alive && !is_stopping_) {
      const std::string_view fault = co_await read(on, code);
      const unsigned refusal = status_of(code);
      if (code && refusal == 0) break;  // gone, or too slow
      answer result;
      if (code)
        result = refuse(problem_of(refusal, "bad_request", code.message()));
      else if (!fault.empty())
        result = refuse(problem_of(400, "bad_request", fault));
      else
        result = co_await answer_to(on.parser->get());
      keep_alive = !code && fault.empty() && on.parser->get().keep_alive() && !is_stopping_;
      co_await write(on, std::move(result), keep_alive, code);
      if (code) break;
    }
    co_await close(on.stream);
  }

  /// Reads a request. Returns the error of its head or trailers; empty if it is valid, or after an I/O error.
  asio::awaitable<std::string_view> read(connection& on, error_code& code) const {
    auto& parser = on.parser.emplace();
    parser.header_limit(how_.header_size);
    parser.body_limit(how_.body_size);
    on.stream.expires_after(how_.timeout);
    const std::size_t size = co_await read_head(on, code);
    // Beast joins folded lines.
    const bool is_folded = has_folded_line({static_cast<const char*>(on.in.data().data()), size});
    if (!code) co_await http::async_read_header(on.stream, on.in, parser, awaiting(code));
    if (code) co_return "";
    if (is_folded) co_return "folded header lines are not supported";
    const request& head = parser.get();
    if (const std::string_view fault = find_fault(head); !fault.empty()) co_return fault;
    const auto fields = std::distance(head.begin(), head.end());
    const bool expects_continue = beast::iequals(head[http::field::expect], "100-continue");
    if (expects_continue && head.version() >= 11 && !parser.is_done()) {
      http::response<http::empty_body> go_on(http::status::continue_, 11);
      co_await http::async_write(on.stream, go_on, awaiting(code));
      if (code) co_return "";
    }
    on.stream.expires_after(how_.timeout);
    co_await http::async_read(on.stream, on.in, parser, awaiting(code));
    // Beast adds trailers to the headers, which a proxy in front has not checked.
    if (!code && std::distance(head.begin(), head.end()) != fields) co_return "trailers are not supported";
    co_return "";
  }
  /// Reads until the end of a head is in the buffer, and returns its size.
  asio::awaitable<std::size_t> read_head(connection& on, error_code& code) const {
    constexpr std::string_view end = "\r\n\r\n";
    code = {};
    for (std::size_t searched = 0;;) {
      const std::string_view bytes(static_cast<const char*>(on.in.data().data()), on.in.size());
      const std::size_t at = bytes.find(end, searched);
      if (at != std::string_view::npos) co_return at + end.size();
      searched = bytes.size() < end.size() ? 0 : bytes.size() - end.size() + 1;
      if (bytes.size() > how_.header_size) code = http::error::header_limit;
      if (!code) on.in.commit(co_await on.stream.async_read_some(on.in.prepare(4096), awaiting(code)));
      if (code) co_return 0;
    }
  }
  /// The status of an invalid request; 0 if no response can be sent.
  [[nodiscard]] static unsigned status_of(const error_code& code) {
    if (code == http::error::header_limit || code == http::error::buffer_overflow) return 431;
    if (code == http::error::body_limit) return 413;
    if (code == http::error::end_of_stream || code == http::error::partial_message) return 0;
    return code.category() == http::make_error_code(http::error::bad_method).category() ? 400 : 0;
  }

  asio::awaitable<answer> answer_to(const request& from) {
    request_parts parts(from);
    const tl::http_match match = endpoints_.find(parts.method(), parts.path());
    if (!match.is_match) co_return not_found(match);
    if (is_compressed(from))
      co_return refuse(problem_of(415, "content_encoding", "the body is compressed; none that is is read"));
    const endpoint& to = endpoints_[match.target];
    const auto arguments = to.arguments(parts.with(match));
    if (!arguments) {
      const bool is_large = arguments.error().code() == tl::errc::size_limit;
      co_return refuse(problem_of(is_large ? 413 : 400, arguments.error()));
    }
    const call_result reply = co_await upstream_.call(to.function(), *arguments);
    if (reply.reason) co_return refuse(*reply.reason);
    if (to.function().oneway()) co_return answer{202};
    tl::result<answer> result = to.answer_to(reply.kind, reply.body);
    if (!result) co_return refuse(problem_of(502, result.error()));
    co_return *std::move(result);
  }
  [[nodiscard]] static bool is_compressed(const request& from) {
    const beast::string_view coding = from[http::field::content_encoding];
    return !from.body().empty() && !coding.empty() && !beast::iequals(coding, "identity");
  }
  [[nodiscard]] static answer not_found(const tl::http_match& match) {
    if (match.allowed.empty()) return refuse(problem_of(404, "not_found", "no route has that path"));
    answer rejection = refuse(problem_of(405, "method_not_allowed", "the path has routes for other methods"));
    std::string all;
    for (const std::string& method : match.allowed) all += (all.empty() ? "" : ", ") + method;
    rejection.headers.push_back({"Allow", all});
    return rejection;
  }

  asio::awaitable<void> write(connection& on, answer from, bool keep_alive, error_code& code) const {
    response out(static_cast<http::status>(from.status), 11);
    for (const auto& header : from.headers)
      header.name == "Set-Cookie" ? out.insert(header.name, header.value)
                                  : out.set(header.name, header.value);
    const bool has_body = from.status >= 200 && from.status != 204 && from.status != 304;
    if (has_body) out.body() = std::move(from.body);
    out.keep_alive(keep_alive);
    out.prepare_payload();  // as keep_alive(): transfer headers are set here
    if (on.parser->get().method() == http::verb::head) out.body().clear();
    on.stream.expires_after(how_.timeout);
    co_await http::async_write(on.stream, out, awaiting(code));
  }
  // What a client still sends is read for a while: a reset would take the answer away from it.
  static asio::awaitable<void> close(beast::tcp_stream& stream) {
    error_code code;
    std::array<char, 16384> dropped;
    stream.socket().shutdown(tcp::socket::shutdown_send, code);
    stream.expires_after(std::chrono::seconds(1));
    while (!code) co_await stream.async_read_some(asio::buffer(dropped), awaiting(code));
  }

  const endpoints& endpoints_;
  upstream& upstream_;
  server_options how_;
  std::set<connection*> open_;  // registered while they live
  bool is_stopping_ = false;
};

}  // namespace gateway
