// parquet: parquet_nodes, with which thriftlens.parquet finds columns.
#include "bind/parquet_tree.hpp"
#include "call/method.hpp"
#include "convert/value.hpp"
#include "docs/record_docs.hpp"
#include "support/argument.hpp"
#include "support/bytes_like.hpp"
#include "support/named_tuple.hpp"
#include "support/unlocked.hpp"

#include <optional>
#include <string_view>
#include <unordered_set>

namespace thriftlens::python {

namespace {

constexpr positional nodes_list[] = {{"data"}, {"names", "None"}};
constexpr auto nodes_signature =
    signature_from<"parquet_nodes", nodes_list, empty_table, passing::by_name_too>;

/// The texts of a tuple; false with a Python error set.
bool take_names(PyObject* tuple, std::unordered_set<std::string_view>& to) {
  if (!PyTuple_Check(tuple)) return raise_type_error("names must be a tuple of str");
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    std::string_view text;
    if (!utf8_of(PyTuple_GET_ITEM(tuple, i), text, errc::no_such_field, family::plain)) return false;
    to.insert(text);
  }
  return true;
}

named_tuple parquet_node_class(
    "thriftlens._core.ParquetNode",
    "A node of a Parquet schema: its number in the file, the index of its group among the "
    "rows or -1, its leaves, and where its SchemaElement begins and ends.",
    {"number", "name", "group", "level", "is_leaf", "first_leaf", "last_leaf", "begin", "end"});
PyObject* row_of(const parquet_tree::node& of, std::size_t number, Py_ssize_t group) {
  return parquet_node_class.make(number, of.name.text(), group, of.level, of.is_leaf, of.first_leaf,
                                 of.last_leaf, of.begin, of.end);
}
/// The requested nodes of a tree.
PyObject* rows_of(const std::vector<parquet_tree::node>& nodes) {
  object rows(PyList_New(0));
  std::vector<Py_ssize_t> row_numbers(nodes.size(), -1);  // of nodes among the rows
  for (std::size_t i = 0; rows && i < nodes.size(); ++i) {
    const parquet_tree::node& entry = nodes[i];
    if (!entry.requested) continue;
    const Py_ssize_t group = entry.group == parquet_tree::no_group ? -1 : row_numbers[entry.group];
    row_numbers[i] = PyList_GET_SIZE(rows.get());
    if (!append_new(rows, row_of(entry, i + 1, group))) return nullptr;
  }
  return rows.release();
}

PyObject* nodes_function(PyObject*, PyObject** positionals) {
  bytes_like data;
  std::unordered_set<std::string_view> names;
  const bool is_all = is_omitted(positionals[1]);
  if (!data.take(positionals[0]) || (!is_all && !take_names(positionals[1], names))) return nullptr;
  const result<parquet_tree> tree = without_gil(
      data.bytes().size(), [&] { return parquet_tree::try_read(data.bytes(), is_all ? nullptr : &names); });
  return tree ? rows_of(tree->nodes()) : raise(tree.error(), family::decode);
}

}  // namespace

std::span<const method> parquet_functions() {
  static const method methods[] = {method_of<nodes_signature, nodes_function>(parquet_nodes_doc)};
  return methods;
}

}  // namespace thriftlens::python
