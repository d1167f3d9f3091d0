// json: to_json and from_json.
#include "call/common_options.hpp"
#include "call/relaxations.hpp"
#include "convert/json_text.hpp"
#include "convert/wire_bytes.hpp"
#include "docs/json_docs.hpp"
#include "schema/type_object.hpp"
#include "support/argument.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/to_json.hpp>

namespace thriftlens::python {

namespace {

struct to_json_call {
  wire_form protocol = wire_form::binary;
  to_json_options json = {};
  PyObject* select = nullptr;
};
constexpr auto to_json_table = table(
    protocol_option<&to_json_call::protocol>(),
    choice<&to_json_call::json, &to_json_options::format, &to_json_format::enums>("enums"),
    choice<&to_json_call::json, &to_json_options::format, &to_json_format::int64>("int64"),
    choice<&to_json_call::json, &to_json_options::leniency, &to_json_leniency::nonfinite>("nonfinite"),
    choice<&to_json_call::json, &to_json_options::leniency, &to_json_leniency::unknown>("unknown"),
    choice<&to_json_call::json, &to_json_options::defaults>("defaults"),
    choice<&to_json_call::json, &to_json_options::names>("names"),
    choice<&to_json_call::json, &to_json_options::leniency, &to_json_leniency::invalid_utf8>("invalid_utf8"),
    choice<&to_json_call::json, &to_json_options::leniency, &to_json_leniency::mismatch>("mismatch"),
    choice<&to_json_call::json, &to_json_options::leniency, &to_json_leniency::duplicates>("duplicates"),
    flag_or_number<&to_json_call::json, &to_json_options::format, &to_json_format::pretty>("pretty", 16, 2),
    choice<&to_json_call::json, &to_json_options::leniency, &to_json_leniency::missing_required>(
        "missing_required"),
    any_object<&to_json_call::select>("select"),
    depth_option<&to_json_call::json, &to_json_options::limits>(),
    output_size_option<&to_json_call::json, &to_json_options::limits>());

constexpr auto to_json_signature = signature_from<"to_json", required_positionals<"data">, to_json_table>;
PyObject* to_json_method(PyObject* self, PyObject** positionals, to_json_call& call) {
  const type_object& of = type_of(self);
  wire_bytes data;
  if (!data.take(positionals[0], call.protocol, of.of, call.json.limits.depth)) return nullptr;
  std::optional<selection> select;
  if (!is_omitted(call.select)) {
    select = of.caches->selections.find(of.of, call.select);
    if (!select) return nullptr;
    call.json.select = &*select;
  }
  const auto write = [&](buffer& out) {
    return try_append_json(protocol_of(call.protocol), of.of, data.bytes(), out, call.json);
  };
  return bytes_of(data.bytes().size(), write, family::decode);
}

struct from_json_call {
  wire_form protocol = wire_form::binary;
  from_json_options json = {};
};
constexpr auto from_json_table = table(
    protocol_option<&from_json_call::protocol>(),
    choice<&from_json_call::json, &from_json_options::leniency, &from_json_leniency::unknown>("unknown"),
    choice<&from_json_call::json, &from_json_options::leniency, &from_json_leniency::quoted_numbers>(
        "quoted_numbers"),
    choice<&from_json_call::json, &from_json_options::leniency, &from_json_leniency::base64>("base64"),
    choice<&from_json_call::json, &from_json_options::leniency, &from_json_leniency::duplicates>(
        "duplicates"),
    choice<&from_json_call::json, &from_json_options::leniency, &from_json_leniency::nonfinite>("nonfinite"),
    choice<&from_json_call::json, &from_json_options::defaults>("defaults"),
    choice<&from_json_call::json, &from_json_options::names>("names"),
    choice<&from_json_call::json, &from_json_options::leniency, &from_json_leniency::missing>("missing"),
    choice<&from_json_call::json, &from_json_options::leniency, &from_json_leniency::invalid_utf8>(
        "invalid_utf8"),
    depth_option<&from_json_call::json, &from_json_options::limits>(),
    output_size_option<&from_json_call::json, &from_json_options::limits>());

constexpr auto from_json_signature =
    signature_from<"from_json", required_positionals<"text">, from_json_table>;
PyObject* from_json_method(PyObject* self, PyObject** positionals, const from_json_call& call) {
  json_text text;
  if (!text.take(positionals[0])) return nullptr;
  const auto write = [&](buffer& out) {
    return try_append_from_json(protocol_of(call.protocol), type_of(self).of, text.text(), out, call.json);
  };
  PyObject* bytes = bytes_of(text.text().size(), write, family::json);
  return in_form(bytes, call.protocol, type_of(self).of, call.json.limits);
}

}  // namespace

std::span<const method> json_methods() {
  static const method methods[] = {relaxed_method<to_json_signature, to_json_method>(to_json_doc),
                                   relaxed_method<from_json_signature, from_json_method>(from_json_doc)};
  return methods;
}

}  // namespace thriftlens::python
