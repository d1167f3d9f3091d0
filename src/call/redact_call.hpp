// redact_call: the options of redact, redactions and Rewrite.redact.
#pragma once

#include "caches/call_cache.hpp"
#include "call/common_options.hpp"
#include "convert/value.hpp"

#include <thriftlens/policy/redaction.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::python {

struct redact_call {
  redact_options rules = {};
  PyObject* report = nullptr;
  protocol_id protocol = protocol_id::binary;
  limits bounds = {};
};

// These return false with a Python error set.
bool take_text(std::string& to, const char* name, PyObject* value);
/// A mapping of str to str, or None.
bool take_text_map(std::vector<std::pair<std::string, std::string>>& to, const char* name, PyObject* value);
bool take_key(redact_hash::secret_key& to, const char* name, PyObject* value);

inline constexpr auto redaction_table = table(
    converted<&take_text, &redact_call::rules, &redact_options::annotation>("annotation", "''"),
    converted<&take_text_map, &redact_call::rules, &redact_options::values>("values", "None"),
    converted<&take_text, &redact_call::rules, &redact_options::default_action>("default_action", "'blank'"),
    converted<&take_text_map, &redact_call::rules, &redact_options::paths>("paths", "None"),
    converted<&take_text_map, &redact_call::rules, &redact_options::types>("types", "None"),
    converted<&take_key, &redact_call::rules, &redact_options::key>("key", "b''"),
    choice<&redact_call::rules, &redact_options::unknown>("unknown"),
    choice<&redact_call::rules, &redact_options::unmatched>("unmatched"),
    choice<&redact_call::rules, &redact_options::missing_required>("missing_required"));

struct compiled_redaction {
  redaction rules;
  protocol_id protocol;
  limits bounds;
};
/// Null with a Python error set.
[[nodiscard]] std::shared_ptr<const compiled_redaction> compile_redaction(type of, const redact_call& call);

}  // namespace thriftlens::python
