// columns: ColumnReader, on which Type.columns is built.
#include "arrow/columns_object.hpp"

#include "arrow/arrow_capsules.hpp"
#include "arrow/column_parts.hpp"
#include "arrow/record_list.hpp"
#include "call/common_options.hpp"
#include "call/relaxations.hpp"
#include "schema/type_object.hpp"
#include "support/argument.hpp"
#include "support/heap_class.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/columns/arrow_blobs.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::python {

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

bool take_column_name(std::string& to, const char* name, PyObject* value) {
  if (value == Py_None) return true;
  std::string_view text;
  if (!PyUnicode_Check(value)) return raise_wrong_type(name, "the name of a column or None", value);
  if (!utf8_of(value, text, errc::bad_option, family::plain)) return false;
  to = text;
  return true;
}

bool take_condition(std::optional<std::string>& to, const char* name, PyObject* value) {
  if (value == Py_None) return true;
  if (!PyUnicode_Check(value))
    return raise_wrong_type(name, "a condition such as 'user.id > 5' or None", value);
  std::string_view text;
  if (!utf8_of(value, text, errc::path_syntax, family::plain)) return false;
  to.emplace(text);
  return true;
}

constexpr positional columns_list[] = {{"select", "None"}};
constexpr auto columns_table = table(
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
    converted<&take_column_name, &columns_call::options, &columns_options::extras, &extra_columns::record>(
        "record", "None"),
    converted<&take_column_name, &columns_call::options, &columns_options::extras, &extra_columns::reason>(
        "reason", "None"),
    converted<&take_column_name, &columns_call::options, &columns_options::extras, &extra_columns::file>(
        "file", "None"),
    converted<&take_column_name, &columns_call::options, &columns_options::extras,
              &extra_columns::unknown_fields>("unknown_fields", "None"),
    converted<&take_condition, &columns_call::where>("where", "None"),
    number<&columns_call::threads>("threads", 1, 256),
    depth_option<&columns_call::options, &columns_options::limits>(),
    output_size_option<&columns_call::options, &columns_options::limits>());
constexpr auto columns_signature =
    signature_from<"_column_reader", columns_list, columns_table, passing::by_name_too>;
result<columns> compiled(const selection& selected, const columns_call& call) {
  if (!call.where) return columns::try_compile(selected, call.options);
  const type from = selected.from();
  const bool has_rows = from.is_sequence();
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
/// The columns of a type, or of a selection that is not None. Nothing with a Python error set.
std::optional<columns> columns_of(const type_object& of, PyObject* select, const columns_call& call) {
  std::optional<selection> selected = selection::all(of.of);
  if (!is_omitted(select)) selected = of.caches->selections.find(of.of, select);
  if (!selected) return std::nullopt;
  std::optional<columns> rows = value_or_raise(compiled(*selected, call));
  if (rows) rows->allocate_from(memory_of_columns());
  return rows;
}
PyObject* make_reader(PyObject* self, PyObject** positionals, columns_call& call) {
  std::optional<columns> rows = columns_of(type_of(self), positionals[0], call);
  PyObject* const object = rows ? new_instance(column_reader_class()) : nullptr;
  if (object == nullptr) return nullptr;
  column_reader& reader = reader_of(object);
  std::construct_at(&reader.keys, type_of(self).keys);
  reader.rows = new columns(*std::move(rows));
  reader.protocol = call.protocol;
  reader.threads = call.threads;
  reader.call = new columns_call(std::move(call));
  return object;
}

PyObject* columns_schema_method(PyObject* self, PyObject*) {
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
/// The exception of a rejected record, with the option that accepts it.
object exception_of_record(const error& reason, const columns_call& call) {
  object exception(exception_of(reason, family::decode));
  if (exception) name_option(exception.get(), columns_signature(), &call);
  return exception;
}
PyObject* batches_of(std::vector<column_part>& parts) {
  object batches(PyList_New(0));
  for (column_part& part : parts) {
    for (auto& item : part.batches) {
      if (!append_new(batches, capsule_of(std::move(item)))) return nullptr;
    }
  }
  return batches.release();
}
/// (record, offset, error) of the rejected records.
PyObject* rejected_rows(const std::vector<column_part>& parts, const columns_call& call) {
  object rows(PyList_New(0));
  for (const column_part& part : parts) {
    for (const rejected_record& item : part.rows.rejected()) {
      if (!append_new(rows, new_tuple(item.record, item.offset, exception_of_record(item.reason, call))))
        return nullptr;
    }
  }
  return rows.release();
}
/// (capsules of the batches, rejected records).
PyObject* outcome_of(std::vector<column_part>& parts, std::int64_t first, const columns_call& call) {
  for (const column_part& part : parts) {
    if (part.reason.code() == errc::ok) continue;
    return raise_at_record(exception_of_record(part.reason, call),
                           first + static_cast<std::int64_t>(part.begin));
  }
  return new_tuple(batches_of(parts), rejected_rows(parts, call));
}
template <class Records>
PyObject* read(PyObject* self, const Records& records, std::int64_t first, const char* file) {
  const column_reader& reader = reader_of(self);
  std::vector<column_part> parts = parts_of(reader, records.size(), file);
  without_gil(records.size() >= 64 ? least_unlocked : 0,
              [&] { read_parts(parts, reader.protocol, records, first); });
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
  array_parts parts;
  if (!parts.take(schema, array)) return nullptr;
  const std::optional<arrow_blobs> records =
      value_or_raise(arrow_blobs::try_make(*parts.schema, *parts.array));
  return records ? read(self, *records, first, file) : nullptr;
}

constexpr auto memory_signature = plain_signature<"column_memory">;
PyObject* memory_function(PyObject*, PyObject**) {
  const column_memory& memory = *memory_of_columns();
  return new_tuple(memory.live(), memory.idle());
}

constexpr const char* memory_doc =
    "\n\n(bytes in use by columns and batches, bytes reserved for later ones).";
constexpr const char* column_reader_doc =
    "\n\nA ColumnReader of the type, or of a selection. See Type.columns for the options.";

PyMethodDef reader_methods[] = {
    plain_method<columns_schema_method>("schema", METH_NOARGS,
                                        "schema($self)\n--\n\nA capsule of the ArrowSchema of the batches."),
    plain_method<read_method>("read", METH_VARARGS,
                              "read($self, records, first, file=None, /)\n--\n\nReads a sequence of bytes, "
                              "views or None: (capsules of ArrowArray, rejected records as (number, offset, "
                              "error))."),
    plain_method<read_array_method>("read_array", METH_VARARGS,
                                    "read_array($self, schema, array, first, file=None, /)\n--\n\nLike read, "
                                    "from the capsules of an Arrow array of binary."),
    {}};

}  // namespace

PyTypeObject* column_reader_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return new_class({"thriftlens._core.ColumnReader", sizeof(column_reader)},
                     {{Py_tp_methods, reader_methods},
                      raw_slot(Py_tp_dealloc, destroy_reader),
                      doc_slot("Reads records into Arrow columns; see Type.columns.")});
  });
}

std::span<const method> columns_methods() {
  static const method methods[] = {relaxed_method<columns_signature, make_reader>(column_reader_doc),
                                   from_columns_method()};
  return methods;
}
std::span<const method> columns_functions() {
  static const method methods[] = {method_of<memory_signature, memory_function>(memory_doc)};
  return methods;
}

}  // namespace thriftlens::python
