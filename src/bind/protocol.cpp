// protocol: convert.
#include "call/method.hpp"
#include "call/relaxations.hpp"
#include "call/spelling.hpp"
#include "convert/wire_bytes.hpp"
#include "docs/codec_docs.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/select.hpp>

namespace thriftlens::python {

namespace {

struct convert_call {
  std::optional<wire_form> source = std::nullopt;
  std::optional<wire_form> target = std::nullopt;
  type of = {};
  limits bounds = {};
};

const signature_of<convert_call>& convert_signature() {
  static constexpr positional list[] = {{"data"}};
  static constexpr auto options = table(
      required_choice<&convert_call::source>("source"), required_choice<&convert_call::target>("target"),
      converted<&take_type, &convert_call::of>("type", "None"), depth_option<&convert_call::bounds>(),
      output_size_option<&convert_call::bounds>());
  static const signature_of<convert_call> signature("convert", {list, true}, options);
  return signature;
}
result<void> convert(const convert_call& call, byte_view data, buffer& out) {
  const bool from_text = *call.source == wire_form::tjson, to_text = *call.target == wire_form::tjson;
  const protocol_id from = protocol_of(*call.source), to = protocol_of(*call.target);
  if (from_text && to_text) {
    buffer bytes;
    const result<void> status = append_of_tjson(data, protocol_id::binary, call.of, call.bounds, bytes);
    return status ? append_tjson(protocol_id::binary, bytes, call.of, call.bounds, out) : status;
  }
  if (from_text) return append_of_tjson(data, to, call.of, call.bounds, out);
  if (to_text) return append_tjson(from, data, call.of, call.bounds, out);
  const ttype wire = call.of ? call.of.wire() : ttype::struct_;
  return visit_protocol(from, [&](auto source) {
    return visit_protocol(to, [&](auto target) {
      return try_append_converted<decltype(source), decltype(target)>(data, out, call.bounds, wire);
    });
  });
}
PyObject* convert_function(PyObject*, const arguments& args) {
  positional_values positionals;
  convert_call call;
  bytes_like data;
  if (!convert_signature().read(args, positionals, call) || !data.take(positionals[0])) return nullptr;
  return bytes_of(data.bytes().size(), [&](buffer& out) { return convert(call, data.bytes(), out); });
}

}  // namespace

std::span<const method> protocol_functions() {
  static const method methods[] = {
      {convert_signature(), relaxed_method<convert_function, convert_signature>(), convert_doc}};
  return methods;
}

}  // namespace thriftlens::python
