// arrow_lists: arrow_of_lists, which builds a batch of columns from lists of values with null bitmaps.
#include "arrow/arrow_capsules.hpp"
#include "arrow/arrow_functions.hpp"
#include "call/common_options.hpp"
#include "convert/value.hpp"
#include "support/argument.hpp"
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

struct named {
  std::string name;
  std::string format;
};
template <class Node>
struct owned_nodes {
  std::vector<Node> nodes;
  std::vector<Node*> pointers;

  explicit owned_nodes(std::size_t count) : nodes(count), pointers(count) {
    for (std::size_t i = 0; i < count; ++i) pointers[i] = &nodes[i];
  }
  owned_nodes(const owned_nodes&) = delete;
  owned_nodes& operator=(const owned_nodes&) = delete;
  ~owned_nodes() {
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
  owned_nodes<ArrowArray> children;
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
/// A column of the new batch: the values of a list with a new validity bitmap.
class list_column final : public detail::arrow_array_owner {
 public:
  /// Moves a batch of one row {values, nulls}.
  explicit list_column(ArrowArray& from) : source_(from) { from.release = nullptr; }
  list_column(const list_column&) = delete;
  list_column& operator=(const list_column&) = delete;
  ~list_column() override {
    if (source_.release != nullptr) source_.release(&source_);
  }

  [[nodiscard]] const ArrowArray& values() const noexcept { return *source_.children[0]->children[0]; }
  /// Adds the buffers of the values and returns the number of nulls.
  std::size_t take_buffers() {
    const detail::arrow_array_owner& old = *detail::owner_of(values());
    const std::size_t nulls =
        fill_validity(only_bytes(*source_.children[1]), static_cast<std::size_t>(values().length));
    format = old.format;
    add_buffer(nulls == 0 ? nullptr : validity_.data(), validity_.size());
    for (std::size_t i = 1; i < old.buffers.size(); ++i) add_buffer(old.buffers[i], old.sizes[i]);
    return nulls;
  }

 private:
  /// Returns the number of nulls.
  std::size_t fill_validity(byte_view nulls, std::size_t count) {
    validity_.assign((count + 7) / 8, 0xFF);
    std::size_t null_count = 0;
    for (std::size_t i = 0; i < std::min(nulls.size(), validity_.size()); ++i) {
      const unsigned mask = count - i * 8 >= 8 ? 0xFFu : (1u << (count - i * 8)) - 1;
      const unsigned null_bits = nulls[i] & mask;
      validity_[i] = static_cast<std::uint8_t>(~null_bits);
      null_count += static_cast<std::size_t>(std::popcount(null_bits));
    }
    return null_count;
  }

  ArrowArray source_;
  std::vector<std::uint8_t> validity_;
};
/// Moves the values out of a batch of one row.
void fill_column(ArrowArray& to, ArrowArray& from) {
  auto owner = std::make_unique<list_column>(from);
  to = ArrowArray{};
  to.length = owner->values().length;
  to.null_count = static_cast<std::int64_t>(owner->take_buffers());
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

/// The columns of the new batch.
class batch_builder {
 public:
  explicit batch_builder(std::size_t count)
      : schemas_(std::make_unique<owned_nodes<ArrowSchema>>(count)),
        arrays_(std::make_unique<batch_owner>(count)) {}

  /// Sets the column at an index. False with a Python error set.
  [[nodiscard]] bool set(std::size_t at, PyObject* name, PyObject* pair) {
    array_parts column;
    std::string_view text;
    if (!utf8_of(name, text) || !column.take_pair(pair)) return false;
    if (!is_one_list(*column.schema, *column.array))
      return raise_value_error("expected a column of one row {values, nulls}");
    fill_schema(schemas_->nodes[at], std::string(text), column.schema->children[0]->children[0]->format);
    fill_column(items()[at], *column.array);
    return has_length_of_first(name, items()[at]);
  }
  /// Capsules of the batch. The builder is empty afterwards.
  [[nodiscard]] PyObject* finish() {
    auto array = std::make_unique<ArrowArray>();
    array->length = items().empty() ? 0 : items()[0].length;
    arrays_->children.lend_to(*array);
    detail::give_owner(*array, std::move(arrays_));
    auto schema = std::make_unique<ArrowSchema>();
    schema->format = "+s";
    schema->name = "";
    schemas_->lend_to(*schema);
    give_schema(*schema, std::move(schemas_));
    return capsules_of(std::move(schema), std::move(array));
  }

 private:
  [[nodiscard]] std::vector<ArrowArray>& items() noexcept { return arrays_->children.nodes; }
  bool has_length_of_first(PyObject* name, const ArrowArray& column) {
    const auto rows = static_cast<long long>(column.length),
               first = static_cast<long long>(items()[0].length);
    return rows == first ||
           raise_value_error("column %R has %lld rows, the first one %lld", name, rows, first);
  }

  std::unique_ptr<owned_nodes<ArrowSchema>> schemas_;
  std::unique_ptr<batch_owner> arrays_;
};
constexpr auto lists_signature = plain_signature<"arrow_of_lists", "names", "columns">;
PyObject* lists_function(PyObject*, PyObject** positionals) {
  const object names(PySequence_Tuple(positionals[0])), columns(PySequence_Tuple(positionals[1]));
  if (!names || !columns) return nullptr;
  const Py_ssize_t count = std::min(PyTuple_GET_SIZE(names.get()), PyTuple_GET_SIZE(columns.get()));
  batch_builder batch(static_cast<std::size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *const name = PyTuple_GET_ITEM(names.get(), i), *const column =
                                                                 PyTuple_GET_ITEM(columns.get(), i);
    if (!batch.set(static_cast<std::size_t>(i), name, column)) return nullptr;
  }
  return batch.finish();
}

constexpr const char* lists_doc =
    "\n\n(schema, array) of a batch whose columns are the elements of lists. A column is the schema and "
    "array of one row {values, bitmap of nulls}; the array is moved out of its capsule.";

}  // namespace

std::span<const method> arrow_list_functions() {
  static const method methods[] = {method_of<lists_signature, lists_function>(lists_doc)};
  return methods;
}

}  // namespace thriftlens::python
