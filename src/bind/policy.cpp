// policy: redact and validate.
#include "call/method.hpp"
#include "call/redact_call.hpp"
#include "call/relaxations.hpp"
#include "call/type_docs.hpp"
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
  static const signature_of<redact_call> made("redact", {list, true}, redact_table);
  return made;
}

/// Calls `report` with the numbers. False with a Python error set.
bool call_report(PyObject* report, const redact_report& done) {
  static shared_object cached;
  PyObject* const of = imported(cached, "thriftlens._schema.results", "RedactReport");
  if (of == nullptr) return false;
  const object numbers(PyObject_CallFunction(of, "nnn", static_cast<Py_ssize_t>(done.replaced),
                                             static_cast<Py_ssize_t>(done.dropped),
                                             static_cast<Py_ssize_t>(done.unknown)));
  return numbers && object(PyObject_CallFunctionObjArgs(report, numbers.get(), nullptr));
}

/// What was given for `report`, which is not compiled; null where nothing was.
PyObject* given_report(const arguments& given) {
  static shared_object cached;
  PyObject* const name = interned(cached, "report");
  for (Py_ssize_t i = 0; i < given.by_name(); ++i) {
    if (given.name(i) == name) return given.named(i) == Py_None ? nullptr : given.named(i);
  }
  return nullptr;
}

PyObject* redact_method(PyObject* self, const arguments& given) {
  const type_object& of = type_of(self);
  positional_values found;
  const auto compile = [&](const redact_call& call) { return compile_redaction(of.of, call); };
  const auto call =
      compiled_call<compiled_redaction>(of.caches->calls, redact_signature(), given, found, compile);
  bytes_like data;
  if (call == nullptr || !data.take(found[0])) return nullptr;
  redact_report done;
  object made(bytes_of(data.bytes().size(), [&](buffer& out) {
    return visit_protocol(call->protocol, [&](auto tag) -> result<void> {
      const view<decltype(tag)> root(data.bytes(), of.of, call->bounds);
      const result<redact_report> report = try_append_redacted(root, call->rules, out);
      if (!report) return report.error();
      done = *report;
      return {};
    });
  }));
  PyObject* const report = given_report(given);
  const bool is_told = made && (report == nullptr || call_report(report, done));
  return is_told ? made.release() : nullptr;
}

const signature_of<redact_call>& redactions_signature() {
  static const signature_of<redact_call> made("redactions", {}, redaction_table);
  return made;
}
PyObject* redactions_method(PyObject* self, const arguments& given) {
  static shared_object cached;
  redact_call call;
  PyObject* const row = imported(cached, "thriftlens._schema.results", "Redaction");
  if (row == nullptr || !redactions_signature().read(given, nullptr, call)) return nullptr;
  const auto compiled = compile_redaction(type_of(self).of, call);
  object all(compiled == nullptr ? nullptr : PyList_New(0));
  if (!all) return nullptr;
  for (const redact_entry& each : compiled->rules.listing()) {
    const object path(shown_text(each.path)), action(shown_text(each.action)), why(shown_text(each.reason));
    if (!path || !action || !why) return nullptr;
    const object made(PyObject_CallFunctionObjArgs(row, path.get(), action.get(), why.get(), nullptr));
    if (!made || PyList_Append(all.get(), made.get()) != 0) return nullptr;
  }
  return all.release();
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
  static const signature_of<validate_call> made("validate", {checked_list, true}, validate_table);
  return made;
}
const signature_of<validate_call>& findings_signature() {
  static const signature_of<validate_call> made("findings", {checked_list, true}, findings_table);
  return made;
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
[[nodiscard]] bool find_faults(const compiled_checks& call, PyObject* given, std::vector<error>& found) {
  bytes_like data;
  if (!data.take(given)) return false;
  visit_protocol(call.protocol, [&](auto tag) {
    const unlocked free(data.bytes().size());
    if (!call.checks.template valid<decltype(tag)>(data.bytes()))
      found = call.checks.template findings<decltype(tag)>(data.bytes());
  });
  return true;
}

PyObject* validate_method(PyObject* self, const arguments& given) {
  const type_object& of = type_of(self);
  positional_values found;
  const auto compile = [&](validate_call call) {
    call.checks.max_findings = 1;
    return compile_checks(of.of, call);
  };
  const auto call =
      compiled_call<compiled_checks>(of.caches->calls, validate_signature(), given, found, compile);
  std::vector<error> faults;
  if (call == nullptr || !find_faults(*call, found[0], faults)) return nullptr;
  return faults.empty() ? new_reference(Py_None) : raise(faults.front(), family::decode);
}

PyObject* findings_method(PyObject* self, const arguments& given) {
  const type_object& of = type_of(self);
  positional_values found;
  const auto compile = [&](const validate_call& call) { return compile_checks(of.of, call); };
  const auto call =
      compiled_call<compiled_checks>(of.caches->calls, findings_signature(), given, found, compile);
  std::vector<error> faults;
  if (call == nullptr || !find_faults(*call, found[0], faults)) return nullptr;
  object all(PyList_New(0));
  for (const error& each : faults) {
    const object made(exception_of(each, family::decode));
    if (!all || !made || PyList_Append(all.get(), made.get()) != 0) return nullptr;
  }
  return all.release();
}

}  // namespace

std::span<const method> policy_methods() {
  static const method all[] = {
      {redact_signature(), relaxed_method<redact_method, redact_signature>(), redact_doc},
      {redactions_signature(), relaxed_method<redactions_method, redactions_signature>(), redactions_doc},
      {findings_signature(), relaxed_method<findings_method, findings_signature>(), findings_doc},
      {validate_signature(), relaxed_method<validate_method, validate_signature>(), validate_doc}};
  return all;
}

}  // namespace thriftlens::python
