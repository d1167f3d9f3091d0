// protocol: convert.
#include "call/common_options.hpp"
#include "call/relaxations.hpp"
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

constexpr auto convert_table =
    table(required_choice<&convert_call::source>("source"), required_choice<&convert_call::target>("target"),
          converted<&take_type, &convert_call::of>("type", "None"), depth_option<&convert_call::bounds>(),
          output_size_option<&convert_call::bounds>());
constexpr auto convert_signature = named_signature<"convert", convert_table, "data">;
result<void> rewrite_tjson(const convert_call& call, byte_view text, buffer& out) {
  buffer bytes;
  const result<void> status = append_of_tjson(text, protocol_id::binary, call.of, call.bounds, bytes);
  return status ? append_tjson(protocol_id::binary, bytes, call.of, call.bounds, out) : status;
}
result<void> convert(const convert_call& call, byte_view data, buffer& out) {
  const bool from_text = *call.source == wire_form::tjson, to_text = *call.target == wire_form::tjson;
  const protocol_id from = protocol_of(*call.source), to = protocol_of(*call.target);
  if (from_text && to_text) return rewrite_tjson(call, data, out);
  if (from_text) return append_of_tjson(data, to, call.of, call.bounds, out);
  if (to_text) return append_tjson(from, data, call.of, call.bounds, out);
  const ttype wire = call.of ? call.of.wire() : ttype::struct_;
  return visit_protocol(from, [&](auto source) {
    return visit_protocol(to, [&](auto target) {
      return try_append_converted<decltype(source), decltype(target)>(data, out, call.bounds, wire);
    });
  });
}
PyObject* convert_function(PyObject*, PyObject** positionals, const convert_call& call) {
  bytes_like data;
  if (!data.take(positionals[0])) return nullptr;
  return bytes_of(data.bytes().size(), [&](buffer& out) { return convert(call, data.bytes(), out); });
}

}  // namespace

std::span<const method> protocol_functions() {
  static const method methods[] = {relaxed_method<convert_signature, convert_function>(convert_doc)};
  return methods;
}

}  // namespace thriftlens::python
