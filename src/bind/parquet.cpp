// parquet: parquet_nodes, with which thriftlens.parquet finds columns.
#include "bind/parquet_tree.hpp"
#include "call/method.hpp"
#include "convert/value.hpp"
#include "docs/record_docs.hpp"
#include "support/bytes_like.hpp"
#include "support/unlocked.hpp"

#include <optional>
#include <string_view>
#include <unordered_set>

namespace thriftlens::python {

namespace {

struct no_options {
  int none = 0;
};
const signature_of<no_options>& nodes_signature() {
  static constexpr positional list[] = {{"data"}, {"names", "None"}};
  static constexpr option_table<no_options, 0> none{};
  static const signature_of<no_options> signature("parquet_nodes", {list, true}, none);
  return signature;
}

/// The texts of a tuple; false with a Python error set.
bool take_names(PyObject* tuple, std::unordered_set<std::string_view>& to) {
  if (!PyTuple_Check(tuple)) {
    PyErr_SetString(PyExc_TypeError, "names must be a tuple of str");
    return false;
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    std::string_view text;
    if (!utf8_of(PyTuple_GET_ITEM(tuple, i), text, errc::no_such_field, family::plain)) return false;
    to.insert(text);
  }
  return true;
}

/// (number in the list, name, group or -1, level, is a leaf, first and last leaf, begin, end).
PyObject* row_of(const parquet_tree::node& of, std::size_t number, Py_ssize_t group) {
  PyObject* name = shown_text(of.name.text());
  if (name == nullptr) return nullptr;
  return Py_BuildValue("(nNnIOIIII)", static_cast<Py_ssize_t>(number), name, group, of.level,
                       of.is_leaf ? Py_True : Py_False, of.first_leaf, of.last_leaf, of.begin, of.end);
}

PyObject* nodes_function(PyObject*, const arguments& args) {
  positional_values positionals;
  bytes_like data;
  std::unordered_set<std::string_view> names;
  if (!nodes_signature().read(args, positionals) || !data.take(positionals[0])) return nullptr;
  const bool is_all = positionals[1] == nullptr || positionals[1] == Py_None;
  if (!is_all && !take_names(positionals[1], names)) return nullptr;
  const result<parquet_tree> tree = [&] {
    const unlocked free(data.bytes().size());
    return parquet_tree::try_read(data.bytes(), is_all ? nullptr : &names);
  }();
  if (!tree) return raise(tree.error(), family::decode);
  object rows(PyList_New(0));
  std::vector<Py_ssize_t> row_numbers(tree->nodes().size(), -1);  // of nodes among the rows
  for (std::size_t i = 0; rows && i < row_numbers.size(); ++i) {
    const parquet_tree::node& entry = tree->nodes()[i];
    if (!entry.requested) continue;
    row_numbers[i] = PyList_GET_SIZE(rows.get());
    if (!append_new(rows, row_of(entry, i + 1,
                                 entry.group == parquet_tree::no_group ? -1 : row_numbers[entry.group])))
      return nullptr;
  }
  return rows.release();
}

}  // namespace

std::span<const method> parquet_functions() {
  static const method methods[] = {{nodes_signature(), fast_method<nodes_function>(), parquet_nodes_doc}};
  return methods;
}

}  // namespace thriftlens::python
