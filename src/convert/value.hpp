// value: between wire bytes and Python objects, the two directions as the module calls them. Never holds a
// tree in between.
#pragma once

#include "caches/schema_keys.hpp"
#include "call/wire_form.hpp"

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/view/view.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace thriftlens::python {

/// Whose fault an error is, and so which class it is raised as.
enum class family : std::uint8_t { plain, decode, encode, schema, json };

/// The family a code belongs to where the operation does not say.
[[nodiscard]] constexpr family family_of(errc code) noexcept {
  switch (thriftlens::detail::kind(code)) {
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
/// The error as an exception of its class of thriftlens. Null with a Python error set.
[[nodiscard]] PyObject* exception_of(const error& reason, family kind);
/// Raises the error as its class of thriftlens. Always null.
PyObject* raise(const error& reason, family kind);
/// The same, as the class that the code belongs to.
inline PyObject* raise_error(const error& reason) { return raise(reason, family_of(reason.code())); }
/// The value, or nothing with the error raised.
template <class T>
[[nodiscard]] std::optional<T> value_or_raise(result<T> given) {
  if (given) return *std::move(given);
  raise_error(given.error());
  return std::nullopt;
}
/// A str of text from outside, which may hold anything: what is not UTF-8 is shown as U+FFFD. Null with a
/// Python error set.
[[nodiscard]] inline PyObject* shown_text(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}
/// Exceptions that are raised to be dropped more often than not, as by hasattr: their text is made when
/// somebody looks.
enum class late : std::uint8_t { absent, unknown_name };
/// Raises one with a new reference to what its constructor takes for a reason: a view, or a view and a name.
/// Always null.
PyObject* raise_later(late kind, PyObject* reason);
struct record_place;
/// Says in the Error that is set, if it is one of thriftlens, in which record it is. Always null.
PyObject* raise_in_record(const record_place& place);
/// The error of a str that has no UTF-8.
inline constexpr char unpaired_surrogate[] = "a str with an unpaired surrogate cannot be encoded as UTF-8";
/// The text of a str, which lives as long as it does. False with `code` raised where it has no UTF-8 (lone
/// surrogates), or with another Python error set.
[[nodiscard]] bool utf8_of(PyObject* text, std::string_view& found, errc code, family kind);
/// Findings of a load as a list of tuples, in the order of thriftlens.Diagnostic. Null with a Python error
/// set.
[[nodiscard]] PyObject* findings(const std::vector<diagnostic>& all);

/// What decode makes of enums.
enum class enum_values : std::uint8_t {
  number,
  name,    ///< numbers without a name stay numbers
  member,  ///< of an IntEnum class; the same
};

/// The words are those of JSON, which decode stands beside.
struct decode_options {
  protocol_id protocol = protocol_id::binary;
  wire_form form = wire_form::binary;  // of decode(), which sets protocol by it
  enum_values enums = enum_values::number;
  thriftlens::choice<on_unknown::drop, on_unknown::error, on_unknown::keep> unknown = {};
  on_absent defaults = on_absent::omit;
  thriftlens::choice<json_names::field, json_names::alias> names = {};
  thriftlens::choice<on_invalid_utf8::error, on_invalid_utf8::replace, on_invalid_utf8::surrogateescape>
      invalid_utf8 = {};
  thriftlens::choice<on_mismatch::error, on_mismatch::drop> mismatch = {};
  on_duplicate duplicates = on_duplicate::error;
  thriftlens::choice<on_missing::error, on_missing::omit> missing_required = {};
  limits bounds = {};

  [[nodiscard]] bool writes_defaults() const noexcept { return defaults == on_absent::write; }
  [[nodiscard]] bool omits_missing() const noexcept { return missing_required == on_missing::omit; }
  [[nodiscard]] bool skips_mismatch() const noexcept { return mismatch == on_mismatch::drop; }
  [[nodiscard]] bool takes_last() const noexcept { return duplicates == on_duplicate::last; }
};

/// Nothing there: absent, or a required field that is missing where the options take that for absent.
template <protocol Protocol>
[[nodiscard]] bool is_absent(const view<Protocol>& at, const decode_options& options) noexcept {
  return at.presence() == presence::absent ||
         (options.omits_missing() && at.code() == errc::missing_required);
}

struct encode_options {
  protocol_id protocol = protocol_id::binary;
  wire_form form = wire_form::binary;  // of encode(), which sets protocol by it
  thriftlens::choice<on_unknown::error, on_unknown::drop, on_unknown::keep> unknown = {};
  thriftlens::choice<on_missing::error, on_missing::zero> missing = {};
  on_absent defaults = on_absent::omit;
  thriftlens::choice<json_names::field, json_names::alias> names = {};
  /// A str with lone surrogates.
  thriftlens::choice<on_invalid_utf8::error, on_invalid_utf8::replace, on_invalid_utf8::surrogateescape>
      invalid_utf8 = {};
  limits bounds = {};
  /// The same of views; nothing: as each of them was made.
  std::optional<on_unknown> views = {};

  [[nodiscard]] bool skips_unknown() const noexcept { return unknown == on_unknown::drop; }
  [[nodiscard]] bool keeps_unknown() const noexcept { return unknown == on_unknown::keep; }
  [[nodiscard]] bool writes_defaults() const noexcept { return defaults == on_absent::write; }
  [[nodiscard]] bool by_alias() const noexcept { return names == json_names::alias; }
};

/// The value of that type that `data` holds from its first to its last byte. Null with a Python error set.
[[nodiscard]] PyObject* decode(schema_keys& keys, type of, byte_view data, const decode_options& options);
/// Raises an error of reading under these options; it names one that accepts the input. Always null.
PyObject* raise(const error& reason, family kind, const decode_options& options);
/// The value that a view is of. Null with a Python error set.
template <protocol Protocol>
[[nodiscard]] PyObject* decode_view(schema_keys& keys, const view<Protocol>& of,
                                    const decode_options& options);
/// The same as a map key: what is no scalar is frozen.
template <protocol Protocol>
[[nodiscard]] PyObject* decode_key(schema_keys& keys, const view<Protocol>& of,
                                   const decode_options& options);
/// The bytes of a value at the end of `out`, which is as before after an error. False with a Python error
/// set.
[[nodiscard]] bool append_encoded(schema_keys& keys, type of, PyObject* value, buffer& out,
                                  const encode_options& options);
enum class encoded : std::uint8_t { done, refused, raised };
/// As append_encoded, but a value that the type does not take is `refused`: `why` says the reason, and no
/// Python error is set.
[[nodiscard]] encoded try_append_encoded(schema_keys& keys, type of, PyObject* value, buffer& out,
                                         const encode_options& options, error& why);
/// The bytes of a value. Null with a Python error set.
[[nodiscard]] PyObject* encode(schema_keys& keys, type of, PyObject* value, const encode_options& options);

}  // namespace thriftlens::python
