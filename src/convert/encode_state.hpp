// encode_state: the output, schema, options and error of an encoding.
#pragma once

#include "convert/value.hpp"
#include "support/argument.hpp"

#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/struct_ids.hpp>
#include <thriftlens/protocol/unknown_key.hpp>

#include <algorithm>

namespace thriftlens::python {

namespace image = detail::image;
using image::type_node;

/// A field in the order of the keys: the slot of a known one, or the value of an unknown one.
struct ordered_field {
  std::uint32_t at = image::none;
  std::int16_t id = 0;
  object item;
};

/// Shared by the functions that encode values. They return false with an error here or a Python
/// error set.
class encode_state {
 public:
  encode_state(schema_keys& keys, buffer& output, const encode_options& encoder_options)
      : out(output),
        schema(keys.image()),
        fields(schema.fields.data()),
        types(schema.types.data()),
        names(keys.fields(encoder_options.names)),
        layouts(keys.layouts),
        table(keys.table.get()),
        options(encoder_options),
        depth_left_(std::min(options.bounds.depth, limits::max_depth)) {}
  encode_state(const encode_state&) = delete;
  encode_state& operator=(const encode_state&) = delete;

  buffer& out;
  const schema_image& schema;
  const image::field_node* const fields;
  const type_node* const types;
  PyObject* const* const names;
  layout_cache& layouts;
  PyObject* const table;  // of schema_keys; may be null
  const encode_options& options;
  std::vector<object> slots;         // field values of the open structs
  std::vector<ordered_field> order;  // fields of the open structs that may have unknown fields
  std::vector<std::pair<std::size_t, std::size_t>> set_elements;  // begin and end of those of the open sets
  bool keeps_view = false;  // inside a decoded view that keeps its unknown fields
  detail::path_builder path{detail::path_builder::order::innermost_first};

  /// Writes at most 16 bytes.
  template <class Write>
  THRIFTLENS_INLINE void put(Write write) {
    out.commit(write(out.prepare(16)));
  }

  [[nodiscard]] std::uint32_t depth_left() const noexcept { return depth_left_; }
  [[nodiscard]] bool enter() {
    if (depth_left_ == 0) [[unlikely]]
      return fail(errc::depth_limit);
    --depth_left_;
    return true;
  }
  /// Enters a container of that many elements.
  [[nodiscard]] bool enter(Py_ssize_t count) {
    return enter() && (count <= 0x7fffffff || fail(errc::size_limit));
  }
  void leave() noexcept { ++depth_left_; }

  [[nodiscard]] bool keeps_unknown() const noexcept { return keeps_view || options.keeps_unknown(); }
  /// Counts an unknown field of the struct whose output starts at `begin`.
  [[nodiscard]] bool add_unknown_id(std::size_t begin, std::int16_t id) {
    return ids_.add(begin, id) || fail(errc::duplicate_field) || path.field_id(id);
  }

  // Errors: all return false.

  bool fail(errc code, std::string detail = {}) {
    code_ = code;
    detail_ = std::move(detail);
    return false;
  }
  THRIFTLENS_COLD bool fail_at(errc code, std::uint32_t field) { return fail(code) || add_field_step(field); }
  /// An error in the bytes of a view.
  bool fail_in_view(const error& inside) {
    path_in_view_ = inside.path().substr(std::min<std::size_t>(1, inside.path().size()));
    return fail(inside.code(), std::string(inside.detail()));
  }
  THRIFTLENS_COLD bool add_field_step(std::uint32_t field) {
    return path.field(schema.view(schema.field_texts[field].name));
  }
  /// An object of the wrong type. Replaces a Python error.
  THRIFTLENS_COLD bool mismatch(const std::string& expected, PyObject* from) {
    PyErr_Clear();
    return fail(errc::value_type, "expected " + expected + ", got " + name_of(from));
  }
  THRIFTLENS_COLD bool mismatch(const type_node& type, PyObject* from) {
    return mismatch(described(type).name(), from);
  }
  [[nodiscard]] thriftlens::type described(const type_node& type) const noexcept {
    return {&schema, static_cast<std::uint32_t>(&type - types)};
  }
  /// A TypeError becomes a mismatch; other Python errors are passed on.
  bool mismatch_unless_raised(const type_node& type, PyObject* from) {
    if (PyErr_Occurred() != nullptr && !PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    return mismatch(type, from);
  }
  /// A conversion that raised a TypeError or ValueError: its text, or that of mismatch() if it has none.
  THRIFTLENS_COLD bool fail_as_raised(const type_node& type, PyObject* from) {
    std::string text;
    with_raised([&](PyObject* exception) {
      const object shown(PyObject_Str(exception));
      std::string_view utf8;
      if (shown && utf8_of(shown.get(), utf8)) text = utf8;
    });
    PyErr_Clear();
    return text.empty() ? mismatch(type, from) : fail(errc::value_type, std::move(text));
  }
  THRIFTLENS_COLD bool out_of_range(const type_node& type, PyObject* from) {
    std::string shown = "a number";
    if (object repr{PyObject_Repr(from)}; repr && PyUnicode_GET_LENGTH(repr.get()) <= 40) {
      if (const char* text = PyUnicode_AsUTF8(repr.get())) shown = text;
    }
    PyErr_Clear();
    return out_of_range(type.kind, shown);
  }
  bool out_of_range(type_kind kind, const std::string& number) {
    return fail(errc::value_range, number + " is outside the range of " + std::string(to_string(kind)));
  }
  static bool changed() {
    return raise_as(PyExc_RuntimeError, "a container was changed while it was encoded");
  }
  static std::string name_of(PyObject* value) { return value == Py_None ? "None" : Py_TYPE(value)->tp_name; }

  [[nodiscard]] error reason() {
    return error(code_, std::move(detail_), error::no_offset, path.text() + path_in_view_);
  }

 private:
  std::uint32_t depth_left_;
  detail::struct_ids ids_;  // by the start of their struct in the output
  errc code_ = errc::ok;
  std::string detail_;
  std::string path_in_view_;
};

/// Encodes a value of any kind. `format`: binary or compact.
bool encode_value(protocol auto format, encode_state& state, const type_node& type, PyObject* from);

/// Whether it is the key of an unknown field, such as "#5".
[[nodiscard]] inline bool is_unknown_key(PyObject* key, std::int16_t& id) {
  if (!PyUnicode_Check(key) || !PyUnicode_IS_COMPACT_ASCII(key)) return false;
  const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(key));
  return detail::parse_unknown_key({static_cast<const char*>(PyUnicode_DATA(key)), size}, id);
}

}  // namespace thriftlens::python
