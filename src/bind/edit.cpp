// edit: trim and edit.
#include "call/common_options.hpp"
#include "call/relaxations.hpp"
#include "docs/edit_docs.hpp"
#include "edit/edit_object.hpp"
#include "schema/type_object.hpp"
#include "support/bytes_like.hpp"
#include "support/unlocked.hpp"

namespace thriftlens::python {

namespace {

struct trim_call {
  protocol_id protocol = protocol_id::binary;
  trim_options trim = {};
};
constexpr auto trim_table = table(protocol_option<&trim_call::protocol>(),
                                  choice<&trim_call::trim, &trim_options::unknown>("unknown"),
                                  choice<&trim_call::trim, &trim_options::defaults>("defaults"),
                                  depth_option<&trim_call::trim, &trim_options::limits>(),
                                  output_size_option<&trim_call::trim, &trim_options::limits>());
constexpr auto trim_signature = signature_from<"trim", required_positionals<"data", "selection">, trim_table>;
result<void> try_append_trimmed_to(type of, byte_view data, const selection& selected, const trim_call& call,
                                   buffer& out) {
  return visit_protocol(call.protocol, [&](auto tag) -> result<void> {
    const view<decltype(tag)> root(data, of, call.trim.limits);
    const result<trim_report> report = try_append_trimmed(root, selected, out, call.trim);
    if (!report) return report.error();
    return {};
  });
}
PyObject* trim_method(PyObject* self, PyObject** positionals, const trim_call& call) {
  const type_object& of = type_of(self);
  bytes_like data;
  if (!data.take(positionals[0])) return nullptr;
  const std::optional<selection> selected = of.caches->selections.find(of.of, positionals[1]);
  if (!selected) return nullptr;
  return bytes_of(data.bytes().size(), [&](buffer& out) {
    return try_append_trimmed_to(of.of, data.bytes(), *selected, call, out);
  });
}

constexpr auto edit_signature = named_signature<"edit", edit_table, "data">;
PyObject* edit_method(PyObject* self, PyObject** positionals, const edit_call& call) {
  return make_edit(type_of(self).keys, type_of(self).of, positionals[0], call);
}

}  // namespace

std::span<const method> edit_methods() {
  static const method methods[] = {relaxed_method<trim_signature, trim_method>(trim_doc),
                                   relaxed_method<edit_signature, edit_method>(edit_doc)};
  return methods;
}

}  // namespace thriftlens::python
