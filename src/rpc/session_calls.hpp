// session_calls: Session.call and Session.reply.
#pragma once

#include "call/method.hpp"

#include <cstdint>
#include <optional>

namespace thriftlens::python {

[[nodiscard]] std::span<const method> session_call_methods();
/// Takes a number of 32 bits or None. False with a Python error set.
bool take_sequence_id(std::optional<std::int32_t>& to, const char* name, PyObject* value);

}  // namespace thriftlens::python
