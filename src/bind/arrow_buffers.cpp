// arrow_buffers: arrow_buffers and number_buffer: memory of arrays and lists of numbers for NumPy.
#include "arrow/arrow_capsules.hpp"
#include "arrow/arrow_functions.hpp"
#include "call/common_options.hpp"
#include "convert/value.hpp"
#include "support/heap_class.hpp"
#include "support/named_tuple.hpp"
#include "views/view_object.hpp"

#include <thriftlens/columns/arrow_check.hpp>
#include <thriftlens/columns/arrow_owner.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace thriftlens::python {

namespace {

// ---- memory that an object keeps alive

struct memory_object {
  PyObject_HEAD PyObject* owner;
  const void* at;
  Py_ssize_t size;
};
memory_object& memory_of(PyObject* self) noexcept { return *reinterpret_cast<memory_object*>(self); }

void destroy_memory(PyObject* self) {
  Py_XDECREF(memory_of(self).owner);
  free_instance(self);
}
int lend_memory(PyObject* self, Py_buffer* to, int flags) {
  const memory_object& of = memory_of(self);
  return PyBuffer_FillInfo(to, self, const_cast<void*>(of.at), of.size, 1, flags);
}
PyTypeObject* memory_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return new_class({"thriftlens._core.Memory", sizeof(memory_object)},
                     {raw_slot(Py_bf_getbuffer, lend_memory), raw_slot(Py_tp_dealloc, destroy_memory),
                      doc_slot("Bytes of an Arrow array or of a view, by the buffer protocol.")});
  });
}
/// Null with a Python error set.
PyObject* memory(PyObject* owner, const void* at, std::size_t size) {
  static constexpr char nothing = 0;
  PyObject* const self = new_instance(memory_class());
  if (self == nullptr) return nullptr;
  memory_of(self).owner = new_reference(owner);
  memory_of(self).at = at == nullptr ? &nothing : at;
  memory_of(self).size = at == nullptr ? 0 : static_cast<Py_ssize_t>(size);
  return self;
}

// ---- arrays

PyObject* buffers_of(const detail::arrow_array_owner& from, PyObject* owner) {
  object list(PyList_New(0));
  for (std::size_t i = 0; list && i < from.buffers.size(); ++i) {
    if (!append_new(list, from.buffers[i] == nullptr && i == 0
                              ? new_reference(Py_None)
                              : memory(owner, from.buffers[i], from.sizes[i])))
      return nullptr;
  }
  return list.release();
}
named_tuple arrow_node_class(
    "thriftlens._core.ArrowNode",
    "An array: its buffers, which are borrowed and keep it alive, the ArrowNodes of its "
    "children, and that of its dictionary or None.",
    {"name", "format", "length", "nulls", "buffers", "children", "dictionary"});
PyObject* node_of(const ArrowSchema& schema, const ArrowArray& array, PyObject* owner);

PyObject* children_of(const ArrowSchema& schema, const ArrowArray& array, PyObject* owner) {
  object children(PyList_New(0));
  for (std::int64_t i = 0; i < array.n_children; ++i) {
    if (!append_new(children, node_of(*schema.children[i], *array.children[i], owner))) return nullptr;
  }
  return children.release();
}
/// The array must have been checked against the schema.
PyObject* node_of(const ArrowSchema& schema, const ArrowArray& array, PyObject* owner) {
  if (array.offset != 0)
    return raise_error(error(errc::bad_option, "Arrow arrays with an offset are not supported"));
  const bool has_dictionary = schema.dictionary != nullptr && array.dictionary != nullptr;
  return arrow_node_class.make(
      schema.name == nullptr ? "" : schema.name, schema.format, array.length, array.null_count,
      buffers_of(*detail::owner_of(array), owner), children_of(schema, array, owner),
      has_dictionary ? node_of(*schema.dictionary, *array.dictionary, owner) : new_none());
}

constexpr auto buffers_signature = plain_signature<"arrow_buffers", "schema", "array">;
PyObject* buffers_function(PyObject*, PyObject** positionals) {
  array_parts parts;
  if (!parts.take(positionals[0], positionals[1])) return nullptr;
  const result<void> checked = detail::try_check_array(*parts.schema, *parts.array);
  return checked ? node_of(*parts.schema, *parts.array, positionals[1]) : raise_error(checked.error());
}

// ---- lists of numbers

/// True for varints, and for bools, because any byte is possible on the wire.
template <protocol P, class T>
inline constexpr bool is_decoded = std::is_same_v<T, bool> || detail::number_width<P, T> == 0;
/// NumPy's dtype of the elements on the wire, or decoded.
template <protocol P, class T>
std::string dtype_of() {
  const char order = is_decoded<P, T> ? '=' : std::is_same_v<P, binary> ? '>' : '<';
  const char kind = std::is_same_v<T, double> ? 'f' : std::is_same_v<T, bool> ? 'b' : 'i';
  return std::string{order, kind} + std::to_string(sizeof(T));
}
/// A bytes object of decoded numbers.
template <class T>
PyObject* copied_numbers(const auto& numbers, std::size_t size) {
  PyObject* const bytes = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (bytes == nullptr) return nullptr;
  auto* to = PyBytes_AS_STRING(bytes);
  for (const T number : numbers) {
    std::memcpy(to, &number, sizeof number);
    to += sizeof number;
  }
  return bytes;
}
/// The last `size` bytes of a list.
template <protocol P>
PyObject* borrowed_numbers(const view<P>& at, PyObject* owner, std::size_t size) {
  const result<byte_view> bytes = at.try_bytes();
  return bytes ? memory(owner, bytes->data() + (bytes->size() - size), size)
               : raise(bytes.error(), family::decode);
}
template <class T, protocol P>
PyObject* numbers_of(const view<P>& at, PyObject* owner) {
  const auto numbers = at.template try_numbers<T>();
  if (!numbers) return raise(numbers.error(), family::decode);
  const result<std::size_t> count = at.try_size();
  if (!count) return raise(count.error(), family::decode);
  const std::size_t size = *count * sizeof(T);
  if constexpr (is_decoded<P, T>)
    return new_tuple(copied_numbers<T>(*numbers, size), dtype_of<P, T>());
  else
    return new_tuple(borrowed_numbers(at, owner, size), dtype_of<P, T>());
}
template <protocol P>
PyObject* numbers_of(const view<P>& at, PyObject* owner) {
  switch (at.type().element().kind()) {
    case type_kind::bool_:
      return numbers_of<bool>(at, owner);
    case type_kind::i8:
      return numbers_of<std::int8_t>(at, owner);
    case type_kind::i16:
      return numbers_of<std::int16_t>(at, owner);
    case type_kind::i32:
    case type_kind::enum_:
      return numbers_of<std::int32_t>(at, owner);
    case type_kind::i64:
      return numbers_of<std::int64_t>(at, owner);
    case type_kind::double_:
      return numbers_of<double>(at, owner);
    default:
      return new_reference(Py_None);
  }
}
constexpr auto number_signature = plain_signature<"number_buffer", "view">;
PyObject* number_function(PyObject*, PyObject** positionals) {
  const std::optional<view_parts> parts = parts_of_view(positionals[0]);
  if (!parts) return nullptr;
  return std::visit([&](const auto& at) { return numbers_of(at, positionals[0]); }, parts->at);
}

constexpr const char* buffers_doc = "\n\nThe ArrowNode of an array.";
constexpr const char* number_doc =
    "\n\n(buffer, NumPy dtype) of a view of a list of numbers, borrowed, or decoded for varints; None for "
    "other lists.";

}  // namespace

std::span<const method> arrow_buffer_functions() {
  static const method methods[] = {method_of<buffers_signature, buffers_function>(buffers_doc),
                                   method_of<number_signature, number_function>(number_doc)};
  return methods;
}

}  // namespace thriftlens::python
