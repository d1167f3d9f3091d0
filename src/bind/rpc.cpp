// rpc: reads replies.
#include "call/common_options.hpp"
#include "call/method.hpp"
#include "convert/value.hpp"
#include "schema/type_object.hpp"
#include "support/bytes_like.hpp"

#include <thriftlens/protocol/select.hpp>
#include <thriftlens/rpc/reply.hpp>

#include <string>
#include <string_view>

namespace thriftlens::python {

namespace {

struct reply_field_call {
  protocol_id protocol = protocol_id::binary;
  limits bounds = {};
};

constexpr auto reply_field_table =
    table(protocol_option<&reply_field_call::protocol>(), depth_option<&reply_field_call::bounds>());
constexpr auto reply_field_signature = named_signature<"_reply_field", reply_field_table, "data", "function">;
PyObject* reply_field_method(PyObject* self, PyObject** positionals, const reply_field_call& call) {
  bytes_like data;
  std::string_view function;
  if (!data.take(positionals[0]) || !utf8_of(positionals[1], function, errc::value_type, family::encode))
    return nullptr;
  return visit_protocol(call.protocol, [&](auto tag) -> PyObject* {
    const auto field =
        detail::find_result_field<decltype(tag)>(function, type_of(self).of, data.bytes(), call.bounds);
    if (!field) return raise_error(field.error());
    return *field ? shown_text((*field)->info.name()) : new_none();
  });
}

}  // namespace

std::span<const method> rpc_methods() {
  static const method methods[] = {method_of<reply_field_signature, reply_field_method>(
      "The name of the field that is set in the struct of a reply, or None.")};
  return methods;
}

}  // namespace thriftlens::python
