// request: a call passed to a server's handler. If it is answered more than once, the last answer is sent.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/rpc/answer.hpp>
#include <thriftlens/transport/header_entry.hpp>

#include <span>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace asio {

/// The argument of a handler. Valid until the handler ends, with all that it borrows.
template <protocol P>
class request {
 public:
  thriftlens::service_info service = {};  ///< the called service, for servers of several services
  thriftlens::function_info function;
  view<P> arguments;
  std::span<const header_entry> headers = {};

  request(const function_info& of, view<P> with, std::span<const header_entry> beside, buffer& out)
      : function(of), arguments(with), headers(beside), out_(&out) {
    out.clear();
  }

  /// Answers with a result, see tl::write_reply; without a value for a void function. Ignored for a oneway
  /// call. After an error the call is not answered. Errors: value_type, those of encoding the value.
  template <class T = no_value>
  [[nodiscard]] result<void> try_reply(const T& value = {}) {
    return put(message_type::reply, [&](buffer& out) { return try_append_result<P>(function, value, out); });
  }
  template <class T = no_value>
  void reply(const T& value = {}) {
    try_reply(value).value();
  }
  /// Answers with a declared exception; `name` is its name in `throws`. Errors: no_such_field with the
  /// nearest name, those of encoding the value.
  template <class T>
  [[nodiscard]] result<void> try_raise(std::string_view name, const T& value) {
    return put(message_type::reply,
               [&](buffer& out) { return try_append_thrown<P>(function, name, value, out); });
  }
  template <class T>
  void raise(std::string_view name, const T& value) {
    try_raise(name, value).value();
  }
  /// Answers with an application exception.
  void refuse(std::string_view message, application_error code = application_error::internal_error) {
    static_cast<void>(put(message_type::exception, [&](buffer& out) -> result<void> {
      append_application_exception<P>(message, code, out);
      return {};
    }));
  }

  /// Reply or exception, once answered.
  [[nodiscard]] message_type kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_answered() const noexcept { return is_answered_; }

 private:
  template <class Write>
  result<void> put(message_type kind, Write write) {
    out_->clear();
    is_answered_ = false;
    if (function && function.oneway()) return {};
    result<void> status = write(*out_);
    is_answered_ = status.has_value();
    kind_ = kind;
    return status;
  }

  buffer* out_;
  message_type kind_ = message_type::reply;
  bool is_answered_ = false;
};

}  // namespace asio

}  // namespace thriftlens::inline THRIFTLENS_ABI
