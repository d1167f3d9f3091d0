// plan: a compiled mapping between HTTP messages and the values of one type, or the calls of one function.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/http/message.hpp>
#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/http/route.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/schema/service.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Immutable, shared by reference count and by threads; good while the schema lives. Compiling one costs a
/// walk over all types that the root holds.
class http_plan {
 public:
  // Without moves: the source of a move stays as it was.
  http_plan(const http_plan&) noexcept = default;
  http_plan& operator=(const http_plan&) noexcept = default;
  ~http_plan() = default;

  /// Plan of a struct: converts requests to its bytes and its bytes to responses. Errors: wrong_type for
  /// other types.
  [[nodiscard]] static result<http_plan> try_compile(type of, const http_options& options = {});
  [[nodiscard]] static http_plan compile(type of, const http_options& options = {}) {
    return try_compile(of, options).value();
  }
  /// Plan of a function: converts requests to the struct of its arguments. Annotations are read from the
  /// fields of a single argument that is a struct, otherwise from the arguments.
  [[nodiscard]] static result<http_plan> try_compile(function_info of, const http_options& options = {});
  [[nodiscard]] static http_plan compile(function_info of, const http_options& options = {}) {
    return try_compile(of, options).value();
  }

  /// Appends the Thrift bytes of a request, in one pass over the body. Errors, after which the buffer is
  /// unchanged: the codes of from_json, for texts of parts without an offset and with the part in the text;
  /// missing_required; size_limit by http_limits; bad_rule for contradictory annotations.
  template <protocol Protocol>
  [[nodiscard]] result<void> try_append_request(const http_request& request, buffer& out) const;
  template <protocol Protocol>
  void append_request(const http_request& request, buffer& out) const {
    try_append_request<Protocol>(request, out).value();
  }
  template <protocol Protocol>
  [[nodiscard]] result<buffer> try_request(const http_request& request) const {
    buffer out;
    if (result<void> appended = try_append_request<Protocol>(request, out); !appended)
      return std::move(appended).error();
    return out;
  }
  template <protocol Protocol>
  [[nodiscard]] buffer request(const http_request& request) const {
    return try_request<Protocol>(request).value();
  }

  /// The response for the bytes of a struct. `as`: their type if it is an exception of the function. Errors:
  /// the codes of to_json; broken_rule for a value that its header, cookie or status cannot hold; wrong_type
  /// for a type that the plan does not know.
  template <protocol Protocol>
  [[nodiscard]] result<http_response> try_response(byte_view data, type as = {}) const;
  template <protocol Protocol>
  [[nodiscard]] http_response response(byte_view data, type as = {}) const {
    return try_response<Protocol>(data, as).value();
  }

  /// Routes of the function; none for a type.
  [[nodiscard]] const std::vector<http_route>& routes() const& noexcept { return state_->routes; }
  /// Sources of the annotated fields, in the order of the IDL.
  [[nodiscard]] std::vector<http_field_source> sources() const;
  /// Contradictory annotations of the request, the response or an exception. A plan with faults is unusable.
  [[nodiscard]] const std::vector<std::string>& faults() const& noexcept { return state_->faults; }
  /// Fields that no request can fill and fields that no response can hold.
  [[nodiscard]] const std::vector<std::string>& losses() const& noexcept { return state_->losses; }
  /// Annotations that can never be reached.
  [[nodiscard]] const std::vector<std::string>& warnings() const& noexcept {
    return state_->request.warnings;
  }
  /// The struct that requests become, or whose one field of that type they fill.
  [[nodiscard]] type request_type() const noexcept { return state_->request.root; }
  /// The struct of answers; a false handle for a function that returns none.
  [[nodiscard]] type response_type() const noexcept { return state_->response.root; }
  /// The function; a false handle for a plan of a type.
  [[nodiscard]] function_info function() const noexcept { return state_->function; }

 private:
  struct shared_state {
    detail::plan_image request;
    detail::plan_image response;
    std::vector<detail::plan_image> exceptions;
    std::vector<http_route> routes;
    std::vector<std::string> faults;
    std::vector<std::string> losses;
    function_info function;
    std::int16_t argument = 0;  ///< id of the argument that the request fills
    bool has_argument = false;

    /// Fills faults and losses from the plans of the request, the response and the exceptions.
    void collect_findings();
  };
  explicit http_plan(std::shared_ptr<const shared_state> state) noexcept : state_(std::move(state)) {}

  std::shared_ptr<const shared_state> state_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/http/plan.ipp>
#endif
