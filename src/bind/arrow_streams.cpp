// arrow_streams: streams of Arrow arrays, exported and imported, and the contents of capsules.
#include "arrow/arrow_capsules.hpp"
#include "arrow/arrow_functions.hpp"
#include "convert/value.hpp"
#include "support/heap_class.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/columns/arrow_check.hpp>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

namespace thriftlens::python {

namespace {

// ---- export

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
  const result<void> checked =
      without_gil(least_unlocked, [&] { return detail::try_check_array(*schema, *values); });
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

constexpr auto stream_signature = plain_signature<"arrow_stream", "schema_of", "batches">;
PyObject* stream_function(PyObject*, PyObject** positionals) {
  auto source = std::make_unique<stream_source>();
  source->schema_of = object::share(positionals[0]);
  source->batches = object(PyObject_GetIter(positionals[1]));
  if (!source->batches) return nullptr;
  auto stream = std::make_unique<ArrowArrayStream>();
  *stream = ArrowArrayStream{stream_schema, stream_next, stream_last_error, release_stream, source.release()};
  return capsule_of(std::move(stream));
}

// ---- import

/// An iterator over the arrays of a stream as (schema, array) capsules.
struct array_iterator {
  PyObject_HEAD PyObject* stream;  ///< a capsule
};
array_iterator& iterator_of(PyObject* self) noexcept { return *reinterpret_cast<array_iterator*>(self); }
void destroy_iterator(PyObject* self) {
  Py_XDECREF(iterator_of(self).stream);
  free_instance(self);
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
  object schema_capsule(capsule_of(std::move(schema)));
  if (!schema_capsule) return nullptr;
  const int status = without_gil(least_unlocked, [&] { return stream->get_next(stream, array.get()); });
  if (status != 0) return raise_of_stream(stream);
  if (array->release == nullptr) return nullptr;  // the end
  return new_tuple(std::move(schema_capsule), capsule_of(std::move(array)));
}
PyTypeObject* array_iterator_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return new_class(
        {"thriftlens._core.ArrowArrays", sizeof(array_iterator)},
        {raw_slot(Py_tp_iter, PyObject_SelfIter), type_slot<in_turn<next_array>::call>(Py_tp_iternext),
         raw_slot(Py_tp_dealloc, destroy_iterator)});
  });
}
constexpr auto arrays_signature = plain_signature<"arrow_arrays", "stream">;
PyObject* arrays_function(PyObject*, PyObject** positionals) {
  if (from_capsule<ArrowArrayStream>(positionals[0]) == nullptr) return nullptr;
  PyObject* const iterator = new_instance(array_iterator_class());
  if (iterator != nullptr) iterator_of(iterator).stream = new_reference(positionals[0]);
  return iterator;
}

// ---- contents of capsules

constexpr auto length_signature = plain_signature<"arrow_length", "array">;
PyObject* length_function(PyObject*, PyObject** positionals) {
  const auto* const array = from_capsule<ArrowArray>(positionals[0]);
  return array == nullptr ? nullptr : PyLong_FromLongLong(array->length);
}

constexpr auto fields_signature = plain_signature<"arrow_fields", "schema">;
PyObject* fields_function(PyObject*, PyObject** positionals) {
  const auto* const schema = from_capsule<ArrowSchema>(positionals[0]);
  object fields(schema == nullptr ? nullptr : PyList_New(0));
  for (std::int64_t i = 0; fields && i < schema->n_children; ++i) {
    if (!append_new(fields, new_tuple(schema->children[i]->name, schema->children[i]->format)))
      return nullptr;
  }
  return fields.release();
}

constexpr const char* stream_doc =
    "\n\nA capsule of an ArrowArrayStream. schema_of() returns a capsule of its schema, batches yields "
    "capsules of its arrays, which are checked against the schema.";
constexpr const char* arrays_doc =
    "\n\nThe arrays of a stream's capsule: an iterator of capsules of schema and array.";
constexpr const char* fields_doc = "\n\n(name, format) of the children of the ArrowSchema of a capsule.";
constexpr const char* length_doc = "\n\nThe length of the ArrowArray of a capsule.";

}  // namespace

std::span<const method> arrow_stream_functions() {
  static const method methods[] = {method_of<stream_signature, stream_function>(stream_doc),
                                   method_of<arrays_signature, arrays_function>(arrays_doc),
                                   method_of<fields_signature, fields_function>(fields_doc),
                                   method_of<length_signature, length_function>(length_doc)};
  return methods;
}

}  // namespace thriftlens::python
