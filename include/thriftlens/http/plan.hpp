// plan: a compiled mapping between HTTP messages and the values of one type, or the calls of one function.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/http/message.hpp>
#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/http/route.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/schema/service.hpp>

#include <concepts>
#include <memory>
#include <span>
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

  /// For a struct: requests become its bytes, its bytes become answers. Errors: wrong_type for what is no
  /// struct.
  [[nodiscard]] static result<http_plan> try_compile(type of, const http_options& options = {});
  [[nodiscard]] static http_plan compile(type of, const http_options& options = {}) {
    return try_compile(of, options).value();
  }
  /// For a function: requests become the struct of its arguments. A single argument that is a struct is what
  /// the annotations are read of; otherwise they stand at the arguments.
  [[nodiscard]] static result<http_plan> try_compile(function_info of, const http_options& options = {});
  [[nodiscard]] static http_plan compile(function_info of, const http_options& options = {}) {
    return try_compile(of, options).value();
  }

  /// Appends the bytes that a request stands for. One pass over the body; the parts are looked up by key.
  /// Errors: the codes of from_json, also for texts of parts (without an offset, with the part in words);
  /// missing_required; size_limit for what exceeds http_limits; bad_rule where annotations contradict each
  /// other. The buffer is then as before.
  template <protocol Protocol>
  [[nodiscard]] result<void> try_append_request(const http_request& request, buffer& out) const;
  template <protocol Protocol>
  [[nodiscard]] result<buffer> try_request(const http_request& request) const {
    buffer out;
    if (result<void> done = try_append_request<Protocol>(request, out); !done) return std::move(done).error();
    return out;
  }
  template <protocol Protocol>
  [[nodiscard]] buffer request(const http_request& request) const {
    return try_request<Protocol>(request).value();
  }

  /// The answer that the bytes of a struct stand for. `as`: the type they have, where that is not the plan's:
  /// an exception of the function. Errors: the codes of to_json; broken_rule for a value that no header,
  /// cookie or status can be; wrong_type for a type that the plan does not know.
  template <protocol Protocol>
  [[nodiscard]] result<http_response> try_response(byte_view data, type as = {}) const;
  template <protocol Protocol>
  [[nodiscard]] http_response response(byte_view data, type as = {}) const {
    return try_response<Protocol>(data, as).value();
  }

  /// Routes of the function; none for a type.
  [[nodiscard]] const std::vector<http_route>& routes() const& noexcept { return held_->routes; }
  /// Where each annotated field comes from, in the IDL's order.
  [[nodiscard]] std::vector<http_field_source> sources() const;
  /// What makes the plan useless: annotations of the request, the answer or an exception that contradict each
  /// other.
  [[nodiscard]] const std::vector<std::string>& faults() const& noexcept { return held_->faults; }
  /// Fields that no request can fill, and fields that no answer can hold.
  [[nodiscard]] const std::vector<std::string>& losses() const& noexcept { return held_->losses; }
  /// Annotations that can never be reached.
  [[nodiscard]] const std::vector<std::string>& warnings() const& noexcept { return held_->request.warnings; }
  /// The struct that requests become, or whose one field of that type they fill.
  [[nodiscard]] type request_type() const noexcept { return held_->request.root; }
  /// The struct of answers; a false handle for a function that returns none.
  [[nodiscard]] type response_type() const noexcept { return held_->response.root; }
  /// The function; a false handle for a plan of a type.
  [[nodiscard]] function_info function() const noexcept { return held_->function; }

 private:
  struct held {
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
  explicit http_plan(std::shared_ptr<const held> made) noexcept : held_(std::move(made)) {}

  std::shared_ptr<const held> held_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/http/plan.ipp>
#endif
