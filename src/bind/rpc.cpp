// rpc: reads replies.
#include "call/method.hpp"
#include "call/spelling.hpp"
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

const signature_of<reply_field_call>& reply_field_signature() {
  static constexpr positional list[] = {{"data"}, {"function"}};
  static constexpr auto options =
      table(protocol_option<&reply_field_call::protocol>(), depth_option<&reply_field_call::bounds>());
  static const signature_of<reply_field_call> signature("_reply_field", {list, true}, options);
  return signature;
}
PyObject* reply_field_method(PyObject* self, const arguments& args) {
  positional_values values;
  reply_field_call call;
  bytes_like data;
  std::string_view function;
  if (!reply_field_signature().read(args, values, call) || !data.take(values[0])) return nullptr;
  if (!utf8_of(values[1], function, errc::value_type, family::encode)) return nullptr;
  return visit_protocol(call.protocol, [&](auto tag) -> PyObject* {
    const auto field =
        detail::find_result_field<decltype(tag)>(function, type_of(self).of, data.bytes(), call.bounds);
    if (!field) return raise_error(field.error());
    return *field ? shown_text((*field)->info.name()) : new_reference(Py_None);
  });
}

}  // namespace

std::span<const method> rpc_methods() {
  static const method methods[] = {{reply_field_signature(), fast_method<reply_field_method>(),
                                    "The name of the field that is set in the struct of a reply, or None."}};
  return methods;
}

}  // namespace thriftlens::python
