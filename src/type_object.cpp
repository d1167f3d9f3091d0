// type_object: argument handling of the hot methods.
#include "type_object.hpp"

#include "bytes_like.hpp"
#include "edit_object.hpp"
#include "guarded.hpp"
#include "lens.hpp"
#include "type_docs.hpp"
#include "view_object.hpp"

namespace thriftlens::python {

namespace {

struct type_object {
  PyObject_HEAD std::shared_ptr<schema_keys> keys;
  type of;
  plan_cache plans;
  selection_cache selections;
  prepared_cache prepared;
};

type_object& self_of(PyObject* self) noexcept { return *reinterpret_cast<type_object*>(self); }

#define THRIFTLENS_PROTOCOL             \
  {                                     \
    "protocol", { "binary", "compact" } \
  }
#define THRIFTLENS_DEPTH \
  { "depth", {}, limits{}.depth, limits::deepest }
#define THRIFTLENS_OUTPUT_SIZE \
  { "output_size", {}, limits::automatic, 0xffffffffu }

/// The options of everything that makes Python values of wire bytes.
constexpr keyword reading[] = {THRIFTLENS_PROTOCOL,
                               {"enums", {"number", "name"}},
                               {"unknown", {"skip", "error"}},
                               {"defaults", {"omit", "write"}},
                               {"names", {"field", "alias"}},
                               {"invalid_utf8", {"error", "replace"}},
                               {"mismatch", {"error", "skip"}},
                               {"duplicates", {"error", "last"}},
                               {"missing_required", {"error", "omit"}},
                               THRIFTLENS_DEPTH,
                               THRIFTLENS_OUTPUT_SIZE};
decode_options reading_options(const std::uint32_t (&chosen)[std::size(reading)]) noexcept {
  return {.protocol = static_cast<protocol_id>(chosen[0]),
          .enum_names = chosen[1] != 0,
          .unknown_error = chosen[2] != 0,
          .write_defaults = chosen[3] != 0,
          .aliases = chosen[4] != 0,
          .replace_utf8 = chosen[5] != 0,
          .skip_mismatch = chosen[6] != 0,
          .last_duplicate = chosen[7] != 0,
          .omit_missing = chosen[8] != 0,
          .bounds = {.depth = chosen[9], .output_size = chosen[10]}};
}

PyObject* decode_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static const keyword_table keywords("decode", reading);
  std::uint32_t chosen[std::size(reading)];
  bytes_like data;
  if (!keywords.read(arguments, given, names, 1, 1, chosen) || !data.take(arguments[0])) return nullptr;
  return decode(*self_of(self).keys, self_of(self).of, data.bytes(), reading_options(chosen));
}

PyObject* get_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static const keyword_table keywords("get", reading);
  std::uint32_t chosen[std::size(reading)];
  bytes_like data;
  if (!keywords.read(arguments, given, names, 2, 3, chosen) || !data.take(arguments[0])) return nullptr;
  const std::optional<path> way = paths_of(*self_of(self).keys).find(self_of(self).of, arguments[1]);
  if (!way) return nullptr;
  return get(*self_of(self).keys, self_of(self).of, data.bytes(), *way, given == 3 ? arguments[2] : Py_None,
             reading_options(chosen));
}

PyObject* get_many_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static const keyword_table keywords("get_many", reading);
  std::uint32_t chosen[std::size(reading)];
  bytes_like data;
  if (!keywords.read(arguments, given, names, 2, 3, chosen) || !data.take(arguments[0])) return nullptr;
  const std::shared_ptr<const path_list> ways =
      self_of(self).plans.find(self_of(self).of, paths_of(*self_of(self).keys), arguments[1]);
  if (ways == nullptr) return nullptr;
  return get_many(*self_of(self).keys, self_of(self).of, data.bytes(), *ways,
                  given == 3 ? arguments[2] : Py_None, reading_options(chosen));
}

PyObject* view_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static const keyword_table keywords("view", reading);
  std::uint32_t chosen[std::size(reading)];
  if (!keywords.read(arguments, given, names, 1, 1, chosen)) return nullptr;
  return make_view(self_of(self).keys, self_of(self).of, arguments[0], reading_options(chosen));
}

PyObject* trim_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static const keyword list[] = {THRIFTLENS_PROTOCOL,
                                 {"unknown", {"selected", "keep", "drop", "error"}},
                                 {"defaults", {"omit", "write"}},
                                 THRIFTLENS_DEPTH,
                                 THRIFTLENS_OUTPUT_SIZE};
  static const keyword_table keywords("trim", list);
  std::uint32_t chosen[std::size(list)];
  bytes_like data;
  if (!keywords.read(arguments, given, names, 2, 2, chosen) || !data.take(arguments[0])) return nullptr;
  const std::optional<selection> what = self_of(self).selections.find(self_of(self).of, arguments[1]);
  if (!what) return nullptr;
  const trim_options options{static_cast<trim_options::unknown_fields>(chosen[1]),
                             static_cast<trim_options::default_values>(chosen[2]),
                             {.output_size = chosen[4]}};
  return trim(self_of(self).of, data.bytes(), *what, static_cast<protocol_id>(chosen[0]), options,
              {.depth = chosen[3]});
}

PyObject* edit_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static const keyword list[] = {
      THRIFTLENS_PROTOCOL, THRIFTLENS_DEPTH, THRIFTLENS_OUTPUT_SIZE, {"data", {}, 0, 0, 0, true}};
  static const keyword_table keywords("edit", list);
  std::uint32_t chosen[std::size(list)];
  PyObject* data = nullptr;
  if (!keywords.read(arguments, given, names, 0, 1, chosen, &data)) return nullptr;
  if ((given == 1) == (data != nullptr)) {
    PyErr_SetString(PyExc_TypeError, "edit() takes data, once");
    return nullptr;
  }
  const edit_bounds bounds{static_cast<protocol_id>(chosen[0]), chosen[1], chosen[2]};
  return make_edit(self_of(self).keys, self_of(self).of, given == 1 ? arguments[0] : data, bounds);
}

PyObject* type_at_method(PyObject* self, PyObject* text) {
  const std::optional<path> way = paths_of(*self_of(self).keys).find(self_of(self).of, text);
  return way ? PyLong_FromUnsignedLong(way->to().index()) : nullptr;
}

PyObject* encode_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static const keyword list[] = {THRIFTLENS_PROTOCOL,
                                 {"unknown", {"error", "skip"}},
                                 {"defaults", {"omit", "write"}},
                                 {"names", {"field", "alias"}},
                                 THRIFTLENS_DEPTH};
  static const keyword_table keywords("encode", list);
  std::uint32_t chosen[std::size(list)];
  if (!keywords.read(arguments, given, names, 1, 1, chosen)) return nullptr;
  const encode_options options{.protocol = static_cast<protocol_id>(chosen[0]),
                               .skip_unknown = chosen[1] != 0,
                               .write_defaults = chosen[2] != 0,
                               .aliases = chosen[3] != 0,
                               .bounds = {.depth = chosen[4]}};
  return encode(*self_of(self).keys, self_of(self).of, arguments[0], options);
}

PyObject* to_json_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static const keyword list[] = {THRIFTLENS_PROTOCOL,
                                 {"enums", {"number", "name"}},
                                 {"int64", {"number", "string"}},
                                 {"nonfinite", {"error", "string"}},
                                 {"unknown", {"skip", "error"}},
                                 {"defaults", {"omit", "write"}},
                                 {"names", {"field", "alias"}},
                                 {"invalid_utf8", {"error", "replace"}},
                                 {"mismatch", {"error", "skip"}},
                                 {"duplicates", {"error", "last"}},
                                 {"pretty", {}, 0, 16, 2},
                                 THRIFTLENS_DEPTH,
                                 {"missing_required", {"error", "omit"}},
                                 {"select", {}, 0, 0, 0, true},
                                 THRIFTLENS_OUTPUT_SIZE};
  static const keyword_table keywords("to_json", list);
  std::uint32_t chosen[std::size(list)];
  PyObject* select = Py_None;
  bytes_like data;
  if (!keywords.read(arguments, given, names, 1, 1, chosen, &select) || !data.take(arguments[0]))
    return nullptr;
  std::optional<selection> what;
  if (select != Py_None && !(what = self_of(self).selections.find(self_of(self).of, select))) return nullptr;
  const to_json_options options{.enums = static_cast<json_enums>(chosen[1]),
                                .int64 = static_cast<json_int64>(chosen[2]),
                                .nonfinite = static_cast<json_nonfinite>(chosen[3]),
                                .unknown = chosen[4] != 0 ? json_unknown::error : json_unknown::skip,
                                .defaults = static_cast<json_defaults>(chosen[5]),
                                .names = static_cast<json_names>(chosen[6]),
                                .invalid_utf8 = static_cast<json_utf8>(chosen[7]),
                                .pretty = static_cast<std::uint8_t>(chosen[10]),
                                .mismatch = static_cast<json_mismatch>(chosen[8]),
                                .duplicates = static_cast<json_duplicates>(chosen[9]),
                                .missing_required = static_cast<missing_required>(chosen[12]),
                                .select = what ? &*what : nullptr};
  return to_json(self_of(self).of, data.bytes(), static_cast<protocol_id>(chosen[0]), options,
                 {.depth = chosen[11], .output_size = chosen[14]});
}

PyObject* from_json_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static const keyword list[] = {THRIFTLENS_PROTOCOL,
                                 {"unknown", {"error", "skip"}},
                                 {"quoted_numbers", {"error", "accept"}},
                                 {"base64", {"strict", "lenient"}},
                                 {"duplicates", {"error", "last"}},
                                 {"nonfinite", {"error", "string"}},
                                 {"defaults", {"omit", "write"}},
                                 {"names", {"field", "alias", "both"}},
                                 THRIFTLENS_DEPTH,
                                 THRIFTLENS_OUTPUT_SIZE};
  static const keyword_table keywords("from_json", list);
  std::uint32_t chosen[std::size(list)];
  if (!keywords.read(arguments, given, names, 1, 1, chosen)) return nullptr;
  const from_json_options options{.unknown = static_cast<json_unknown>(chosen[1]),
                                  .quoted_numbers = static_cast<json_quoted_numbers>(chosen[2]),
                                  .base64 = static_cast<json_base64>(chosen[3]),
                                  .duplicates = static_cast<json_duplicates>(chosen[4]),
                                  .nonfinite = static_cast<json_nonfinite>(chosen[5]),
                                  .defaults = static_cast<json_defaults>(chosen[6]),
                                  .names = static_cast<json_names>(chosen[7])};
  bytes_like data;
  std::string_view text;
  if (PyUnicode_Check(arguments[0])) {
    if (!utf8_of(arguments[0], text, errc::json_syntax, family::json)) return nullptr;
  } else if (data.take(arguments[0])) {
    text = data.bytes().text();
  } else {
    return nullptr;
  }
  return from_json(self_of(self).of, text, static_cast<protocol_id>(chosen[0]), options,
                   {.depth = chosen[8], .output_size = chosen[9]});
}

#undef THRIFTLENS_PROTOCOL
#undef THRIFTLENS_DEPTH
#undef THRIFTLENS_OUTPUT_SIZE

PyObject* index_getter(PyObject* self, void*) { return PyLong_FromUnsignedLong(self_of(self).of.index()); }

PyObject* no_instance(PyTypeObject*, PyObject*, PyObject*) {
  PyErr_SetString(PyExc_TypeError, "a Type comes from a schema: thriftlens.load(…)['Name']");
  return nullptr;
}

void destroy(PyObject* self) {
  PyTypeObject* of = Py_TYPE(self);
  std::destroy_at(&self_of(self).keys);
  std::destroy_at(&self_of(self).plans);
  std::destroy_at(&self_of(self).selections);
  std::destroy_at(&self_of(self).prepared);
  of->tp_free(self);
  Py_DECREF(of);
}

template <auto Method>
PyCFunction hot() {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(guarded<Method>::call));
}

}  // namespace

PyTypeObject* type_class() {
  static PyTypeObject* made = nullptr;
  if (made != nullptr) return made;
  constexpr int kind = METH_FASTCALL | METH_KEYWORDS;
  static PyMethodDef methods[] = {{"decode", hot<decode_method>(), kind, decode_doc},
                                  {"encode", hot<encode_method>(), kind, encode_doc},
                                  {"to_json", hot<to_json_method>(), kind, to_json_doc},
                                  {"from_json", hot<from_json_method>(), kind, from_json_doc},
                                  {"get", hot<get_method>(), kind, get_doc},
                                  {"get_many", hot<get_many_method>(), kind, get_many_doc},
                                  {"view", hot<view_method>(), kind, view_doc},
                                  {"trim", hot<trim_method>(), kind, trim_doc},
                                  {"edit", hot<edit_method>(), kind, edit_doc},
                                  {"index_at", guarded<type_at_method>::call, METH_O,
                                   "index_at($self, path, /)\n--\n\nThe index of the type a path leads to."},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef properties[] = {{"index", index_getter, nullptr, "Its place in the schema.", nullptr},
                                     {}};
  static PyType_Slot slots[] = {{Py_tp_methods, methods},
                                {Py_tp_getset, properties},
                                {Py_tp_new, reinterpret_cast<void*>(no_instance)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                                {Py_tp_doc, const_cast<char*>("The compiled half of thriftlens.Type.")},
                                {0, nullptr}};
  static PyType_Spec spec = {"thriftlens._core.Type", sizeof(type_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return made;
}

prepared_cache& cache_of(PyObject* self) noexcept { return self_of(self).prepared; }

type_parts parts_of(PyObject* self) noexcept { return {self_of(self).keys, self_of(self).of}; }

PyObject* make_type(PyTypeObject* of, std::shared_ptr<schema_keys> keys, std::uint32_t index) {
  PyObject* made = of->tp_alloc(of, 0);
  if (made == nullptr) return nullptr;
  std::construct_at(&self_of(made).of, &keys->image(), index);
  std::construct_at(&self_of(made).keys, std::move(keys));
  std::construct_at(&self_of(made).plans);
  std::construct_at(&self_of(made).selections);
  std::construct_at(&self_of(made).prepared);
  return made;
}

}  // namespace thriftlens::python
