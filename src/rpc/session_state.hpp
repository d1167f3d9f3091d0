// session_state: the contents of a Session.
#pragma once

#include "rpc/session_headers.hpp"
#include "rpc/session_trims.hpp"
#include "rpc/session_zlib.hpp"

#include <thriftlens/transport/session.hpp>

#include <string>

namespace thriftlens::python {

struct session_call {
  session_options options = {};
  std::uint64_t compress = 0;
  PyObject* user = nullptr;
  PyObject* password = nullptr;
};

struct session_state {
  session_zlib zlib;
  session of;
  session_trims trims;
  shared_headers headers;
  object lent;  // owns the bytes that the session reads
  std::uint32_t depth;
  bool compress;
  std::string user;
  std::string password;

  explicit session_state(const session_call& call)
      : of(with_zlib(call.options, zlib)), depth(call.options.limits.depth), compress(call.compress != 0) {}

  /// Without a user, anyone is accepted; the event "ready" names the peer's user.
  [[nodiscard]] sasl_credentials credentials() const noexcept {
    return {.user = user, .password = password, .anyone = user.empty()};
  }

 private:
  static session_options with_zlib(session_options options, payload_transform& zlib) {
    options.transform = &zlib;
    return options;
  }
};
struct session_object {
  PyObject_HEAD session_state state;
};
[[nodiscard]] inline session_state& state_of(PyObject* self) noexcept {
  return reinterpret_cast<session_object*>(self)->state;
}
[[nodiscard]] inline session& session_of(PyObject* self) noexcept { return state_of(self).of; }

}  // namespace thriftlens::python
