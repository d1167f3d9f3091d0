// wire_bytes: complete values in any protocol, including Apache's JSON protocol, which is converted.
#pragma once

#include "call/common_options.hpp"
#include "support/bytes_like.hpp"
#include "support/scratch_buffer.hpp"

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/schema/type.hpp>

namespace thriftlens::python {

/// Converts a value in Binary or Compact to JSON protocol.
[[nodiscard]] result<void> append_tjson(protocol_id from, byte_view bytes, type of, const limits& bounds,
                                        buffer& out);
/// Converts a value in JSON protocol to Binary or Compact.
[[nodiscard]] result<void> append_of_tjson(byte_view text, protocol_id to, type of, const limits& bounds,
                                           buffer& out);

/// The bytes of an argument, borrowed for a call.
class wire_bytes {
 public:
  /// False with a Python error set.
  [[nodiscard]] bool take(PyObject* argument, wire_form form, type of, std::uint32_t depth);
  [[nodiscard]] byte_view bytes() const noexcept { return bytes_; }

 private:
  bytes_like argument_;
  buffer converted_;
  byte_view bytes_;
};

/// Takes a thriftlens.Type or None.
[[nodiscard]] bool take_type(type& to, const char* name, PyObject* value);

/// Converts bytes in Binary (a new reference, or null, which is passed on) to `form`.
[[nodiscard]] PyObject* in_form(PyObject* binary_value, wire_form form, type of, const limits& bounds);

}  // namespace thriftlens::python
