// wire_bytes: whole values in any protocol, Apache's JSON protocol among them. Never converts what is
// Binary or Compact.
#pragma once

#include "call/spelling.hpp"
#include "support/bytes_like.hpp"
#include "support/kept_buffer.hpp"

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/schema/type.hpp>

namespace thriftlens::python {

/// One value as text, made of Binary or Compact.
[[nodiscard]] result<void> append_tjson(protocol_id from, byte_view bytes, type of, const limits& bounds,
                                        buffer& out);
/// One value of text as Binary or Compact.
[[nodiscard]] result<void> append_of_tjson(byte_view text, protocol_id to, type of, const limits& bounds,
                                           buffer& out);

/// The bytes of an argument, held for a call.
class wire_bytes {
 public:
  /// False with a Python error set: as bytes_like, or what is wrong with the text.
  [[nodiscard]] bool take(PyObject* argument, wire_form form, type of, std::uint32_t depth);
  [[nodiscard]] byte_view bytes() const noexcept { return bytes_; }

 private:
  bytes_like given_;
  buffer converted_;
  byte_view bytes_;
};

/// Takes a thriftlens.Type or None.
[[nodiscard]] bool take_type(type& to, const char* name, PyObject* given);

/// The value that `made` (a new reference to bytes, or null) holds in Binary, in the form that is wanted.
[[nodiscard]] PyObject* in_form(PyObject* made, wire_form form, type of, const limits& bounds);

}  // namespace thriftlens::python
