// policy: redact and validate.
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

constexpr auto redact_signature = named_signature<"redact", redact_table, "data">;

/// Calls `report` with the counts. False with a Python error set.
bool call_report(PyObject* report, const redact_report& counts) {
  PyObject* const of = imported<"thriftlens._schema.results", "RedactReport">();
  return of != nullptr && object(new_of(report, new_of(of, counts.replaced, counts.dropped, counts.unknown)));
}

/// The argument `report`, which is not part of the compiled call, or null.
PyObject* report_argument(const arguments& args) {
  PyObject* const name = name_of_attribute<"report">();
  for (Py_ssize_t i = 0; i < args.by_name(); ++i) {
    if (args.name(i) == name) return args.named(i) == Py_None ? nullptr : args.named(i);
  }
  return nullptr;
}

result<redact_report> try_append_redacted_to(type of, byte_view data, const compiled_redaction& call,
                                             buffer& out) {
  return visit_protocol(call.protocol, [&](auto tag) {
    return try_append_redacted(view<decltype(tag)>(data, of, call.bounds), call.rules, out);
  });
}
/// The redacted bytes of an argument. Null with a Python error set.
PyObject* redacted_bytes(type of, PyObject* argument, const compiled_redaction& call, redact_report& counts) {
  bytes_like data;
  if (!data.take(argument)) return nullptr;
  return bytes_of(data.bytes().size(), [&](buffer& out) -> result<void> {
    const result<redact_report> report = try_append_redacted_to(of, data.bytes(), call, out);
    if (!report) return report.error();
    counts = *report;
    return {};
  });
}
PyObject* redact_method(PyObject* self, const arguments& args) {
  const type_object& of = type_of(self);
  positional_values positionals;
  const auto compile = [&](const redact_call& call) { return compile_redaction(of.of, call); };
  const auto call =
      compiled_call<compiled_redaction>(of.caches->calls, redact_signature(), args, positionals, compile);
  redact_report counts;
  object redacted(call == nullptr ? nullptr : redacted_bytes(of.of, positionals[0], *call, counts));
  PyObject* const report = report_argument(args);
  const bool is_reported = redacted && (report == nullptr || call_report(report, counts));
  return is_reported ? redacted.release() : nullptr;
}

constexpr auto redactions_signature = signature_from<"redactions", no_positionals, redaction_table>;
PyObject* redactions_method(PyObject* self, PyObject**, const redact_call& call) {
  PyObject* const row = imported<"thriftlens._schema.results", "Redaction">();
  const auto compiled = compile_redaction(type_of(self).of, call);
  if (row == nullptr || compiled == nullptr) return nullptr;
  return new_list(compiled->rules.listing(), [row](const redact_entry& entry) {
    return new_of(row, entry.path, entry.action, entry.reason);
  });
}

// ---- validate

struct validate_call {
  validate_options checks = {};
  protocol_id protocol = protocol_id::binary;
};
constexpr auto validate_table =
    table(choice<&validate_call::checks, &validate_options::unknown>("unknown"),
          choice<&validate_call::checks, &validate_options::invalid_utf8>("invalid_utf8"),
          choice<&validate_call::checks, &validate_options::enum_numbers>("enum_numbers"),
          choice<&validate_call::checks, &validate_options::keys>("keys"),
          choice<&validate_call::checks, &validate_options::rules>("rules"),
          choice<&validate_call::checks, &validate_options::missing_required>("missing_required"),
          choice<&validate_call::checks, &validate_options::foreign>("foreign"),
          protocol_option<&validate_call::protocol>(),
          depth_option<&validate_call::checks, &validate_options::limits>());
constexpr auto findings_table =
    table(number<&validate_call::checks, &validate_options::max_findings>("max_findings", 1, 0xffffffffu),
          validate_table);

constexpr auto validate_signature = named_signature<"validate", validate_table, "data">;
constexpr auto findings_signature = named_signature<"findings", findings_table, "data">;

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

/// As find_faults, of a call of a method with that signature.
template <auto Signature>
[[nodiscard]] bool find_faults(PyObject* self, const arguments& args, std::size_t max_findings,
                               std::vector<error>& faults) {
  const type_object& of = type_of(self);
  positional_values positionals;
  const auto compile = [&](validate_call call) {
    call.checks.max_findings = std::min(call.checks.max_findings, max_findings);
    return compile_checks(of.of, call);
  };
  const auto call = compiled_call<compiled_checks>(of.caches->calls, Signature(), args, positionals, compile);
  return call != nullptr && find_faults(*call, positionals[0], faults);
}
PyObject* validate_method(PyObject* self, const arguments& args) {
  std::vector<error> faults;
  if (!find_faults<validate_signature>(self, args, 1, faults)) return nullptr;
  return faults.empty() ? new_none() : raise(faults.front(), family::decode);
}
PyObject* findings_method(PyObject* self, const arguments& args) {
  std::vector<error> faults;
  if (!find_faults<findings_signature>(self, args, PY_SSIZE_T_MAX, faults)) return nullptr;
  return new_list(faults, [](const error& fault) { return exception_of(fault, family::decode); });
}

}  // namespace

std::span<const method> policy_methods() {
  static const method methods[] = {relaxed_call<redact_signature, redact_method>(redact_doc),
                                   relaxed_method<redactions_signature, redactions_method>(redactions_doc),
                                   relaxed_call<findings_signature, findings_method>(findings_doc),
                                   relaxed_call<validate_signature, validate_method>(validate_doc)};
  return methods;
}

}  // namespace thriftlens::python
