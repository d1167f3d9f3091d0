// bind_arrow_lists: arrow_of_lists, columns that came as a list of values and a bitmap of nulls each.
#include "arrow_capsules.hpp"
#include "arrow_functions.hpp"
#include "object.hpp"
#include "spelling.hpp"
#include "type_docs.hpp"
#include "value.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::python {

namespace {

constexpr std::size_t max_buffers = 3;

/// A column of the new batch: the values of a list, under another bitmap of what is valid.
struct list_column {
  ArrowArray source{};  ///< owned: a batch of one row {values, nulls}
  std::vector<std::uint8_t> validity;
  const void* buffers[max_buffers] = {};

  list_column() = default;
  list_column(const list_column&) = delete;
  list_column& operator=(const list_column&) = delete;
  ~list_column() {
    if (source.release != nullptr) source.release(&source);
  }
};
struct named {
  std::string name;
  std::string format;
};
template <class Node>
struct batch_family {
  std::vector<Node> children;
  std::vector<Node*> pointers;

  explicit batch_family(std::size_t count) : children(count), pointers(count) {
    for (std::size_t i = 0; i < count; ++i) pointers[i] = &children[i];
  }
  batch_family(const batch_family&) = delete;
  batch_family& operator=(const batch_family&) = delete;
  ~batch_family() {
    for (Node& each : children)
      if (each.release != nullptr) each.release(&each);
  }
};
template <class Owner, class Node>
void release_owned(Node* node) {
  delete static_cast<Owner*>(node->private_data);
  node->private_data = nullptr;
  node->release = nullptr;
}
template <class Node, class Owner>
void give(Node& to, std::unique_ptr<Owner> owner) {
  to.release = &release_owned<Owner, Node>;
  to.private_data = owner.release();
}
template <class Node>
std::unique_ptr<Node> batch_of(std::unique_ptr<batch_family<Node>> family) {
  auto made = std::make_unique<Node>();
  *made = Node{};
  made->n_children = static_cast<std::int64_t>(family->children.size());
  made->children = family->pointers.data();
  give(*made, std::move(family));
  return made;
}

/// The bytes of the only value of a column of binary.
byte_view only_bytes(const ArrowArray& of) {
  std::int32_t ends[2] = {};
  std::memcpy(ends, of.buffers[1], sizeof ends);
  return byte_view(static_cast<const std::uint8_t*>(of.buffers[2]) + ends[0],
                   static_cast<std::size_t>(ends[1] - ends[0]));
}
/// Sets the bits of what is no null; how many are.
std::size_t take_nulls(std::vector<std::uint8_t>& validity, byte_view nulls, std::size_t count) {
  validity.assign((count + 7) / 8, 0xFF);
  std::size_t found = 0;
  for (std::size_t i = 0; i < std::min(nulls.size(), validity.size()); ++i) {
    const std::size_t bits = std::min<std::size_t>(count - i * 8, 8);
    const auto meant = static_cast<std::uint8_t>(nulls.data()[i] & ((1U << bits) - 1));
    validity[i] = static_cast<std::uint8_t>(~meant);
    found += static_cast<std::size_t>(std::popcount(meant));
  }
  return found;
}
void fill_column(ArrowArray& to, ArrowArray& from) {
  auto owner = std::make_unique<list_column>();
  owner->source = from;
  from.release = nullptr;
  const ArrowArray& values = *owner->source.children[0]->children[0];
  const auto count = static_cast<std::size_t>(values.length);
  to = ArrowArray{};
  to.null_count =
      static_cast<std::int64_t>(take_nulls(owner->validity, only_bytes(*owner->source.children[1]), count));
  std::copy_n(values.buffers, values.n_buffers, owner->buffers);
  owner->buffers[0] = to.null_count == 0 ? nullptr : owner->validity.data();
  to.length = values.length;
  to.n_buffers = values.n_buffers;
  to.buffers = owner->buffers;
  give(to, std::move(owner));
}
void fill_schema(ArrowSchema& to, std::string name, const char* format) {
  auto owner = std::make_unique<named>(named{std::move(name), format});
  to = ArrowSchema{};
  to.format = owner->format.c_str();
  to.name = owner->name.c_str();
  to.flags = ARROW_FLAG_NULLABLE;
  give(to, std::move(owner));
}
/// Whether it is what columns make of one record {list values, binary nulls}.
bool is_one_list(const ArrowSchema& schema, const ArrowArray& array) {
  if (array.release == nullptr || array.length != 1 || array.n_children != 2 || schema.n_children != 2)
    return false;
  const ArrowArray& list = *array.children[0];
  return std::string_view(schema.children[0]->format) == "+l" && schema.children[1]->format[0] == 'z' &&
         list.offset == 0 && list.n_children == 1 &&
         list.children[0]->n_buffers <= static_cast<std::int64_t>(max_buffers) &&
         list.children[0]->n_children == 0;
}

const signature_of<no_options>& lists_signature() {
  static constexpr positional list[] = {{"names"}, {"columns"}};
  static const signature_of<no_options> made("arrow_of_lists", {list, false}, empty_table);
  return made;
}
/// False with a Python error set.
bool add_column(batch_family<ArrowSchema>& schemas, batch_family<ArrowArray>& arrays, std::size_t at,
                PyObject* name, PyObject* pair) {
  PyObject *schema_given = nullptr, *array_given = nullptr;
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(name, &size);
  if (text == nullptr || PyArg_ParseTuple(pair, "OO", &schema_given, &array_given) == 0) return false;
  const auto* const schema = from_capsule<ArrowSchema>(schema_given);
  auto* const array = schema == nullptr ? nullptr : from_capsule<ArrowArray>(array_given);
  if (array == nullptr) return false;
  if (!is_one_list(*schema, *array)) {
    PyErr_SetString(PyExc_ValueError, "a column is one row of a list and its nulls");
    return false;
  }
  fill_schema(schemas.children[at], std::string(text, static_cast<std::size_t>(size)),
              schema->children[0]->children[0]->format);
  fill_column(arrays.children[at], *array);
  return true;
}
PyObject* lists_function(PyObject*, const arguments& given) {
  positional_values found;
  no_options call;
  if (!lists_signature().read(given, found, call)) return nullptr;
  const object names(PySequence_Tuple(found[0])), columns(PySequence_Tuple(found[1]));
  if (!names || !columns) return nullptr;
  const auto count =
      static_cast<std::size_t>(std::min(PyTuple_GET_SIZE(names.get()), PyTuple_GET_SIZE(columns.get())));
  auto schemas = std::make_unique<batch_family<ArrowSchema>>(count);
  auto arrays = std::make_unique<batch_family<ArrowArray>>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<Py_ssize_t>(i);
    if (!add_column(*schemas, *arrays, i, PyTuple_GET_ITEM(names.get(), at),
                    PyTuple_GET_ITEM(columns.get(), at)))
      return nullptr;
    if (arrays->children[i].length != arrays->children[0].length) {
      PyErr_SetString(PyExc_ValueError, "the columns are of different length");
      return nullptr;
    }
  }
  static const void* no_nulls[] = {nullptr};
  const std::int64_t length = count == 0 ? 0 : arrays->children[0].length;
  auto array = batch_of(std::move(arrays));
  array->length = length;
  array->n_buffers = 1;
  array->buffers = no_nulls;
  auto schema = batch_of(std::move(schemas));
  schema->format = "+s";
  schema->name = "";
  const object schema_made(capsule_of(std::move(schema))), array_made(capsule_of(std::move(array)));
  return schema_made && array_made ? Py_BuildValue("(OO)", schema_made.get(), array_made.get()) : nullptr;
}

constexpr const char* lists_doc =
    "\n\n(schema, array) of a batch whose columns are the elements of lists: each is given as the schema and "
    "the array of "
    "one row {values, nulls}, whose bits say which are null, and is taken out of its capsule.";

}  // namespace

std::span<const method> arrow_list_functions() {
  static const method all[] = {{lists_signature(), fast_method<lists_function>(), lists_doc}};
  return all;
}

}  // namespace thriftlens::python
