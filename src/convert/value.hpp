// value: converts between wire bytes and Python objects.
#pragma once

#include "caches/schema_keys.hpp"
#include "call/wire_form.hpp"
#include "support/to_python.hpp"

#include <thriftlens/core/enum_values.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/view/view.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace thriftlens::python {

/// The exception class of an error.
enum class family : std::uint8_t { plain, decode, encode, schema, json };

/// The default family of a code.
[[nodiscard]] constexpr family family_of(errc code) noexcept {
  switch (detail::kind(code)) {
    case error_kind::decode:
      return family::decode;
    case error_kind::encode:
      return family::encode;
    case error_kind::schema:
      return family::schema;
    case error_kind::json:
      return family::json;
    case error_kind::plain:
      break;
  }
  return family::plain;
}
/// The offset of an error, or None. Null with a Python error set.
[[nodiscard]] inline PyObject* offset_or_none(const error& reason) {
  return reason.offset() == error::no_offset ? new_none() : to_python(reason.offset());
}
[[nodiscard]] inline PyObject* record_or_none(const error& reason) {
  return reason.record() == error::no_record ? new_none() : to_python(reason.record());
}
[[nodiscard]] inline PyObject* hint_or_none(const error& reason) {
  return reason.hint().empty() ? new_none() : to_python(reason.hint());
}
/// The error as an exception object. Null with a Python error set.
[[nodiscard]] PyObject* exception_of(const error& reason, family kind);
/// Like exception_of; None for the code ok.
[[nodiscard]] inline PyObject* exception_or_none(const error& reason, family kind) {
  return reason.code() == errc::ok ? new_none() : exception_of(reason, kind);
}
/// Raises the error. Always null.
PyObject* raise(const error& reason, family kind);
/// Raises an exception object about a record, whose number becomes its `record`. Always null.
PyObject* raise_at_record(const object& exception, std::int64_t number);
/// Raises the error in the default family of its code. Always null.
inline PyObject* raise_error(const error& reason) { return raise(reason, family_of(reason.code())); }
/// The value, or nothing with the error raised.
template <class T>
[[nodiscard]] std::optional<T> value_or_raise(result<T> value) {
  if (value) return *std::move(value);
  raise_error(value.error());
  return std::nullopt;
}
/// Exceptions whose text is created lazily: most are discarded, for example by hasattr.
enum class late : std::uint8_t { absent, unknown_name };
/// Raises one with a new reference to its constructor's argument: a view, or a view and a name. Always null.
PyObject* raise_later(late kind, PyObject* reason);
struct record_location;
/// Adds the record to the current Python error if it is a thriftlens.Error. Always null.
PyObject* raise_in_record(const record_location& location);
inline constexpr char empty_input[] = "the input is empty";  ///< a hint
inline constexpr char unpaired_surrogate[] = "a str with an unpaired surrogate cannot be encoded as UTF-8";
/// The UTF-8 of a str, valid while the str lives. False with `code` raised for unpaired surrogates, or with
/// another Python error set.
[[nodiscard]] bool utf8_of(PyObject* text, std::string_view& utf8, errc code, family kind);
/// Diagnostics as a list of tuples with the members of thriftlens.Diagnostic. Null with a Python error set.
[[nodiscard]] PyObject* findings(const std::vector<diagnostic>& diagnostics);

/// The handling of data that do not match the IDL.
struct decode_leniency {
  thriftlens::choice<on_unknown::drop, on_unknown::error, on_unknown::keep> unknown = {};
  thriftlens::choice<on_invalid_utf8::error, on_invalid_utf8::replace, on_invalid_utf8::surrogateescape>
      invalid_utf8 = {};
  thriftlens::choice<on_mismatch::error, on_mismatch::drop> mismatch = {};
  on_duplicate duplicates = on_duplicate::error;
  thriftlens::choice<on_missing::error, on_missing::omit> missing_required = {};
};
struct decode_options {
  protocol_id protocol = protocol_id::binary;
  wire_form form = wire_form::binary;  // of decode(), which sets protocol by it
  thriftlens::choice<enum_values::number, enum_values::name, enum_values::member> enums = {};
  on_absent defaults = on_absent::omit;
  thriftlens::choice<json_names::field, json_names::alias> names = {};
  decode_leniency leniency = {};
  limits bounds = {};
  PyObject* into = nullptr;  // of decode() and decoder(): the class or annotation of the result; borrowed

  [[nodiscard]] bool writes_defaults() const noexcept { return defaults == on_absent::write; }
  [[nodiscard]] bool omits_missing() const noexcept { return leniency.missing_required == on_missing::omit; }
  [[nodiscard]] bool skips_mismatch() const noexcept { return leniency.mismatch == on_mismatch::drop; }
  [[nodiscard]] bool takes_last() const noexcept { return leniency.duplicates == on_duplicate::last; }
};

/// Absent, or a missing required field if the options accept that.
template <protocol Protocol>
[[nodiscard]] bool is_absent(const view<Protocol>& at, const decode_options& options) noexcept {
  return at.presence() == presence::absent ||
         (options.omits_missing() && at.code() == errc::missing_required);
}

/// The handling of keys and fields that the IDL does not declare.
struct encode_unknown {
  thriftlens::choice<on_unknown::error, on_unknown::drop, on_unknown::keep> of_objects = {};
  std::optional<on_unknown> of_views = {};  ///< nullopt: the option of the view
};
struct encode_options {
  protocol_id protocol = protocol_id::binary;
  wire_form form = wire_form::binary;  // of encode(), which sets protocol by it
  encode_unknown unknown = {};
  thriftlens::choice<on_missing::error, on_missing::zero> missing = {};
  on_absent defaults = on_absent::omit;
  thriftlens::choice<json_names::field, json_names::alias> names = {};
  /// Of str with unpaired surrogates.
  thriftlens::choice<on_invalid_utf8::error, on_invalid_utf8::replace, on_invalid_utf8::surrogateescape>
      invalid_utf8 = {};
  limits bounds = {};

  [[nodiscard]] bool skips_unknown() const noexcept { return unknown.of_objects == on_unknown::drop; }
  [[nodiscard]] bool keeps_unknown() const noexcept { return unknown.of_objects == on_unknown::keep; }
  [[nodiscard]] bool writes_defaults() const noexcept { return defaults == on_absent::write; }
  [[nodiscard]] bool by_alias() const noexcept { return names == json_names::alias; }
};

struct model_node;
/// Decodes `data`, which must be exactly one value; `model`: null, or what it becomes. Null with a Python
/// error set.
[[nodiscard]] PyObject* decode(schema_keys& keys, type of, byte_view data, const decode_options& options,
                               const model_node* model = nullptr);
/// Raises a decoding error; it names an option that accepts the input, if there is one. Always null.
PyObject* raise(const error& reason, family kind, const decode_options& options);
/// Decodes the value of a view. Null with a Python error set.
template <protocol Protocol>
[[nodiscard]] PyObject* decode_view(schema_keys& keys, const view<Protocol>& of,
                                    const decode_options& options);
/// Like decode_view, in the hashable form of map keys.
template <protocol Protocol>
[[nodiscard]] PyObject* decode_key(schema_keys& keys, const view<Protocol>& of,
                                   const decode_options& options);
/// Appends the bytes of a value; `out` is unchanged after an error. False with a Python error set.
[[nodiscard]] bool append_encoded(schema_keys& keys, type of, PyObject* value, buffer& out,
                                  const encode_options& options);
enum class encoded : std::uint8_t { ok, refused, raised };
/// Like append_encoded, but an invalid value returns `refused` with `reason` set, without a Python error.
[[nodiscard]] encoded try_append_encoded(schema_keys& keys, type of, PyObject* value, buffer& out,
                                         const encode_options& options, error& reason);
/// The bytes of a value. Null with a Python error set.
[[nodiscard]] PyObject* encode(schema_keys& keys, type of, PyObject* value, const encode_options& options);

}  // namespace thriftlens::python
