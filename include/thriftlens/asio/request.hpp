// request: a call that a server's handler answers. Never more than one answer: the last one counts.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/rpc/answer.hpp>
#include <thriftlens/transport/header_entry.hpp>

#include <span>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace asio {

/// What a handler is given. It, and what it borrows, is good until the handler's end.
template <protocol P>
class request {
 public:
  thriftlens::service_info service = {};  ///< of a server of several services: the one that is called
  thriftlens::function_info function;
  view<P> arguments;
  std::span<const header_entry> headers = {};

  request(const function_info& of, view<P> with, std::span<const header_entry> beside, buffer& out)
      : function(of), arguments(with), headers(beside), out_(&out) {
    out.clear();
  }

  /// Answers with what the function returns: see tl::write_reply; of a void function nothing. Of a oneway
  /// call the answer is dropped. After an error there is no answer. Errors: value_type, those of the value.
  template <class T = no_value>
  [[nodiscard]] result<void> try_reply(const T& value = {}) {
    return put(message_type::reply, [&](buffer& out) { return try_append_result<P>(function, value, out); });
  }
  template <class T = no_value>
  void reply(const T& value = {}) {
    try_reply(value).value();
  }
  /// Answers with an exception that the function declares, by its name in `throws`. Errors: no_such_field
  /// with the nearest name, those of the value.
  template <class T>
  [[nodiscard]] result<void> try_raise(std::string_view name, const T& value) {
    return put(message_type::reply,
               [&](buffer& out) { return try_append_thrown<P>(function, name, value, out); });
  }
  template <class T>
  void raise(std::string_view name, const T& value) {
    try_raise(name, value).value();
  }
  /// Answers with an application exception, which no function declares.
  void refuse(std::string_view words, application_error code = application_error::internal_error) {
    static_cast<void>(put(message_type::exception, [&](buffer& out) -> result<void> {
      append_application_exception<P>(words, code, out);
      return {};
    }));
  }

  /// Of a call that has an answer: reply or exception.
  [[nodiscard]] message_type kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_answered() const noexcept { return is_answered_; }

 private:
  template <class Write>
  result<void> put(message_type kind, Write write) {
    out_->clear();
    is_answered_ = false;
    if (function && function.oneway()) return {};
    result<void> done = write(*out_);
    is_answered_ = done.has_value();
    kind_ = kind;
    return done;
  }

  buffer* out_;
  message_type kind_ = message_type::reply;
  bool is_answered_ = false;
};

}  // namespace asio

}  // namespace thriftlens::inline THRIFTLENS_ABI
