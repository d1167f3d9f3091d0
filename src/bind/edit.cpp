// edit: trim and edit.
#include "call/method.hpp"
#include "call/relaxations.hpp"
#include "call/spelling.hpp"
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
const signature_of<trim_call>& trim_signature() {
  static constexpr positional list[] = {{"data"}, {"selection"}};
  static constexpr auto options = table(protocol_option<&trim_call::protocol>(),
                                        choice<&trim_call::trim, &trim_options::unknown>("unknown"),
                                        choice<&trim_call::trim, &trim_options::defaults>("defaults"),
                                        depth_option<&trim_call::trim, &trim_options::limits>(),
                                        output_size_option<&trim_call::trim, &trim_options::limits>());
  static const signature_of<trim_call> signature("trim", {list}, options);
  return signature;
}
PyObject* trim_method(PyObject* self, const arguments& args) {
  const type_object& of = type_of(self);
  positional_values positionals;
  trim_call call;
  bytes_like data;
  if (!trim_signature().read(args, positionals, call) || !data.take(positionals[0])) return nullptr;
  const std::optional<selection> selected = of.caches->selections.find(of.of, positionals[1]);
  if (!selected) return nullptr;
  return bytes_of(data.bytes().size(), [&](buffer& out) {
    return visit_protocol(call.protocol, [&](auto tag) -> result<void> {
      const view<decltype(tag)> root(data.bytes(), of.of, call.trim.limits);
      const result<trim_report> report = try_append_trimmed(root, *selected, out, call.trim);
      if (!report) return report.error();
      return {};
    });
  });
}

constexpr positional edit_list[] = {{"data"}};
const signature_of<edit_call>& edit_signature() {
  static const signature_of<edit_call> signature("edit", {edit_list, true}, edit_table);
  return signature;
}
PyObject* edit_method(PyObject* self, const arguments& args) {
  positional_values positionals;
  edit_call call;
  if (!edit_signature().read(args, positionals, call)) return nullptr;
  return make_edit(type_of(self).keys, type_of(self).of, positionals[0], call);
}

}  // namespace

std::span<const method> edit_methods() {
  static const method methods[] = {
      {trim_signature(), relaxed_method<trim_method, trim_signature>(), trim_doc},
      {edit_signature(), relaxed_method<edit_method, edit_signature>(), edit_doc}};
  return methods;
}

}  // namespace thriftlens::python
