// view_bytes: bodies of view_bytes.hpp.
#include "views/view_bytes.hpp"

#include "views/view_object.hpp"
#include "views/view_parts.hpp"

#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/convert.hpp>

#include <vector>

namespace thriftlens::python {

bool is_view(PyObject* value) { return PyObject_TypeCheck(value, view_class()) != 0; }

on_unknown unknown_in_view(PyObject* view) noexcept { return view_self(view).options.leniency.unknown; }

bool is_strict_view_of(PyObject* view, const detail::image::type_node& type) noexcept {
  const decode_options& options = view_self(view).options;
  const bool is_strict = !options.takes_last() && !options.skips_mismatch();
  return is_strict && with_view(view, [&](const auto& at) { return &at.type().node() == &type; });
}

namespace {

/// The bytes of a view that are a sound value.
template <protocol Protocol>
result<byte_view> try_checked_bytes(const view<Protocol>& at, const validate_options& options) {
  if (at.code() != errc::ok) return at.error();
  const result<validator> check = validator::try_compile(at.type(), options);
  if (!check) return check.error();
  const result<byte_view> bytes = at.is_root() ? result<byte_view>(at.whole()) : at.try_bytes();
  if (!bytes) return bytes.error();
  const std::vector<error> faults = check->template findings<Protocol>(*bytes);
  if (!faults.empty()) return faults.front();
  return *bytes;
}

}  // namespace

result<void> try_append_view(PyObject* view, protocol_id to, on_unknown unknown, const limits& bounds,
                             buffer& out) {
  validate_options options{.limits = bounds,
                           .max_findings = 1,
                           .invalid_utf8 = on_invalid_utf8::keep,
                           .enum_numbers = validate_options::enum_check::any,
                           .rules = validate_options::rule_check::ignore};
  if (unknown == on_unknown::error) options.unknown = on_unknown::error;
  return with_view(view, [&]<class From>(const thriftlens::view<From>& at) -> result<void> {
    const result<byte_view> bytes = try_checked_bytes(at, options);
    if (!bytes) return bytes.error();
    return try_append_converted(From::id, to, *bytes, out, bounds, at.type().wire());
  });
}

PyObject* decode_view_with(PyObject* view, on_unknown unknown, json_names names) {
  decode_options options = view_self(view).options;
  options.leniency.unknown = unknown;
  options.names = names;
  return with_view(view, [&](const auto& at) { return decode_view(*view_self(view).keys, at, options); });
}

}  // namespace thriftlens::python
