// rewrite_object: the class Rewrite.
#include "edit/rewrite_object.hpp"

#include "caches/type_caches.hpp"
#include "call/redact_call.hpp"
#include "docs/edit_docs.hpp"
#include "edit/change_object.hpp"
#include "support/argument.hpp"
#include "support/heap_class.hpp"
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

constexpr auto trim_signature = named_signature<"trim", empty_table, "selection">;
PyObject* trim_method(PyObject* self, PyObject** positionals) {
  change_state& at = state_of(self);
  if (!is_idle(at)) return nullptr;
  const std::optional<selection> selected = caches_of(*at.keys, at.of).selections.find(at.of, positionals[0]);
  if (!selected) return nullptr;
  with_rewrite(at, [&](auto& changes) { changes.trim(*selected); });
  return new_reference(self);
}

constexpr auto redact_signature = signature_from<"redact", no_positionals, redaction_table>;
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
constexpr auto apply_table = table(any_object<&apply_call::report>("report"));
constexpr auto apply_signature = signature_from<"apply", no_positionals, apply_table>;
bool call_report(PyObject* report, const rewrite_report& counts) {
  PyObject* const of = imported<"thriftlens._schema.results", "RewriteReport">();
  return of != nullptr &&
         object(new_of(report, new_of(of, counts.trimmed, counts.replaced, counts.dropped, counts.unknown)));
}
PyObject* apply_rewrite_method(PyObject* self, PyObject**, const apply_call& call) {
  change_state& at = state_of(self);
  rewrite_report report;
  object bytes(applied(at, [&](buffer& out) {
    result<void> status;
    with_rewrite(at, [&](auto& changes) {
      const result<rewrite_report> outcome = changes.try_append_to(out);
      if (outcome)
        report = *outcome;
      else
        status = outcome.error();
    });
    return status;
  }));
  if (!bytes || (!is_omitted(call.report) && !call_report(call.report, report))) return nullptr;
  return bytes.release();
}

}  // namespace

PyTypeObject* rewrite_class() {
  static shared_object cached;
  return class_once(cached, [] {
    std::vector<method> methods = change_methods();
    methods.push_back(method_in_turn<trim_signature, trim_method>(rewrite_trim_doc));
    methods.push_back({redact_signature(), fast_method<in_turn<redact_method>::call>(), rewrite_redact_doc});
    methods.push_back(method_in_turn<apply_signature, apply_rewrite_method>(rewrite_apply_doc));
    return make_change_class("thriftlens.Rewrite", method_table("$self", methods), rewrite_class_doc);
  });
}

PyObject* make_rewrite(std::shared_ptr<schema_keys> keys, type of, PyObject* data, const edit_call& call) {
  return make_changes<rewrite>(rewrite_class(), std::move(keys), of, data, call.protocol, call.bounds);
}

PyObject* make_rewrite(PyObject* view, std::size_t output_size) {
  const std::optional<view_parts> parts = parts_of_view(view);
  if (!parts) return nullptr;
  const auto make = [&]<class Protocol>(const thriftlens::view<Protocol>& of) -> PyObject* {
    if (of.code() != errc::ok) return raise_error(of.error());
    object self(make_change_object(rewrite_class(), parts->keys, of.type(), Protocol::id));
    if (!self) return nullptr;
    change_state& at = state_of(self.get());
    at.owner = object::share(view);
    at.size = of.whole().size();
    start_changes<rewrite>(at, of, output_size);
    return self.release();
  };
  return std::visit(make, parts->at);
}

}  // namespace thriftlens::python
