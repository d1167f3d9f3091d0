// endpoints: the routes of an IDL, each with the plan of its function. Opens no socket, so it can be used
// with another HTTP server.
#pragma once

#include "problem.hpp"

#include <thriftlens/http.hpp>
#include <thriftlens/rpc.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gateway {

/// What is spoken with the upstream; or tl::compact.
using wire = tl::binary;

/// A response without the headers that describe its transfer.
struct answer {
  unsigned status = 200;
  std::vector<tl::http_response::pair> headers = {};
  std::string body = {};
};

[[nodiscard]] inline answer refuse(const problem& reason) {
  return {
      static_cast<unsigned>(reason.status), {{"Content-Type", "application/problem+json"}}, to_json(reason)};
}

/// A function and its plan.
class endpoint {
 public:
  endpoint(tl::function_info function, tl::http_plan plan) : function_(function), plan_(std::move(plan)) {}

  [[nodiscard]] const tl::function_info& function() const noexcept { return function_; }
  /// The struct of the arguments. Errors: those of the request: a body or a parameter that does not fit.
  [[nodiscard]] tl::result<tl::buffer> arguments(const tl::http_request& from) const {
    return plan_.try_request<wire>(from);
  }
  /// Converts a reply to a response. Errors: an invalid reply.
  [[nodiscard]] tl::result<answer> answer_to(tl::message_type kind, tl::byte_view body) const {
    const auto reply = tl::try_open_reply<wire>(function_, kind, body);
    if (!reply) return reply.error();
    if (reply->kind == tl::reply_kind::application) return refused(reply->refusal);
    if (!*reply) return thrown(*reply);
    return returned(*reply);
  }

 private:
  [[nodiscard]] tl::result<answer> returned(const tl::reply<wire>& reply) const {
    const tl::type type = function_.returns();
    if (type.kind() == tl::type_kind::void_) return answer{204};
    const auto bytes = reply.value.try_bytes();
    if (!bytes) return bytes.error();
    if (type.is_struct()) {
      auto response = plan_.try_response<wire>(*bytes);
      if (!response) return response.error();
      return shaped(*std::move(response), 200);
    }
    const auto json = tl::try_to_json<wire>(type, *bytes);
    if (!json) return json.error();
    return answer{200, {{"Content-Type", "application/json"}}, json->str()};
  }
  // A declared exception: with the status of its annotations, else 500 with its fields.
  [[nodiscard]] tl::result<answer> thrown(const tl::reply<wire>& reply) const {
    const auto bytes = reply.value.try_bytes();
    if (!bytes) return bytes.error();
    const tl::type type = reply.thrown.type();
    auto response = plan_.try_response<wire>(*bytes, type);
    if (!response) return response.error();
    const unsigned status = status_of(type);
    if (response->status != 0 || response->is_raw || status != 0)
      return shaped(*std::move(response), status != 0 ? status : 500);
    problem reason = problem_of(500, "exception", std::string(function_.name()) + " raised " + type.name());
    reason.exception = type.name();
    std::string text = to_json(reason);
    text.back() = ',';
    text.append(R"("fields":)").append(response->body).append("}");
    response->body = tl::buffer(tl::byte_view(text));
    response->headers.push_back({"Content-Type", "application/problem+json"});
    return shaped(*std::move(response), 500);
  }
  [[nodiscard]] static answer refused(const tl::application_exception& exception) {
    return refuse(problem_of(502, tl::to_string(exception.code), exception.message));
  }
  // The response of a plan; `status` if no field sets one.
  [[nodiscard]] static tl::result<answer> shaped(tl::http_response response, unsigned status) {
    if (response.status != 0) status = static_cast<unsigned>(response.status);
    if (status >= 100 && status < 200)
      return tl::error(tl::errc::broken_rule, "the reply sets a status that ends no request");
    answer to{status, std::move(response.headers), response.body.str()};
    for (const auto& cookie : response.cookies) to.headers.push_back({"Set-Cookie", tl::set_cookie(cookie)});
    const char* const media = response.is_raw ? "application/octet-stream" : "application/json";
    to.headers.insert(to.headers.begin(), {"Content-Type", media});  // a field with that header counts
    return to;
  }
  // Of `exception NoBook { … } (api.http_code = "404")`; 0 for none.
  [[nodiscard]] static unsigned status_of(tl::type exception) {
    const std::string_view text = exception.annotations().find("api.http_code").value_or("");
    unsigned status = 0;
    std::from_chars(text.data(), text.data() + text.size(), status);
    return status >= 100 && status <= 599 ? status : 0;
  }

  tl::function_info function_;
  tl::http_plan plan_;
};

/// All routes of a schema, which must live as long.
class endpoints {
 public:
  /// Errors: routes that clash, annotations that contradict each other.
  [[nodiscard]] static tl::result<endpoints> make(const tl::schema& of, const tl::http_options& how) {
    endpoints result;
    for (const std::string& name : of.service_names()) {
      for (tl::service_info at = of.service(name); at; at = at.base())
        for (const tl::function_info function : at.functions())
          if (auto done = result.add(function, how); !done) return std::move(done).error();
    }
    return result;
  }
  [[nodiscard]] std::size_t routes() const noexcept { return routes_; }
  /// HEAD uses the route of GET, unless it has its own.
  [[nodiscard]] tl::http_match find(std::string_view method, std::string_view path) const {
    tl::http_match found = router_.find(method, path);
    const bool has_get = std::ranges::find(found.allowed, "GET") != found.allowed.end();
    if (found.is_match || !has_get) return found;
    if (method == "HEAD") return router_.find("GET", path);
    if (std::ranges::find(found.allowed, "HEAD") == found.allowed.end()) found.allowed.push_back("HEAD");
    return found;
  }
  [[nodiscard]] const endpoint& operator[](std::uint32_t target) const { return all_[target]; }

 private:
  [[nodiscard]] tl::result<void> add(tl::function_info function, const tl::http_options& how) {
    if (function.streaming() != tl::streaming_mode::none || is_known(function)) return {};
    auto plan = tl::http_plan::try_compile(function, how);
    if (!plan) return plan.error();
    if (!plan->faults().empty()) return tl::error(tl::errc::bad_rule, plan->faults().front());
    for (const tl::http_route& route : plan->routes()) {
      const auto target = static_cast<std::uint32_t>(all_.size());
      if (auto added = router_.try_add(route.method, route.path, target); !added) return added;
      ++routes_;
    }
    all_.emplace_back(function, *std::move(plan));
    return {};
  }

  // Whether the function was added already, as part of a service that extends its own.
  [[nodiscard]] bool is_known(tl::function_info function) const {
    return std::ranges::any_of(all_,
                               [&](const endpoint& candidate) { return candidate.function() == function; });
  }

  tl::http_router router_;
  std::vector<endpoint> all_;
  std::size_t routes_ = 0;
};

}  // namespace gateway
