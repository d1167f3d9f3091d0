// rewrite_object: the class Rewrite.
#include "edit/rewrite_object.hpp"

#include "caches/type_caches.hpp"
#include "call/redact_call.hpp"
#include "call/type_docs.hpp"
#include "edit/change_object.hpp"
#include "support/imported.hpp"
#include "views/view_object.hpp"

#include <optional>

namespace thriftlens::python {

namespace {

/// Calls `work` with the rewrite.
template <class Work>
void with_rewrite(change_state& at, Work&& work) {
  if (at.protocol == protocol_id::binary)
    work(std::get<rewrite<binary>>(at.changes));
  else
    work(std::get<rewrite<compact>>(at.changes));
}

constexpr positional trim_list[] = {{"selection"}};
const signature_of<no_options>& trim_signature() {
  static const signature_of<no_options> made("trim", {trim_list, true}, empty_table);
  return made;
}
PyObject* trim_method(PyObject* self, const arguments& given) {
  change_state& at = state_of(self);
  positional_values found;
  no_options call;
  if (!trim_signature().read(given, found, call) || !is_idle(at)) return nullptr;
  const std::optional<selection> what = caches_of(*at.keys, at.of).selections.find(at.of, found[0]);
  if (!what) return nullptr;
  with_rewrite(at, [&](auto& changes) { changes.trim(*what); });
  return new_reference(self);
}

const signature_of<redact_call>& redact_signature() {
  static const signature_of<redact_call> made("redact", {}, redaction_table);
  return made;
}
PyObject* redact_method(PyObject* self, const arguments& given) {
  change_state& at = state_of(self);
  if (!is_idle(at)) return nullptr;
  call_cache& calls = caches_of(*at.keys, at.of).calls;
  const auto compile = [&](const redact_call& call) { return compile_redaction(at.of, call); };
  const auto rules = compiled_call<compiled_redaction>(calls, redact_signature(), given, nullptr, compile);
  if (rules == nullptr) return nullptr;
  with_rewrite(at, [&](auto& changes) { changes.redact(rules->rules); });
  return new_reference(self);
}

struct apply_call {
  PyObject* report = nullptr;
};
const signature_of<apply_call>& apply_signature() {
  static constexpr auto options = table(any_object<&apply_call::report>("report"));
  static const signature_of<apply_call> made("apply", {}, options);
  return made;
}
bool call_report(PyObject* report, const rewrite_report& done) {
  static shared_object cached;
  PyObject* const of = imported(cached, "thriftlens._schema.results", "RewriteReport");
  if (of == nullptr) return false;
  const object numbers(PyObject_CallFunction(
      of, "nnnn", static_cast<Py_ssize_t>(done.trimmed), static_cast<Py_ssize_t>(done.replaced),
      static_cast<Py_ssize_t>(done.dropped), static_cast<Py_ssize_t>(done.unknown)));
  return numbers && object(PyObject_CallFunctionObjArgs(report, numbers.get(), nullptr));
}
PyObject* apply_method(PyObject* self, const arguments& given) {
  change_state& at = state_of(self);
  apply_call call;
  rewrite_report report;
  if (!apply_signature().read(given, nullptr, call)) return nullptr;
  object made(applied(at, [&](buffer& out, error& why) {
    bool is_done = false;
    with_rewrite(at, [&](auto& changes) {
      const result<rewrite_report> done = changes.try_append_to(out);
      is_done = static_cast<bool>(done);
      if (done)
        report = *done;
      else
        why = done.error();
    });
    return is_done;
  }));
  const bool asks = call.report != nullptr && call.report != Py_None;
  if (!made || (asks && !call_report(call.report, report))) return nullptr;
  return made.release();
}

}  // namespace

PyTypeObject* rewrite_class() {
  static PyTypeObject* made = nullptr;
  if (made != nullptr) return made;
  std::vector<method> methods = change_methods();
  methods.push_back({trim_signature(), fast_method<in_turn<trim_method>::call>(), rewrite_trim_doc});
  methods.push_back({redact_signature(), fast_method<in_turn<redact_method>::call>(), rewrite_redact_doc});
  methods.push_back({apply_signature(), fast_method<in_turn<apply_method>::call>(), rewrite_apply_doc});
  made = make_change_class("thriftlens.Rewrite", method_table("$self", methods), rewrite_class_doc);
  return made;
}

PyObject* make_rewrite(std::shared_ptr<schema_keys> keys, type of, PyObject* data, const edit_call& call) {
  return make_changes<rewrite>(rewrite_class(), std::move(keys), of, data, call.protocol, call.bounds);
}

PyObject* make_rewrite(PyObject* given, std::size_t output_size) {
  const std::optional<view_parts> parts = parts_of_view(given);
  if (!parts) return nullptr;
  return std::visit(
      [&]<class Protocol>(const view<Protocol>& of) -> PyObject* {
        if (of.code() != errc::ok) return raise_error(of.error());
        object made(make_change_object(rewrite_class(), parts->keys, of.type(), Protocol::id));
        if (!made) return nullptr;
        change_state& at = state_of(made.get());
        at.owner = object::share(given);
        at.size = of.whole().size();
        start_changes<rewrite>(at, of, output_size);
        return made.release();
      },
      parts->at);
}

}  // namespace thriftlens::python
