// arrow_lists: arrow_of_lists, which builds a batch of columns from lists of values with null bitmaps.
#include "arrow/arrow_capsules.hpp"
#include "arrow/arrow_functions.hpp"
#include "call/spelling.hpp"
#include "convert/value.hpp"
#include "support/object.hpp"

#include <thriftlens/columns/arrow_check.hpp>
#include <thriftlens/columns/arrow_owner.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::python {

namespace {

/// A column of the new batch: the values of a list with a new validity bitmap.
struct list_column final : detail::arrow_array_owner {
  ArrowArray source{};  ///< owned: a batch of one row {values, nulls}
  std::vector<std::uint8_t> validity;

  ~list_column() override {
    if (source.release != nullptr) source.release(&source);
  }
};
struct named {
  std::string name;
  std::string format;
};
template <class Node>
struct children_of {
  std::vector<Node> nodes;
  std::vector<Node*> pointers;

  explicit children_of(std::size_t count) : nodes(count), pointers(count) {
    for (std::size_t i = 0; i < count; ++i) pointers[i] = &nodes[i];
  }
  children_of(const children_of&) = delete;
  children_of& operator=(const children_of&) = delete;
  ~children_of() {
    for (Node& node : nodes)
      if (node.release != nullptr) node.release(&node);
  }
  void lend_to(Node& parent) noexcept {
    parent.n_children = static_cast<std::int64_t>(nodes.size());
    parent.children = pointers.data();
  }
};
struct batch_owner final : detail::arrow_array_owner {
  explicit batch_owner(std::size_t count) : children(count) {
    format = "+s";
    add_buffer(nullptr, 0);
  }
  children_of<ArrowArray> children;
};
template <class Owner>
void release_schema(ArrowSchema* schema) {
  delete static_cast<Owner*>(schema->private_data);
  schema->private_data = nullptr;
  schema->release = nullptr;
}
template <class Owner>
void give_schema(ArrowSchema& to, std::unique_ptr<Owner> owner) {
  to.release = &release_schema<Owner>;
  to.private_data = owner.release();
}

/// The bytes of the only value of a column of binary.
byte_view only_bytes(const ArrowArray& of) {
  std::int32_t ends[2] = {};
  std::memcpy(ends, of.buffers[1], sizeof ends);
  return byte_view(static_cast<const std::uint8_t*>(of.buffers[2]) + ends[0],
                   static_cast<std::size_t>(ends[1] - ends[0]));
}
/// Fills the validity bitmap and returns the number of nulls.
std::size_t take_nulls(std::vector<std::uint8_t>& validity, byte_view nulls, std::size_t count) {
  validity.assign((count + 7) / 8, 0xFF);
  std::size_t null_count = 0;
  for (std::size_t i = 0; i < std::min(nulls.size(), validity.size()); ++i) {
    const std::size_t bits = std::min<std::size_t>(count - i * 8, 8);
    const auto null_bits = static_cast<std::uint8_t>(nulls.data()[i] & ((1U << bits) - 1));
    validity[i] = static_cast<std::uint8_t>(~null_bits);
    null_count += static_cast<std::size_t>(std::popcount(null_bits));
  }
  return null_count;
}
void fill_column(ArrowArray& to, ArrowArray& from) {
  auto owner = std::make_unique<list_column>();
  owner->source = from;
  from.release = nullptr;
  const ArrowArray& values = *owner->source.children[0]->children[0];
  const detail::arrow_array_owner& old = *detail::owner_of(values);
  const std::size_t nulls = take_nulls(owner->validity, only_bytes(*owner->source.children[1]),
                                       static_cast<std::size_t>(values.length));
  owner->format = old.format;
  owner->add_buffer(nulls == 0 ? nullptr : owner->validity.data(), owner->validity.size());
  for (std::size_t i = 1; i < old.buffers.size(); ++i) owner->add_buffer(old.buffers[i], old.sizes[i]);
  to = ArrowArray{};
  to.length = values.length;
  to.null_count = static_cast<std::int64_t>(nulls);
  detail::give_owner(to, std::move(owner));
}
void fill_schema(ArrowSchema& to, std::string name, const char* format) {
  auto owner = std::make_unique<named>(named{std::move(name), format});
  to = ArrowSchema{};
  to.format = owner->format.c_str();
  to.name = owner->name.c_str();
  to.flags = ARROW_FLAG_NULLABLE;
  give_schema(to, std::move(owner));
}
/// Whether it is a batch of one record {list of scalars, binary nulls}.
bool is_one_list(const ArrowSchema& schema, const ArrowArray& array) {
  if (!detail::try_check_array(schema, array) || array.length != 1 || array.n_children != 2) return false;
  const ArrowSchema& list = *schema.children[0];
  return array.offset == 0 && list.format == std::string_view("+l") && list.children[0]->n_children == 0 &&
         array.children[0]->children[0]->offset == 0 && schema.children[1]->format == std::string_view("z");
}

constexpr auto lists_signature = plain_signature<"arrow_of_lists", "names", "columns">;
/// False with a Python error set.
bool add_column(children_of<ArrowSchema>& schemas, children_of<ArrowArray>& arrays, std::size_t at,
                PyObject* name, PyObject* pair) {
  PyObject *schema_capsule = nullptr, *array_capsule = nullptr;
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(name, &size);
  if (text == nullptr || PyArg_ParseTuple(pair, "OO", &schema_capsule, &array_capsule) == 0) return false;
  const auto* const schema = from_capsule<ArrowSchema>(schema_capsule);
  auto* const array = schema == nullptr ? nullptr : from_capsule<ArrowArray>(array_capsule);
  if (array == nullptr) return false;
  if (!is_one_list(*schema, *array)) {
    PyErr_SetString(PyExc_ValueError, "expected a column of one row {values, nulls}");
    return false;
  }
  fill_schema(schemas.nodes[at], std::string(text, static_cast<std::size_t>(size)),
              schema->children[0]->children[0]->format);
  fill_column(arrays.nodes[at], *array);
  return true;
}
PyObject* lists_function(PyObject*, PyObject** positionals) {
  const object names(PySequence_Tuple(positionals[0])), columns(PySequence_Tuple(positionals[1]));
  if (!names || !columns) return nullptr;
  const auto count =
      static_cast<std::size_t>(std::min(PyTuple_GET_SIZE(names.get()), PyTuple_GET_SIZE(columns.get())));
  auto schemas = std::make_unique<children_of<ArrowSchema>>(count);
  auto arrays = std::make_unique<batch_owner>(count);
  std::vector<ArrowArray>& items = arrays->children.nodes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<Py_ssize_t>(i);
    if (!add_column(*schemas, arrays->children, i, PyTuple_GET_ITEM(names.get(), at),
                    PyTuple_GET_ITEM(columns.get(), at)))
      return nullptr;
    if (items[i].length != items[0].length) {
      PyErr_Format(PyExc_ValueError, "column %R has %lld rows, the first one %lld",
                   PyTuple_GET_ITEM(names.get(), at), static_cast<long long>(items[i].length),
                   static_cast<long long>(items[0].length));
      return nullptr;
    }
  }
  auto array = std::make_unique<ArrowArray>();
  *array = ArrowArray{};
  array->length = count == 0 ? 0 : items[0].length;
  arrays->children.lend_to(*array);
  detail::give_owner(*array, std::move(arrays));
  auto schema = std::make_unique<ArrowSchema>();
  *schema = ArrowSchema{};
  schema->format = "+s";
  schema->name = "";
  schemas->lend_to(*schema);
  give_schema(*schema, std::move(schemas));
  const object schema_capsule(capsule_of(std::move(schema))), array_capsule(capsule_of(std::move(array)));
  return schema_capsule && array_capsule ? Py_BuildValue("(OO)", schema_capsule.get(), array_capsule.get())
                                         : nullptr;
}

constexpr const char* lists_doc =
    "\n\n(schema, array) of a batch whose columns are the elements of lists. A column is the schema and "
    "array of "
    "one row {values, bitmap of nulls}; the array is moved out of its capsule.";

}  // namespace

std::span<const method> arrow_list_functions() {
  static const method methods[] = {
      {lists_signature(), fast_method<of_positionals<lists_signature, lists_function>>(), lists_doc}};
  return methods;
}

}  // namespace thriftlens::python
