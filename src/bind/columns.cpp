// columns: ColumnReader and arrow_stream, what Type.columns is made with.
#include "arrow/columns_object.hpp"

#include "arrow/arrow_capsules.hpp"
#include "call/relaxations.hpp"
#include "call/spelling.hpp"
#include "call/type_docs.hpp"
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
inline constexpr auto words_of<on_record_error> = words<on_record_error>(
    {{on_record_error::raise, "raise"}, {on_record_error::null, "null"}, {on_record_error::skip, "skip"}});
template <>
inline constexpr auto words_of<column_enums> = words<column_enums>(
    {{column_enums::number, "number"}, {column_enums::name, "name"}, {column_enums::string, "string"}});
template <>
inline constexpr auto words_of<column_field_ids> =
    words<column_field_ids>({{column_field_ids::none, "none"}, {column_field_ids::unique, "unique"}});
template <>
inline constexpr auto words_of<column_unions> =
    words<column_unions>({{column_unions::structure, "struct"}, {column_unions::dense, "dense"}});
template <>
inline constexpr auto words_of<column_nesting> =
    words<column_nesting>({{column_nesting::structs, "structs"}, {column_nesting::flat, "flat"}});

namespace {

// ---- records

/// The records of a call, held while it lasts. Null data: a null record.
class record_list {
 public:
  record_list(type of, protocol_id protocol) : of_(of), protocol_(protocol) {}

  /// A list is not copied: it is the caller's own, which nobody changes. False with a Python error set.
  [[nodiscard]] bool take(PyObject* sequence) {
    held_ = fixed_sequence(sequence, "records are a sequence of bytes");
    if (!held_) return false;
    const auto count = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(held_.get()));
    PyObject** const items = PySequence_Fast_ITEMS(held_.get());
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
    for (const auto& [at, why] : errors_)
      if (at == index) return why;
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
    others_.push_back(std::make_unique<bytes_like>());
    if (!others_.back()->take(record)) return false;
    spans_.push_back(others_.back()->bytes());
    return true;
  }
  /// What a scan could not find stands as its error.
  bool add_error(PyObject* of) {
    const object words(PyObject_Str(of));
    std::string_view text;
    if (!words || !utf8_of(words.get(), text, errc::truncated, family::decode)) return false;
    errors_.emplace_back(spans_.size(), error(errc::truncated, std::string(text)));
    spans_.emplace_back();
    return true;
  }
  /// The bytes of a view in place, or converted if they are of the other protocol.
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
    const result<void> done = try_append_view(view, protocol_, on_unknown::keep, limits(), out);
    if (!done) return done.error();
    return byte_view(out);
  }
  type of_;
  protocol_id protocol_;
  std::deque<buffer> converted_;
  object held_;
  std::vector<byte_view> spans_;
  std::vector<bool> nulls_;
  std::vector<std::pair<std::size_t, error>> errors_;  ///< by index; few
  std::vector<std::unique_ptr<bytes_like>> others_;
};

/// A part of the records of a call, which one thread reads.
struct column_part {
  columns rows;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<std::unique_ptr<ArrowArray>> batches = {};
  error why = {};  ///< of the record at `begin`

  void take() {
    batches.push_back(std::make_unique<ArrowArray>());
    rows.take(*batches.back());
  }
  ~column_part() {
    for (const auto& each : batches)
      if (each != nullptr && each->release != nullptr) each->release(each.get());
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
void expect_rest(column_part& part, const Records& records, std::size_t done) {
  constexpr std::size_t most = std::size_t{1} << 30;
  std::size_t bytes = 0;
  for (std::size_t at = part.begin; at < part.end && bytes < most; ++at) {
    const result<byte_view> each = records.is_null(at) ? byte_view() : records.try_value(at);
    if (each) bytes += each->size();
  }
  const std::size_t times = (part.end - part.begin) / done + 1;
  part.rows.expect(part.rows.rows() * (times + 1), bytes);
}
template <protocol P, class Records>
void read_part(column_part& part, const Records& records, std::int64_t first) {
  constexpr std::size_t enough_to_tell = 256;
  const std::size_t tell_at = part.begin + enough_to_tell;
  for (; part.begin < part.end; ++part.begin) {
    if (part.begin == tell_at) expect_rest(part, records, enough_to_tell);
    const auto number = first + static_cast<std::int64_t>(part.begin);
    const result<void> done = append_record<P>(part.rows, records, part.begin, number);
    if (!done) {
      part.why = done.error();
      return;
    }
    if (part.rows.is_full()) part.take();
  }
  part.take();
}
/// Does not touch Python. Memory that is short is thrown to the caller.
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
  for (std::thread& each : threads) each.join();
  for (const std::exception_ptr& each : thrown)
    if (each != nullptr) std::rethrow_exception(each);
}

// ---- the class

struct columns_call {
  columns_options how = {};
  std::optional<std::string> where = {};
  protocol_id protocol = protocol_id::binary;
  std::uint64_t threads = 1;
};

struct column_reader {
  PyObject_HEAD std::shared_ptr<schema_keys> keys;
  columns* rows;  ///< never appended to: what forks are made of
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

bool take_name(std::string& to, const char* name, PyObject* given) {
  if (given == Py_None) return true;
  std::string_view text;
  if (!PyUnicode_Check(given)) {
    PyErr_Format(PyExc_TypeError, "%s must be the name of a column or None, not %.200s", name,
                 Py_TYPE(given)->tp_name);
    return false;
  }
  if (!utf8_of(given, text, errc::bad_option, family::plain)) return false;
  to = text;
  return true;
}

bool take_condition(std::optional<std::string>& to, const char* name, PyObject* given) {
  if (given == Py_None) return true;
  if (!PyUnicode_Check(given)) {
    PyErr_Format(PyExc_TypeError, "%s must be a condition such as 'user.id > 5' or None, not %.200s", name,
                 Py_TYPE(given)->tp_name);
    return false;
  }
  std::string_view text;
  if (!utf8_of(given, text, errc::path_syntax, family::plain)) return false;
  to.emplace(text);
  return true;
}

const signature_of<columns_call>& columns_signature() {
  static constexpr positional list[] = {{"select", "None"}};
  static constexpr auto options = table(
      protocol_option<&columns_call::protocol>(),
      choice<&columns_call::how, &columns_options::on_error>("on_error"),
      choice<&columns_call::how, &columns_options::enums>("enums"),
      choice<&columns_call::how, &columns_options::unions>("unions"),
      choice<&columns_call::how, &columns_options::nesting>("nesting"),
      choice<&columns_call::how, &columns_options::defaults>("defaults"),
      choice<&columns_call::how, &columns_options::field_ids>("field_ids"),
      choice<&columns_call::how, &columns_options::leniency, &column_leniency::mismatch>("mismatch"),
      choice<&columns_call::how, &columns_options::leniency, &column_leniency::invalid_utf8>("invalid_utf8"),
      choice<&columns_call::how, &columns_options::leniency, &column_leniency::missing_required>(
          "missing_required"),
      choice<&columns_call::how, &columns_options::leniency, &column_leniency::unknown>("unknown"),
      converted<&take_name, &columns_call::how, &columns_options::extras, &extra_columns::record>("record",
                                                                                                  "None"),
      converted<&take_name, &columns_call::how, &columns_options::extras, &extra_columns::reason>("reason",
                                                                                                  "None"),
      converted<&take_name, &columns_call::how, &columns_options::extras, &extra_columns::file>("file",
                                                                                                "None"),
      converted<&take_name, &columns_call::how, &columns_options::extras, &extra_columns::unknown_fields>(
          "unknown_fields", "None"),
      converted<&take_condition, &columns_call::where>("where", "None"),
      number<&columns_call::threads>("threads", 1, 256),
      depth_option<&columns_call::how, &columns_options::limits>(),
      output_size_option<&columns_call::how, &columns_options::limits>());
  static const signature_of<columns_call> made("_column_reader", {list, true}, options);
  return made;
}
result<columns> compiled(const selection& what, const columns_call& call) {
  if (!call.where) return columns::try_compile(what, call.how);
  const type from = what.from();
  const bool has_rows = from.kind() == type_kind::list || from.kind() == type_kind::set;
  const result<predicate> where = predicate::try_compile(has_rows ? from.element() : from, *call.where,
                                                         {call.how.defaults, call.how.limits});
  return where ? columns::try_compile(what, *where, call.how) : where.error();
}
/// Of all readers, so that a call takes what the batches of those before gave back. Never freed: batches may
/// be released when all else is gone.
const std::shared_ptr<column_memory>& memory_of_columns() {
  static const auto* const made =
      new std::shared_ptr<column_memory>(std::make_shared<column_memory>());  // NOLINT: see above
  return *made;
}
PyObject* make_reader(PyObject* self, const arguments& given) {
  positional_values found;
  columns_call call;
  if (!columns_signature().read(given, found, call)) return nullptr;
  type_object& of = type_of(self);
  std::optional<selection> what = selection::all(of.of);
  if (found[0] != nullptr && found[0] != Py_None)
    what = caches_of(*of.keys, of.of).selections.find(of.of, found[0]);
  if (!what) return nullptr;
  std::optional<columns> made = value_or_raise(compiled(*what, call));
  PyTypeObject* const kind = column_reader_class();
  if (!made || kind == nullptr) return nullptr;
  auto rows = std::make_unique<columns>(*std::move(made));
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
  auto made = std::make_unique<ArrowSchema>();
  reader_of(self).rows->export_schema(*made);
  return capsule_of(std::move(made));
}

/// The records in runs of nearly one length, each for a thread; a short list is not worth one.
std::vector<column_part> parts_of(const column_reader& reader, std::size_t count, const char* file) {
  const std::size_t wanted = std::min<std::size_t>(reader.threads, count / 256 + 1);
  std::vector<column_part> parts;
  parts.reserve(wanted);
  for (std::size_t i = 0; i < wanted; ++i) {
    parts.emplace_back(reader.rows->fork());
    parts.back().rows.set_file(file == nullptr ? "" : file);
    parts.back().begin = count * i / wanted;
    parts.back().end = count * (i + 1) / wanted;
  }
  return parts;
}
/// (record, offset, the error) of a record without a row of its own.
PyObject* rejected_row(const rejected_record& what, const columns_call& call) {
  const object why(exception_of(what.reason, family::decode));
  if (!why) return nullptr;
  name_option(why.get(), columns_signature(), &call);
  return Py_BuildValue("(LLO)", static_cast<long long>(what.record), static_cast<long long>(what.offset),
                       why.get());
}
PyObject* raise_of_record(const error& why, std::int64_t number, const columns_call& call) {
  const object made(exception_of(why, family::decode));
  if (made) name_option(made.get(), columns_signature(), &call);
  const object record(PyLong_FromLongLong(number));
  if (!made || !record || PyObject_SetAttrString(made.get(), "record", record.get()) != 0) return nullptr;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.get())), made.get());
  return nullptr;
}
/// (the batches as capsules, what was rejected).
PyObject* outcome_of(std::vector<column_part>& parts, std::int64_t first, const columns_call& call) {
  for (const column_part& each : parts)
    if (each.why.code() != errc::ok)
      return raise_of_record(each.why, first + static_cast<std::int64_t>(each.begin), call);
  object batches(PyList_New(0)), rejected(PyList_New(0));
  if (!batches || !rejected) return nullptr;
  for (column_part& part : parts) {
    for (auto& each : part.batches) {
      const object batch(capsule_of(std::move(each)));
      if (!batch || PyList_Append(batches.get(), batch.get()) != 0) return nullptr;
    }
    for (const rejected_record& each : part.rows.rejected()) {
      const object row(rejected_row(each, call));
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

PyObject* read_method(PyObject* self, PyObject* given) {
  PyObject* sequence = nullptr;
  long long first = 0;
  const char* file = nullptr;
  record_list records(reader_of(self).rows->selected().from(), reader_of(self).protocol);
  if (PyArg_ParseTuple(given, "OL|z:read", &sequence, &first, &file) == 0 || !records.take(sequence))
    return nullptr;
  return read(self, records, first, file);
}
PyObject* read_array_method(PyObject* self, PyObject* given) {
  PyObject *schema = nullptr, *array = nullptr;
  long long first = 0;
  const char* file = nullptr;
  if (PyArg_ParseTuple(given, "OOL|z:read_array", &schema, &array, &first, &file) == 0) return nullptr;
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
  object schema;   ///< a capsule, which arrays are checked against; empty before the first
  object batches;  ///< an iterator of capsules of arrays
  std::string why;
};
stream_source& source_of(ArrowArrayStream* stream) noexcept {
  return *static_cast<stream_source*>(stream->private_data);
}
/// "record 7: " for an error of a record outside of a scan, whose text does not name the record.
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
  const object held_kind(kind), held_value(value), held_trace(trace);
  const object text(value == nullptr ? nullptr : PyObject_Str(value));
  const char* const words = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  const bool has_words = words != nullptr && *words != 0;
  of.why = has_words ? record_prefix(value) + words : std::string("the batches could not be read");
  PyErr_Clear();
  return kind != nullptr && PyErr_GivenExceptionMatches(kind, PyExc_KeyboardInterrupt) != 0;
}
/// Who reads the stream raises an error of its own: Ctrl-C comes again, behind that. Asked for last: str() of
/// an object and destructors look for signals too, and what they raise is lost.
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
  int done = 0;
  {
    const object schema(PyObject_CallNoArgs(source_of(stream).schema_of.get()));
    if (!move_out(schema.get(), *out)) done = stream_error(stream);
  }
  PyGILState_Release(state);
  return done;
}
/// Whether the array is of the stream's schema. False with a Python error set.
bool is_of_schema(stream_source& of, PyObject* array) {
  if (!of.schema) of.schema = object(PyObject_CallNoArgs(of.schema_of.get()));
  const auto* const schema = of.schema ? from_capsule<ArrowSchema>(of.schema.get()) : nullptr;
  const auto* const values = schema == nullptr ? nullptr : from_capsule<ArrowArray>(array);
  if (values == nullptr) return false;
  const result<void> checked = [&] {
    const unlocked free(least_unlocked);
    return thriftlens::detail::try_check_array(*schema, *values);
  }();
  if (checked) return true;
  raise_error(checked.error());
  return false;
}
int stream_next(ArrowArrayStream* stream, ArrowArray* out) {
  const PyGILState_STATE state = PyGILState_Ensure();
  int done = 0;
  {
    stream_source& source = source_of(stream);
    const object array(PyIter_Next(source.batches.get()));
    if (array) {
      if (!is_of_schema(source, array.get()) || !move_out(array.get(), *out)) done = stream_error(stream);
    } else if (PyErr_Occurred() != nullptr) {
      done = stream_error(stream);
    } else {
      out->release = nullptr;  // the end
    }
  }
  PyGILState_Release(state);
  return done;
}
const char* stream_last_error(ArrowArrayStream* stream) { return source_of(stream).why.c_str(); }
void release_stream(ArrowArrayStream* stream) {
  const PyGILState_STATE state = PyGILState_Ensure();
  delete &source_of(stream);
  PyGILState_Release(state);
  stream->private_data = nullptr;
  stream->release = nullptr;
}

const signature_of<no_options>& stream_signature() {
  static constexpr positional list[] = {{"schema_of"}, {"batches"}};
  static const signature_of<no_options> made("arrow_stream", {list, false}, empty_table);
  return made;
}
PyObject* stream_function(PyObject*, const arguments& given) {
  positional_values found;
  no_options call;
  if (!stream_signature().read(given, found, call)) return nullptr;
  auto source = std::make_unique<stream_source>();
  source->schema_of = object::share(found[0]);
  source->batches = object(PyObject_GetIter(found[1]));
  if (!source->batches) return nullptr;
  auto made = std::make_unique<ArrowArrayStream>();
  *made = ArrowArrayStream{stream_schema, stream_next, stream_last_error, release_stream, source.release()};
  return capsule_of(std::move(made));
}

// ---- looking into capsules

const signature_of<no_options>& length_signature() {
  static constexpr positional list[] = {{"array"}};
  static const signature_of<no_options> made("arrow_length", {list, false}, empty_table);
  return made;
}
PyObject* length_function(PyObject*, const arguments& given) {
  positional_values found;
  no_options call;
  if (!length_signature().read(given, found, call)) return nullptr;
  const auto* const array = from_capsule<ArrowArray>(found[0]);
  return array == nullptr ? nullptr : PyLong_FromLongLong(array->length);
}

const signature_of<no_options>& fields_signature() {
  static constexpr positional list[] = {{"schema"}};
  static const signature_of<no_options> made("arrow_fields", {list, false}, empty_table);
  return made;
}
PyObject* fields_function(PyObject*, const arguments& given) {
  positional_values found;
  no_options call;
  if (!fields_signature().read(given, found, call)) return nullptr;
  const auto* const schema = from_capsule<ArrowSchema>(found[0]);
  object all(schema == nullptr ? nullptr : PyList_New(0));
  for (std::int64_t i = 0; all && i < schema->n_children; ++i) {
    const object row(Py_BuildValue("(ss)", schema->children[i]->name, schema->children[i]->format));
    if (!row || PyList_Append(all.get(), row.get()) != 0) return nullptr;
  }
  return all.release();
}

const signature_of<no_options>& memory_signature() {
  static const signature_of<no_options> made("column_memory", {{}, false}, empty_table);
  return made;
}
PyObject* memory_function(PyObject*, const arguments& given) {
  positional_values found;
  no_options call;
  if (!memory_signature().read(given, found, call)) return nullptr;
  const column_memory& memory = *memory_of_columns();
  return Py_BuildValue("(nn)", static_cast<Py_ssize_t>(memory.live()),
                       static_cast<Py_ssize_t>(memory.idle()));
}

/// An iterator over the arrays of a stream, each with the stream's schema, as pairs of capsules.
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
  const char* const why = stream->get_last_error(stream);
  return raise_error(error(errc::io, why == nullptr ? "an Arrow stream failed" : why));
}
PyObject* next_array(PyObject* self) {
  auto* const stream = from_capsule<ArrowArrayStream>(iterator_of(self).stream);
  if (stream == nullptr) return nullptr;
  if (stream->release == nullptr)
    return raise_error(error(errc::bad_option, "an Arrow stream that was read before"));
  auto schema = std::make_unique<ArrowSchema>();
  auto array = std::make_unique<ArrowArray>();
  if (stream->get_schema(stream, schema.get()) != 0) return raise_of_stream(stream);
  const object schema_capsule(capsule_of(std::move(schema)));
  if (!schema_capsule) return nullptr;
  int done = 0;
  {
    const unlocked free(least_unlocked);
    done = stream->get_next(stream, array.get());
  }
  if (done != 0) return raise_of_stream(stream);
  if (array->release == nullptr) return nullptr;  // the end
  const object array_capsule(capsule_of(std::move(array)));
  return array_capsule ? Py_BuildValue("(OO)", schema_capsule.get(), array_capsule.get()) : nullptr;
}
PyTypeObject* array_iterator_class() {
  static shared_object made;
  PyType_Slot slots[] = {{Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
                         {Py_tp_iternext, type_slot<in_turn<next_array>::call>()},
                         {Py_tp_dealloc, reinterpret_cast<void*>(destroy_iterator)},
                         {0, nullptr}};
  PyType_Spec spec = {"thriftlens._core.ArrowArrays", sizeof(array_iterator), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject* const of = made_once(made, [&] { return PyType_FromSpec(&spec); });
  return reinterpret_cast<PyTypeObject*>(of);
}
const signature_of<no_options>& arrays_signature() {
  static constexpr positional list[] = {{"stream"}};
  static const signature_of<no_options> made("arrow_arrays", {list, false}, empty_table);
  return made;
}
PyObject* arrays_function(PyObject*, const arguments& given) {
  positional_values found;
  no_options call;
  if (!arrays_signature().read(given, found, call)) return nullptr;
  PyTypeObject* const of = array_iterator_class();
  if (of == nullptr || from_capsule<ArrowArrayStream>(found[0]) == nullptr) return nullptr;
  PyObject* const made = of->tp_alloc(of, 0);
  if (made != nullptr) iterator_of(made).stream = new_reference(found[0]);
  return made;
}

constexpr const char* length_doc = "\n\nThe length of the ArrowArray of a capsule.";
constexpr const char* memory_doc =
    "\n\n(bytes that columns and their batches hold, bytes that are kept for later ones).";
constexpr const char* fields_doc = "\n\n(name, format) of the children of the ArrowSchema of a capsule.";
constexpr const char* arrays_doc =
    "\n\nThe arrays of a stream's capsule: an iterator of capsules of schema and array.";
constexpr const char* column_reader_doc =
    "\n\nColumns of the type, or of a selection of it: a ColumnReader. Type.columns says what the options "
    "mean.";
constexpr const char* stream_doc =
    "\n\nA capsule of an ArrowArrayStream. schema_of() returns a capsule of its schema, batches yields "
    "capsules "
    "of its arrays, each of which is checked against the schema before it is handed on.";

}  // namespace

PyTypeObject* column_reader_class() {
  static PyTypeObject* made = nullptr;
  if (made != nullptr) return made;
  static PyMethodDef does[] = {
      {"schema", translate_exceptions<schema_method>::call, METH_NOARGS,
       "schema($self)\n--\n\nA capsule of the ArrowSchema of the batches."},
      {"read", translate_exceptions<read_method>::call, METH_VARARGS,
       "read($self, records, first, file=None, /)\n--\n\n(capsules of ArrowArray, rejected "
       "records as (number, offset, error)) of "
       "a sequence of bytes, "
       "views or None."},
      {"read_array", translate_exceptions<read_array_method>::call, METH_VARARGS,
       "read_array($self, schema, array, first, file=None, /)\n--\n\nThe same, of the capsules "
       "of an Arrow array of binary."},
      {nullptr, nullptr, 0, nullptr}};
  PyType_Slot slots[] = {
      {Py_tp_methods, does},
      {Py_tp_dealloc, reinterpret_cast<void*>(destroy_reader)},
      {Py_tp_doc, const_cast<char*>("Reads records into Arrow columns; made by Type.columns.")},
      {0, nullptr}};
  PyType_Spec spec = {"thriftlens._core.ColumnReader", sizeof(column_reader), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return made;
}

std::span<const method> columns_methods() {
  static const method all[] = {
      {columns_signature(), relaxed_method<make_reader, columns_signature>(), column_reader_doc},
      from_columns_method()};
  return all;
}
std::span<const method> columns_functions() {
  static const method all[] = {{stream_signature(), fast_method<stream_function>(), stream_doc},
                               {arrays_signature(), fast_method<arrays_function>(), arrays_doc},
                               {fields_signature(), fast_method<fields_function>(), fields_doc},
                               {length_signature(), fast_method<length_function>(), length_doc},
                               {memory_signature(), fast_method<memory_function>(), memory_doc}};
  return all;
}

}  // namespace thriftlens::python
