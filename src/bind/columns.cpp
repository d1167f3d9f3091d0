// columns: ColumnReader, on which Type.columns is built.
#include "arrow/columns_object.hpp"

#include "arrow/arrow_capsules.hpp"
#include "arrow/column_parts.hpp"
#include "arrow/record_list.hpp"
#include "call/relaxations.hpp"
#include "call/spelling.hpp"
#include "schema/type_object.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/columns/arrow_blobs.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::python {

template <>
inline constexpr auto spellings<on_record_error> = spell<on_record_error>(
    {{on_record_error::raise, "raise"}, {on_record_error::null, "null"}, {on_record_error::skip, "skip"}});
template <>
inline constexpr auto spellings<column_field_ids> =
    spell<column_field_ids>({{column_field_ids::none, "none"}, {column_field_ids::unique, "unique"}});
template <>
inline constexpr auto spellings<column_unions> =
    spell<column_unions>({{column_unions::structure, "struct"}, {column_unions::dense, "dense"}});
template <>
inline constexpr auto spellings<column_nesting> =
    spell<column_nesting>({{column_nesting::structs, "structs"}, {column_nesting::flat, "flat"}});

namespace {

struct columns_call {
  columns_options options = {};
  std::optional<std::string> where = {};
  protocol_id protocol = protocol_id::binary;
  std::uint64_t threads = 1;
};

struct column_reader {
  PyObject_HEAD std::shared_ptr<schema_keys> keys;
  columns* rows;  ///< never appended to, only forked
  const columns_call* call;
  protocol_id protocol;
  std::uint64_t threads;
};
column_reader& reader_of(PyObject* self) noexcept { return *reinterpret_cast<column_reader*>(self); }

void destroy_reader(PyObject* self) {
  delete reader_of(self).rows;
  delete reader_of(self).call;
  std::destroy_at(&reader_of(self).keys);
  free_instance(self);
}

bool take_name(std::string& to, const char* name, PyObject* value) {
  if (value == Py_None) return true;
  std::string_view text;
  if (!PyUnicode_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s must be the name of a column or None, not %.200s", name,
                 Py_TYPE(value)->tp_name);
    return false;
  }
  if (!utf8_of(value, text, errc::bad_option, family::plain)) return false;
  to = text;
  return true;
}

bool take_condition(std::optional<std::string>& to, const char* name, PyObject* value) {
  if (value == Py_None) return true;
  if (!PyUnicode_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s must be a condition such as 'user.id > 5' or None, not %.200s", name,
                 Py_TYPE(value)->tp_name);
    return false;
  }
  std::string_view text;
  if (!utf8_of(value, text, errc::path_syntax, family::plain)) return false;
  to.emplace(text);
  return true;
}

const signature_of<columns_call>& columns_signature() {
  static constexpr positional list[] = {{"select", "None"}};
  static constexpr auto options = table(
      protocol_option<&columns_call::protocol>(),
      choice<&columns_call::options, &columns_options::on_error>("on_error"),
      choice<&columns_call::options, &columns_options::types, &column_types::enums>("enums"),
      choice<&columns_call::options, &columns_options::types, &column_types::unions>("unions"),
      choice<&columns_call::options, &columns_options::types, &column_types::nesting>("nesting"),
      choice<&columns_call::options, &columns_options::defaults>("defaults"),
      choice<&columns_call::options, &columns_options::types, &column_types::field_ids>("field_ids"),
      choice<&columns_call::options, &columns_options::leniency, &column_leniency::mismatch>("mismatch"),
      choice<&columns_call::options, &columns_options::leniency, &column_leniency::invalid_utf8>(
          "invalid_utf8"),
      choice<&columns_call::options, &columns_options::leniency, &column_leniency::missing_required>(
          "missing_required"),
      choice<&columns_call::options, &columns_options::leniency, &column_leniency::unknown>("unknown"),
      converted<&take_name, &columns_call::options, &columns_options::extras, &extra_columns::record>(
          "record", "None"),
      converted<&take_name, &columns_call::options, &columns_options::extras, &extra_columns::reason>(
          "reason", "None"),
      converted<&take_name, &columns_call::options, &columns_options::extras, &extra_columns::file>("file",
                                                                                                    "None"),
      converted<&take_name, &columns_call::options, &columns_options::extras, &extra_columns::unknown_fields>(
          "unknown_fields", "None"),
      converted<&take_condition, &columns_call::where>("where", "None"),
      number<&columns_call::threads>("threads", 1, 256),
      depth_option<&columns_call::options, &columns_options::limits>(),
      output_size_option<&columns_call::options, &columns_options::limits>());
  static const signature_of<columns_call> signature("_column_reader", {list, true}, options);
  return signature;
}
result<columns> compiled(const selection& selected, const columns_call& call) {
  if (!call.where) return columns::try_compile(selected, call.options);
  const type from = selected.from();
  const bool has_rows = from.kind() == type_kind::list || from.kind() == type_kind::set;
  const result<predicate> where = predicate::try_compile(has_rows ? from.element() : from, *call.where,
                                                         {call.options.defaults, call.options.limits});
  return where ? columns::try_compile(selected, *where, call.options) : where.error();
}
/// The memory pool of all readers. Never freed: batches may be released after the module is gone.
const std::shared_ptr<column_memory>& memory_of_columns() {
  static const auto* const memory =
      new std::shared_ptr<column_memory>(std::make_shared<column_memory>());  // NOLINT: see above
  return *memory;
}
PyObject* make_reader(PyObject* self, const arguments& args) {
  positional_values positionals;
  columns_call call;
  if (!columns_signature().read(args, positionals, call)) return nullptr;
  type_object& of = type_of(self);
  std::optional<selection> selected = selection::all(of.of);
  if (positionals[0] != nullptr && positionals[0] != Py_None)
    selected = caches_of(*of.keys, of.of).selections.find(of.of, positionals[0]);
  if (!selected) return nullptr;
  std::optional<columns> compiled_columns = value_or_raise(compiled(*selected, call));
  PyTypeObject* const kind = column_reader_class();
  if (!compiled_columns || kind == nullptr) return nullptr;
  auto rows = std::make_unique<columns>(*std::move(compiled_columns));
  rows->allocate_from(memory_of_columns());
  PyObject* const object = kind->tp_alloc(kind, 0);
  if (object == nullptr) return nullptr;
  std::construct_at(&reader_of(object).keys, of.keys);
  reader_of(object).rows = rows.release();
  reader_of(object).call = new columns_call(std::move(call));
  reader_of(object).protocol = reader_of(object).call->protocol;
  reader_of(object).threads = reader_of(object).call->threads;
  return object;
}

PyObject* schema_method(PyObject* self, PyObject*) {
  auto schema = std::make_unique<ArrowSchema>();
  reader_of(self).rows->export_schema(*schema);
  return capsule_of(std::move(schema));
}

/// Splits the records evenly between threads, with at least 256 per thread.
std::vector<column_part> parts_of(const column_reader& reader, std::size_t count, const char* file) {
  const std::size_t part_count = std::min<std::size_t>(reader.threads, count / 256 + 1);
  std::vector<column_part> parts;
  parts.reserve(part_count);
  for (std::size_t i = 0; i < part_count; ++i) {
    parts.emplace_back(reader.rows->fork());
    parts.back().rows.set_file(file == nullptr ? "" : file);
    parts.back().begin = count * i / part_count;
    parts.back().end = count * (i + 1) / part_count;
  }
  return parts;
}
/// (record, offset, error).
PyObject* rejected_row(const rejected_record& rejected, const columns_call& call) {
  const object exception(exception_of(rejected.reason, family::decode));
  if (!exception) return nullptr;
  name_option(exception.get(), columns_signature(), &call);
  return Py_BuildValue("(LLO)", static_cast<long long>(rejected.record),
                       static_cast<long long>(rejected.offset), exception.get());
}
PyObject* raise_of_record(const error& reason, std::int64_t number, const columns_call& call) {
  const object exception(exception_of(reason, family::decode));
  if (exception) name_option(exception.get(), columns_signature(), &call);
  const object record(PyLong_FromLongLong(number));
  if (!exception || !record || PyObject_SetAttrString(exception.get(), "record", record.get()) != 0)
    return nullptr;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())), exception.get());
  return nullptr;
}
/// (capsules of the batches, rejected records).
PyObject* outcome_of(std::vector<column_part>& parts, std::int64_t first, const columns_call& call) {
  for (const column_part& part : parts)
    if (part.reason.code() != errc::ok)
      return raise_of_record(part.reason, first + static_cast<std::int64_t>(part.begin), call);
  object batches(PyList_New(0)), rejected(PyList_New(0));
  if (!batches || !rejected) return nullptr;
  for (column_part& part : parts) {
    for (auto& item : part.batches) {
      if (!append_new(batches, capsule_of(std::move(item)))) return nullptr;
    }
    for (const rejected_record& item : part.rows.rejected()) {
      if (!append_new(rejected, rejected_row(item, call))) return nullptr;
    }
  }
  return Py_BuildValue("(OO)", batches.get(), rejected.get());
}
template <class Records>
PyObject* read(PyObject* self, const Records& records, std::int64_t first, const char* file) {
  const column_reader& reader = reader_of(self);
  std::vector<column_part> parts = parts_of(reader, records.size(), file);
  {
    const unlocked free(records.size() >= 64 ? least_unlocked : 0);
    read_parts(parts, reader.protocol, records, first);
  }
  return outcome_of(parts, first, *reader.call);
}

PyObject* read_method(PyObject* self, PyObject* call_args) {
  PyObject* sequence = nullptr;
  long long first = 0;
  const char* file = nullptr;
  record_list records(reader_of(self).rows->selected().from(), reader_of(self).protocol);
  if (PyArg_ParseTuple(call_args, "OL|z:read", &sequence, &first, &file) == 0 || !records.take(sequence))
    return nullptr;
  return read(self, records, first, file);
}
PyObject* read_array_method(PyObject* self, PyObject* call_args) {
  PyObject *schema = nullptr, *array = nullptr;
  long long first = 0;
  const char* file = nullptr;
  if (PyArg_ParseTuple(call_args, "OOL|z:read_array", &schema, &array, &first, &file) == 0) return nullptr;
  const auto* const type = from_capsule<ArrowSchema>(schema);
  const auto* const values = type == nullptr ? nullptr : from_capsule<ArrowArray>(array);
  if (values == nullptr) return nullptr;
  const std::optional<arrow_blobs> records = value_or_raise(arrow_blobs::try_make(*type, *values));
  return records ? read(self, *records, first, file) : nullptr;
}

constexpr auto memory_signature = plain_signature<"column_memory">;
PyObject* memory_function(PyObject*, PyObject**) {
  const column_memory& memory = *memory_of_columns();
  return Py_BuildValue("(nn)", static_cast<Py_ssize_t>(memory.live()),
                       static_cast<Py_ssize_t>(memory.idle()));
}

constexpr const char* memory_doc =
    "\n\n(bytes in use by columns and batches, bytes reserved for later ones).";
constexpr const char* column_reader_doc =
    "\n\nA ColumnReader of the type, or of a selection. See Type.columns for the options.";

}  // namespace

PyTypeObject* column_reader_class() {
  static PyTypeObject* cls = nullptr;
  if (cls != nullptr) return cls;
  static PyMethodDef methods[] = {{"schema", translate_exceptions<schema_method>::call, METH_NOARGS,
                                   "schema($self)\n--\n\nA capsule of the ArrowSchema of the batches."},
                                  {"read", translate_exceptions<read_method>::call, METH_VARARGS,
                                   "read($self, records, first, file=None, /)\n--\n\nReads a sequence of "
                                   "bytes, views or None: (capsules of "
                                   "ArrowArray, rejected records as (number, offset, error))."},
                                  {"read_array", translate_exceptions<read_array_method>::call, METH_VARARGS,
                                   "read_array($self, schema, array, first, file=None, /)\n--\n\nLike read, "
                                   "from the capsules of an Arrow "
                                   "array of binary."},
                                  {nullptr, nullptr, 0, nullptr}};
  PyType_Slot slots[] = {
      {Py_tp_methods, methods},
      {Py_tp_dealloc, reinterpret_cast<void*>(destroy_reader)},
      {Py_tp_doc, const_cast<char*>("Reads records into Arrow columns; see Type.columns.")},
      {0, nullptr}};
  PyType_Spec spec = {"thriftlens._core.ColumnReader", sizeof(column_reader), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  cls = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return cls;
}

std::span<const method> columns_methods() {
  static const method methods[] = {
      {columns_signature(), relaxed_method<make_reader, columns_signature>(), column_reader_doc},
      from_columns_method()};
  return methods;
}
std::span<const method> columns_functions() {
  static const method methods[] = {
      {memory_signature(), fast_method<of_positionals<memory_signature, memory_function>>(), memory_doc}};
  return methods;
}

}  // namespace thriftlens::python
