// policy: redact and validate.
#include "call/method.hpp"
#include "call/redact_call.hpp"
#include "call/relaxations.hpp"
#include "docs/policy_docs.hpp"
#include "schema/type_object.hpp"
#include "support/bytes_like.hpp"
#include "support/imported.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/validate.hpp>

namespace thriftlens::python {

namespace {

// ---- redact

constexpr auto redact_table =
    table(redaction_table, per_call_object<&redact_call::report>("report"),
          protocol_option<&redact_call::protocol>(), depth_option<&redact_call::bounds>());

const signature_of<redact_call>& redact_signature() {
  static constexpr positional list[] = {{"data"}};
  static const signature_of<redact_call> signature("redact", {list, true}, redact_table);
  return signature;
}

/// Calls `report` with the counts. False with a Python error set.
bool call_report(PyObject* report, const redact_report& counts) {
  static shared_object cached;
  PyObject* const of = imported(cached, "thriftlens._schema.results", "RedactReport");
  if (of == nullptr) return false;
  const object numbers(PyObject_CallFunction(of, "nnn", static_cast<Py_ssize_t>(counts.replaced),
                                             static_cast<Py_ssize_t>(counts.dropped),
                                             static_cast<Py_ssize_t>(counts.unknown)));
  return numbers && object(PyObject_CallFunctionObjArgs(report, numbers.get(), nullptr));
}

/// The argument `report`, which is not part of the compiled call, or null.
PyObject* report_argument(const arguments& args) {
  static shared_object cached;
  PyObject* const name = interned(cached, "report");
  for (Py_ssize_t i = 0; i < args.by_name(); ++i) {
    if (args.name(i) == name) return args.named(i) == Py_None ? nullptr : args.named(i);
  }
  return nullptr;
}

PyObject* redact_method(PyObject* self, const arguments& args) {
  const type_object& of = type_of(self);
  positional_values positionals;
  const auto compile = [&](const redact_call& call) { return compile_redaction(of.of, call); };
  const auto call =
      compiled_call<compiled_redaction>(of.caches->calls, redact_signature(), args, positionals, compile);
  bytes_like data;
  if (call == nullptr || !data.take(positionals[0])) return nullptr;
  redact_report counts;
  object redacted(bytes_of(data.bytes().size(), [&](buffer& out) {
    return visit_protocol(call->protocol, [&](auto tag) -> result<void> {
      const view<decltype(tag)> root(data.bytes(), of.of, call->bounds);
      const result<redact_report> report = try_append_redacted(root, call->rules, out);
      if (!report) return report.error();
      counts = *report;
      return {};
    });
  }));
  PyObject* const report = report_argument(args);
  const bool is_reported = redacted && (report == nullptr || call_report(report, counts));
  return is_reported ? redacted.release() : nullptr;
}

const signature_of<redact_call>& redactions_signature() {
  static const signature_of<redact_call> signature("redactions", {}, redaction_table);
  return signature;
}
PyObject* redactions_method(PyObject* self, const arguments& args) {
  static shared_object cached;
  redact_call call;
  PyObject* const row = imported(cached, "thriftlens._schema.results", "Redaction");
  if (row == nullptr || !redactions_signature().read(args, nullptr, call)) return nullptr;
  const auto compiled = compile_redaction(type_of(self).of, call);
  object rows(compiled == nullptr ? nullptr : PyList_New(0));
  if (!rows) return nullptr;
  for (const redact_entry& entry : compiled->rules.listing()) {
    const object path(shown_text(entry.path)), action(shown_text(entry.action)),
        reason(shown_text(entry.reason));
    if (!path || !action || !reason) return nullptr;
    if (!append_new(rows, PyObject_CallFunctionObjArgs(row, path.get(), action.get(), reason.get(), nullptr)))
      return nullptr;
  }
  return rows.release();
}

// ---- validate

struct validate_call {
  validate_options checks = {};
  protocol_id protocol = protocol_id::binary;
};
constexpr auto validate_table =
    table(choice<&validate_call::checks, &validate_options::unknown>("unknown"),
          choice<&validate_call::checks, &validate_options::invalid_utf8>("invalid_utf8"),
          choice<&validate_call::checks, &validate_options::enums>("enums"),
          choice<&validate_call::checks, &validate_options::keys>("keys"),
          choice<&validate_call::checks, &validate_options::rules>("rules"),
          choice<&validate_call::checks, &validate_options::missing_required>("missing_required"),
          choice<&validate_call::checks, &validate_options::foreign>("foreign"),
          protocol_option<&validate_call::protocol>(),
          depth_option<&validate_call::checks, &validate_options::limits>());
constexpr auto findings_table = table(
    number<&validate_call::checks, &validate_options::max_findings>("most", 1, 0xffffffffu), validate_table);

constexpr positional checked_list[] = {{"data"}};
const signature_of<validate_call>& validate_signature() {
  static const signature_of<validate_call> signature("validate", {checked_list, true}, validate_table);
  return signature;
}
const signature_of<validate_call>& findings_signature() {
  static const signature_of<validate_call> signature("findings", {checked_list, true}, findings_table);
  return signature;
}

struct compiled_checks {
  validator checks;
  protocol_id protocol;
};
std::shared_ptr<const compiled_checks> compile_checks(type of, const validate_call& call) {
  std::optional<validator> checks = value_or_raise(validator::try_compile(of, call.checks));
  if (!checks) return nullptr;
  return std::make_shared<compiled_checks>(compiled_checks{*std::move(checks), call.protocol});
}

/// False with a Python error set.
[[nodiscard]] bool find_faults(const compiled_checks& call, PyObject* value, std::vector<error>& faults) {
  bytes_like data;
  if (!data.take(value)) return false;
  visit_protocol(call.protocol, [&](auto tag) {
    const unlocked free(data.bytes().size());
    if (!call.checks.template valid<decltype(tag)>(data.bytes()))
      faults = call.checks.template findings<decltype(tag)>(data.bytes());
  });
  return true;
}

PyObject* validate_method(PyObject* self, const arguments& args) {
  const type_object& of = type_of(self);
  positional_values positionals;
  const auto compile = [&](validate_call call) {
    call.checks.max_findings = 1;
    return compile_checks(of.of, call);
  };
  const auto call =
      compiled_call<compiled_checks>(of.caches->calls, validate_signature(), args, positionals, compile);
  std::vector<error> faults;
  if (call == nullptr || !find_faults(*call, positionals[0], faults)) return nullptr;
  return faults.empty() ? new_reference(Py_None) : raise(faults.front(), family::decode);
}

PyObject* findings_method(PyObject* self, const arguments& args) {
  const type_object& of = type_of(self);
  positional_values positionals;
  const auto compile = [&](const validate_call& call) { return compile_checks(of.of, call); };
  const auto call =
      compiled_call<compiled_checks>(of.caches->calls, findings_signature(), args, positionals, compile);
  std::vector<error> faults;
  if (call == nullptr || !find_faults(*call, positionals[0], faults)) return nullptr;
  object list(PyList_New(0));
  for (const error& fault : faults) {
    if (!append_new(list, exception_of(fault, family::decode))) return nullptr;
  }
  return list.release();
}

}  // namespace

std::span<const method> policy_methods() {
  static const method methods[] = {
      {redact_signature(), relaxed_method<redact_method, redact_signature>(), redact_doc},
      {redactions_signature(), relaxed_method<redactions_method, redactions_signature>(), redactions_doc},
      {findings_signature(), relaxed_method<findings_method, findings_signature>(), findings_doc},
      {validate_signature(), relaxed_method<validate_method, validate_signature>(), validate_doc}};
  return methods;
}

}  // namespace thriftlens::python
