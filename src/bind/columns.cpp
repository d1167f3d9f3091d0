// columns: ColumnReader and arrow_stream, on which Type.columns is built.
#include "arrow/columns_object.hpp"

#include "arrow/arrow_capsules.hpp"
#include "call/relaxations.hpp"
#include "call/spelling.hpp"
#include "schema/type_object.hpp"
#include "support/bytes_like.hpp"
#include "support/locked.hpp"
#include "support/unlocked.hpp"
#include "views/view_bytes.hpp"
#include "views/view_object.hpp"

#include <thriftlens/columns/arrow_blobs.hpp>
#include <thriftlens/columns/arrow_check.hpp>
#include <thriftlens/columns/columns.hpp>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace thriftlens::python {

template <>
inline constexpr auto spellings<on_record_error> = spell<on_record_error>(
    {{on_record_error::raise, "raise"}, {on_record_error::null, "null"}, {on_record_error::skip, "skip"}});
template <>
inline constexpr auto spellings<column_enums> = spell<column_enums>(
    {{column_enums::number, "number"}, {column_enums::name, "name"}, {column_enums::string, "string"}});
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

// ---- records

/// The records of a call, borrowed for its duration.
class record_list {
 public:
  record_list(type of, protocol_id protocol) : of_(of), protocol_(protocol) {}

  /// Takes a sequence of bytes, views, exceptions or None. False with a Python error set.
  [[nodiscard]] bool take(PyObject* sequence) {
    sequence_ = fixed_sequence(sequence, "records are a sequence of bytes");
    if (!sequence_) return false;
    const auto count = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(sequence_.get()));
    PyObject** const items = PySequence_Fast_ITEMS(sequence_.get());
    spans_.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      if (!add(items[i])) return false;
    return true;
  }
  [[nodiscard]] std::size_t size() const noexcept { return spans_.size(); }
  [[nodiscard]] bool is_null(std::size_t index) const noexcept {
    return nulls_.size() > index && nulls_[index];
  }
  [[nodiscard]] result<byte_view> try_value(std::size_t index) const {
    for (const auto& [at, reason] : errors_)
      if (at == index) return reason;
    return spans_[index];
  }

 private:
  bool add(PyObject* record) {
    if (record == Py_None) {
      nulls_.resize(spans_.size() + 1);
      nulls_.back() = true;
      spans_.emplace_back();
      return true;
    }
    if (PyBytes_CheckExact(record)) {
      spans_.emplace_back(PyBytes_AS_STRING(record), static_cast<std::size_t>(PyBytes_GET_SIZE(record)));
      return true;
    }
    if (PyExceptionInstance_Check(record)) return add_error(record);
    if (is_view(record)) return add_view(record);
    buffers_.push_back(std::make_unique<bytes_like>());
    if (!buffers_.back()->take(record)) return false;
    spans_.push_back(buffers_.back()->bytes());
    return true;
  }
  /// Adds a record that a scan rejected, as an exception.
  bool add_error(PyObject* of) {
    const object message(PyObject_Str(of));
    std::string_view text;
    if (!message || !utf8_of(message.get(), text, errc::truncated, family::decode)) return false;
    errors_.emplace_back(spans_.size(), error(errc::truncated, std::string(text)));
    spans_.emplace_back();
    return true;
  }
  /// The bytes of a view, converted if they have the other protocol.
  bool add_view(PyObject* record) {
    const std::optional<view_parts> parts = parts_of_view(record);
    if (!parts) return false;
    const result<byte_view> bytes =
        std::visit([&](const auto& at) { return bytes_of_view(at, record); }, parts->at);
    if (!bytes) return raise(bytes.error(), family::decode) != nullptr;
    spans_.push_back(*bytes);
    return true;
  }
  template <protocol P>
  result<byte_view> bytes_of_view(const view<P>& at, PyObject* record) {
    if (at.type() != of_)
      return error(errc::wrong_type,
                   "expected a view of " + of_.name() + ", found one of " + at.type().name());
    return P::id == protocol_ ? at.try_bytes() : converted(record);
  }
  result<byte_view> converted(PyObject* view) {
    buffer& out = converted_.emplace_back();
    const result<void> status = try_append_view(view, protocol_, on_unknown::keep, limits(), out);
    if (!status) return status.error();
    return byte_view(out);
  }
  type of_;
  protocol_id protocol_;
  std::deque<buffer> converted_;
  object sequence_;
  std::vector<byte_view> spans_;
  std::vector<bool> nulls_;
  std::vector<std::pair<std::size_t, error>> errors_;  ///< by index; few
  std::vector<std::unique_ptr<bytes_like>> buffers_;
};

/// The part of the records that one thread reads.
struct column_part {
  columns rows;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<std::unique_ptr<ArrowArray>> batches = {};
  error reason = {};  ///< of the record at `begin`

  void take() {
    batches.push_back(std::make_unique<ArrowArray>());
    rows.take(*batches.back());
  }
  ~column_part() {
    for (const auto& batch : batches)
      if (batch != nullptr && batch->release != nullptr) batch->release(batch.get());
  }
  explicit column_part(columns of) : rows(std::move(of)) {}
  column_part(column_part&&) = default;
};

template <protocol P, class Records>
result<void> append_record(columns& rows, const Records& records, std::size_t at, std::int64_t number) {
  if (records.is_null(at)) {
    rows.append_null(number);
    return {};
  }
  const result<byte_view> bytes = records.try_value(at);
  if (!bytes) return rows.reject({number, 0, bytes.error()});
  return rows.try_append<P>(*bytes, number);
}
/// Room for the rows of the other records, once those of the first `done` are in.
template <class Records>
void expect_rest(column_part& part, const Records& records, std::size_t row_count) {
  constexpr std::size_t max_bytes = std::size_t{1} << 30;
  std::size_t bytes = 0;
  for (std::size_t at = part.begin; at < part.end && bytes < max_bytes; ++at) {
    const result<byte_view> bytes_of_record = records.is_null(at) ? byte_view() : records.try_value(at);
    if (bytes_of_record) bytes += bytes_of_record->size();
  }
  const std::size_t times = (part.end - part.begin) / row_count + 1;
  part.rows.expect(part.rows.rows() * (times + 1), bytes);
}
template <protocol P, class Records>
void read_part(column_part& part, const Records& records, std::int64_t first) {
  constexpr std::size_t sample_size = 256;
  const std::size_t sample_end = part.begin + sample_size;
  for (; part.begin < part.end; ++part.begin) {
    if (part.begin == sample_end) expect_rest(part, records, sample_size);
    const auto number = first + static_cast<std::int64_t>(part.begin);
    const result<void> status = append_record<P>(part.rows, records, part.begin, number);
    if (!status) {
      part.reason = status.error();
      return;
    }
    if (part.rows.is_full()) part.take();
  }
  part.take();
}
/// Does not use Python. Rethrows exceptions of the threads.
template <class Records>
void read_parts(std::vector<column_part>& parts, protocol_id protocol, const Records& records,
                std::int64_t first) {
  std::vector<std::exception_ptr> thrown(parts.size());
  const auto work = [&](std::size_t at) {
    try {
      visit_protocol(protocol, [&](auto tag) { read_part<decltype(tag)>(parts[at], records, first); });
    } catch (...) {
      thrown[at] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < parts.size(); ++i) threads.emplace_back(work, i);
  work(0);
  for (std::thread& item : threads) item.join();
  for (const std::exception_ptr& item : thrown)
    if (item != nullptr) std::rethrow_exception(item);
}

// ---- the class

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
  PyTypeObject* const of = Py_TYPE(self);
  delete reader_of(self).rows;
  delete reader_of(self).call;
  std::destroy_at(&reader_of(self).keys);
  of->tp_free(self);
  Py_DECREF(of);
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
      choice<&columns_call::options, &columns_options::enums>("enums"),
      choice<&columns_call::options, &columns_options::unions>("unions"),
      choice<&columns_call::options, &columns_options::nesting>("nesting"),
      choice<&columns_call::options, &columns_options::defaults>("defaults"),
      choice<&columns_call::options, &columns_options::field_ids>("field_ids"),
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
      const object batch(capsule_of(std::move(item)));
      if (!batch || PyList_Append(batches.get(), batch.get()) != 0) return nullptr;
    }
    for (const rejected_record& item : part.rows.rejected()) {
      const object row(rejected_row(item, call));
      if (!row || PyList_Append(rejected.get(), row.get()) != 0) return nullptr;
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

// ---- streams

/// Private data of an ArrowArrayStream.
struct stream_source {
  object schema_of;
  object schema;   ///< a capsule to check arrays against; empty before the first array
  object batches;  ///< an iterator of capsules of arrays
  std::string message;
};
stream_source& source_of(ArrowArrayStream* stream) noexcept {
  return *static_cast<stream_source*>(stream->private_data);
}
/// "record 7: " if the text of the error does not name its record.
std::string record_prefix(PyObject* error) {
  const object number(error == nullptr ? nullptr : PyObject_GetAttrString(error, "record"));
  if (!number || PyLong_Check(number.get()) == 0) return {};
  const object offset(PyObject_GetAttrString(error, "record_offset"));
  if (offset.get() != Py_None) return {};
  return "record " + std::to_string(PyLong_AsLongLong(number.get())) + ": ";
}
/// Keeps the Python error as the stream's: its words, and the record. Returns whether it is Ctrl-C.
bool keep_error(stream_source& of) {
  PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&kind, &value, &trace);
  const object owned_kind(kind), owned_value(value), owned_trace(trace);
  const object text_object(value == nullptr ? nullptr : PyObject_Str(value));
  const char* const text = text_object ? PyUnicode_AsUTF8(text_object.get()) : nullptr;
  const bool has_text = text != nullptr && *text != 0;
  of.message = has_text ? record_prefix(value) + text : std::string("the batches could not be read");
  PyErr_Clear();
  return kind != nullptr && PyErr_GivenExceptionMatches(kind, PyExc_KeyboardInterrupt) != 0;
}
/// The consumer of the stream raises its own error, so Ctrl-C is signalled again. This comes last: str() and
/// destructors handle signals too and would lose it.
int stream_error(ArrowArrayStream* stream) {
  if (keep_error(source_of(stream))) PyErr_SetInterrupt();
  return EINVAL;
}
/// Moves the struct out of a new capsule. False with a Python error set.
template <class Node>
bool move_out(PyObject* capsule, Node& out) {
  auto* const node = capsule == nullptr ? nullptr : from_capsule<Node>(capsule);
  if (node == nullptr) return false;
  out = *node;
  node->release = nullptr;
  return true;
}
int stream_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const PyGILState_STATE state = PyGILState_Ensure();
  int status = 0;
  {
    const object schema(PyObject_CallNoArgs(source_of(stream).schema_of.get()));
    if (!move_out(schema.get(), *out)) status = stream_error(stream);
  }
  PyGILState_Release(state);
  return status;
}
/// Checks the array against the stream's schema. False with a Python error set.
bool is_of_schema(stream_source& of, PyObject* array) {
  if (!of.schema) of.schema = object(PyObject_CallNoArgs(of.schema_of.get()));
  const auto* const schema = of.schema ? from_capsule<ArrowSchema>(of.schema.get()) : nullptr;
  const auto* const values = schema == nullptr ? nullptr : from_capsule<ArrowArray>(array);
  if (values == nullptr) return false;
  const result<void> checked = [&] {
    const unlocked free(least_unlocked);
    return detail::try_check_array(*schema, *values);
  }();
  if (checked) return true;
  raise_error(checked.error());
  return false;
}
int stream_next(ArrowArrayStream* stream, ArrowArray* out) {
  const PyGILState_STATE state = PyGILState_Ensure();
  int status = 0;
  {
    stream_source& source = source_of(stream);
    const object array(PyIter_Next(source.batches.get()));
    if (array) {
      if (!is_of_schema(source, array.get()) || !move_out(array.get(), *out)) status = stream_error(stream);
    } else if (PyErr_Occurred() != nullptr) {
      status = stream_error(stream);
    } else {
      out->release = nullptr;  // the end
    }
  }
  PyGILState_Release(state);
  return status;
}
const char* stream_last_error(ArrowArrayStream* stream) { return source_of(stream).message.c_str(); }
void release_stream(ArrowArrayStream* stream) {
  const PyGILState_STATE state = PyGILState_Ensure();
  delete &source_of(stream);
  PyGILState_Release(state);
  stream->private_data = nullptr;
  stream->release = nullptr;
}

const signature_of<no_options>& stream_signature() {
  static constexpr positional list[] = {{"schema_of"}, {"batches"}};
  static const signature_of<no_options> signature("arrow_stream", {list, false}, empty_table);
  return signature;
}
PyObject* stream_function(PyObject*, const arguments& args) {
  positional_values positionals;
  no_options call;
  if (!stream_signature().read(args, positionals, call)) return nullptr;
  auto source = std::make_unique<stream_source>();
  source->schema_of = object::share(positionals[0]);
  source->batches = object(PyObject_GetIter(positionals[1]));
  if (!source->batches) return nullptr;
  auto stream = std::make_unique<ArrowArrayStream>();
  *stream = ArrowArrayStream{stream_schema, stream_next, stream_last_error, release_stream, source.release()};
  return capsule_of(std::move(stream));
}

// ---- contents of capsules

const signature_of<no_options>& length_signature() {
  static constexpr positional list[] = {{"array"}};
  static const signature_of<no_options> signature("arrow_length", {list, false}, empty_table);
  return signature;
}
PyObject* length_function(PyObject*, const arguments& args) {
  positional_values positionals;
  no_options call;
  if (!length_signature().read(args, positionals, call)) return nullptr;
  const auto* const array = from_capsule<ArrowArray>(positionals[0]);
  return array == nullptr ? nullptr : PyLong_FromLongLong(array->length);
}

const signature_of<no_options>& fields_signature() {
  static constexpr positional list[] = {{"schema"}};
  static const signature_of<no_options> signature("arrow_fields", {list, false}, empty_table);
  return signature;
}
PyObject* fields_function(PyObject*, const arguments& args) {
  positional_values positionals;
  no_options call;
  if (!fields_signature().read(args, positionals, call)) return nullptr;
  const auto* const schema = from_capsule<ArrowSchema>(positionals[0]);
  object fields(schema == nullptr ? nullptr : PyList_New(0));
  for (std::int64_t i = 0; fields && i < schema->n_children; ++i) {
    const object row(Py_BuildValue("(ss)", schema->children[i]->name, schema->children[i]->format));
    if (!row || PyList_Append(fields.get(), row.get()) != 0) return nullptr;
  }
  return fields.release();
}

const signature_of<no_options>& memory_signature() {
  static const signature_of<no_options> signature("column_memory", {{}, false}, empty_table);
  return signature;
}
PyObject* memory_function(PyObject*, const arguments& args) {
  positional_values positionals;
  no_options call;
  if (!memory_signature().read(args, positionals, call)) return nullptr;
  const column_memory& memory = *memory_of_columns();
  return Py_BuildValue("(nn)", static_cast<Py_ssize_t>(memory.live()),
                       static_cast<Py_ssize_t>(memory.idle()));
}

/// An iterator over the arrays of a stream as (schema, array) capsules.
struct array_iterator {
  PyObject_HEAD PyObject* stream;  ///< a capsule
};
array_iterator& iterator_of(PyObject* self) noexcept { return *reinterpret_cast<array_iterator*>(self); }
void destroy_iterator(PyObject* self) {
  PyTypeObject* const of = Py_TYPE(self);
  Py_XDECREF(iterator_of(self).stream);
  of->tp_free(self);
  Py_DECREF(of);
}
PyObject* raise_of_stream(ArrowArrayStream* stream) {
  const char* const message = stream->get_last_error(stream);
  return raise_error(error(errc::io, message == nullptr ? "an Arrow stream failed" : message));
}
PyObject* next_array(PyObject* self) {
  auto* const stream = from_capsule<ArrowArrayStream>(iterator_of(self).stream);
  if (stream == nullptr) return nullptr;
  if (stream->release == nullptr)
    return raise_error(error(errc::bad_option, "the Arrow stream was already consumed"));
  auto schema = std::make_unique<ArrowSchema>();
  auto array = std::make_unique<ArrowArray>();
  if (stream->get_schema(stream, schema.get()) != 0) return raise_of_stream(stream);
  const object schema_capsule(capsule_of(std::move(schema)));
  if (!schema_capsule) return nullptr;
  int status = 0;
  {
    const unlocked free(least_unlocked);
    status = stream->get_next(stream, array.get());
  }
  if (status != 0) return raise_of_stream(stream);
  if (array->release == nullptr) return nullptr;  // the end
  const object array_capsule(capsule_of(std::move(array)));
  return array_capsule ? Py_BuildValue("(OO)", schema_capsule.get(), array_capsule.get()) : nullptr;
}
PyTypeObject* array_iterator_class() {
  static shared_object cached;
  PyType_Slot slots[] = {{Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
                         {Py_tp_iternext, type_slot<in_turn<next_array>::call>()},
                         {Py_tp_dealloc, reinterpret_cast<void*>(destroy_iterator)},
                         {0, nullptr}};
  PyType_Spec spec = {"thriftlens._core.ArrowArrays", sizeof(array_iterator), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject* const of = create_once(cached, [&] { return PyType_FromSpec(&spec); });
  return reinterpret_cast<PyTypeObject*>(of);
}
const signature_of<no_options>& arrays_signature() {
  static constexpr positional list[] = {{"stream"}};
  static const signature_of<no_options> signature("arrow_arrays", {list, false}, empty_table);
  return signature;
}
PyObject* arrays_function(PyObject*, const arguments& args) {
  positional_values positionals;
  no_options call;
  if (!arrays_signature().read(args, positionals, call)) return nullptr;
  PyTypeObject* const of = array_iterator_class();
  if (of == nullptr || from_capsule<ArrowArrayStream>(positionals[0]) == nullptr) return nullptr;
  PyObject* const iterator = of->tp_alloc(of, 0);
  if (iterator != nullptr) iterator_of(iterator).stream = new_reference(positionals[0]);
  return iterator;
}

constexpr const char* length_doc = "\n\nThe length of the ArrowArray of a capsule.";
constexpr const char* memory_doc =
    "\n\n(bytes in use by columns and batches, bytes reserved for later ones).";
constexpr const char* fields_doc = "\n\n(name, format) of the children of the ArrowSchema of a capsule.";
constexpr const char* arrays_doc =
    "\n\nThe arrays of a stream's capsule: an iterator of capsules of schema and array.";
constexpr const char* column_reader_doc =
    "\n\nA ColumnReader of the type, or of a selection. See Type.columns for the options.";
constexpr const char* stream_doc =
    "\n\nA capsule of an ArrowArrayStream. schema_of() returns a capsule of its schema, batches yields "
    "capsules of "
    "its arrays, which are checked against the schema.";

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
  static const method methods[] = {{stream_signature(), fast_method<stream_function>(), stream_doc},
                                   {arrays_signature(), fast_method<arrays_function>(), arrays_doc},
                                   {fields_signature(), fast_method<fields_function>(), fields_doc},
                                   {length_signature(), fast_method<length_function>(), length_doc},
                                   {memory_signature(), fast_method<memory_function>(), memory_doc}};
  return methods;
}

}  // namespace thriftlens::python
