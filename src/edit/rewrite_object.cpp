// rewrite_object: the class Rewrite.
#include "edit/rewrite_object.hpp"

#include "caches/type_caches.hpp"
#include "call/redact_call.hpp"
#include "docs/edit_docs.hpp"
#include "edit/change_object.hpp"
#include "support/imported.hpp"
#include "views/view_object.hpp"

#include <optional>

namespace thriftlens::python {

namespace {

template <class Work>
void with_rewrite(change_state& at, Work&& work) {
  if (at.protocol == protocol_id::binary)
    work(std::get<rewrite<binary>>(at.changes));
  else
    work(std::get<rewrite<compact>>(at.changes));
}

constexpr positional trim_list[] = {{"selection"}};
const signature_of<no_options>& trim_signature() {
  static const signature_of<no_options> signature("trim", {trim_list, true}, empty_table);
  return signature;
}
PyObject* trim_method(PyObject* self, const arguments& args) {
  change_state& at = state_of(self);
  positional_values positionals;
  if (!trim_signature().read(args, positionals) || !is_idle(at)) return nullptr;
  const std::optional<selection> selected = caches_of(*at.keys, at.of).selections.find(at.of, positionals[0]);
  if (!selected) return nullptr;
  with_rewrite(at, [&](auto& changes) { changes.trim(*selected); });
  return new_reference(self);
}

const signature_of<redact_call>& redact_signature() {
  static const signature_of<redact_call> signature("redact", {}, redaction_table);
  return signature;
}
PyObject* redact_method(PyObject* self, const arguments& args) {
  change_state& at = state_of(self);
  if (!is_idle(at)) return nullptr;
  call_cache& calls = caches_of(*at.keys, at.of).calls;
  const auto compile = [&](const redact_call& call) { return compile_redaction(at.of, call); };
  const auto rules = compiled_call<compiled_redaction>(calls, redact_signature(), args, nullptr, compile);
  if (rules == nullptr) return nullptr;
  with_rewrite(at, [&](auto& changes) { changes.redact(rules->rules); });
  return new_reference(self);
}

struct apply_call {
  PyObject* report = nullptr;
};
const signature_of<apply_call>& apply_signature() {
  static constexpr auto options = table(any_object<&apply_call::report>("report"));
  static const signature_of<apply_call> signature("apply", {}, options);
  return signature;
}
bool call_report(PyObject* report, const rewrite_report& counts) {
  static shared_object cached;
  PyObject* const of = imported(cached, "thriftlens._schema.results", "RewriteReport");
  if (of == nullptr) return false;
  const object numbers(PyObject_CallFunction(
      of, "nnnn", static_cast<Py_ssize_t>(counts.trimmed), static_cast<Py_ssize_t>(counts.replaced),
      static_cast<Py_ssize_t>(counts.dropped), static_cast<Py_ssize_t>(counts.unknown)));
  return numbers && object(PyObject_CallFunctionObjArgs(report, numbers.get(), nullptr));
}
PyObject* apply_method(PyObject* self, const arguments& args) {
  change_state& at = state_of(self);
  apply_call call;
  rewrite_report report;
  if (!apply_signature().read(args, nullptr, call)) return nullptr;
  object bytes(applied(at, [&](buffer& out, error& reason) {
    bool is_applied = false;
    with_rewrite(at, [&](auto& changes) {
      const result<rewrite_report> outcome = changes.try_append_to(out);
      is_applied = static_cast<bool>(outcome);
      if (outcome)
        report = *outcome;
      else
        reason = outcome.error();
    });
    return is_applied;
  }));
  const bool asks = call.report != nullptr && call.report != Py_None;
  if (!bytes || (asks && !call_report(call.report, report))) return nullptr;
  return bytes.release();
}

}  // namespace

PyTypeObject* rewrite_class() {
  static PyTypeObject* cls = nullptr;
  if (cls != nullptr) return cls;
  std::vector<method> methods = change_methods();
  methods.push_back({trim_signature(), fast_method<in_turn<trim_method>::call>(), rewrite_trim_doc});
  methods.push_back({redact_signature(), fast_method<in_turn<redact_method>::call>(), rewrite_redact_doc});
  methods.push_back({apply_signature(), fast_method<in_turn<apply_method>::call>(), rewrite_apply_doc});
  cls = make_change_class("thriftlens.Rewrite", method_table("$self", methods), rewrite_class_doc);
  return cls;
}

PyObject* make_rewrite(std::shared_ptr<schema_keys> keys, type of, PyObject* data, const edit_call& call) {
  return make_changes<rewrite>(rewrite_class(), std::move(keys), of, data, call.protocol, call.bounds);
}

PyObject* make_rewrite(PyObject* view, std::size_t output_size) {
  const std::optional<view_parts> parts = parts_of_view(view);
  if (!parts) return nullptr;
  return std::visit(
      [&]<class Protocol>(const thriftlens::view<Protocol>& of) -> PyObject* {
        if (of.code() != errc::ok) return raise_error(of.error());
        object self(make_change_object(rewrite_class(), parts->keys, of.type(), Protocol::id));
        if (!self) return nullptr;
        change_state& at = state_of(self.get());
        at.owner = object::share(view);
        at.size = of.whole().size();
        start_changes<rewrite>(at, of, output_size);
        return self.release();
      },
      parts->at);
}

}  // namespace thriftlens::python
