// plan_cache: compiles lists of paths.
#include "caches/plan_cache.hpp"

namespace thriftlens::python {

namespace {

/// Compiles the paths, and those with a single value into one plan.
std::shared_ptr<const path_list> compile(type of, path_cache& paths, PyObject* texts) {
  auto list = std::make_shared<path_list>();
  std::vector<thriftlens::path> single;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(texts); ++i) {
    std::optional<thriftlens::path> path = paths.find(of, PyTuple_GET_ITEM(texts, i));
    if (!path) return nullptr;
    list->slots.push_back(path->is_single() ? static_cast<std::uint32_t>(single.size())
                                            : detail::image::none);
    if (path->is_single()) single.push_back(*path);
    list->paths.push_back(*std::move(path));
  }
  if (single.empty()) return list;
  list->together = value_or_raise(plan::try_compile(of, std::move(single)));
  return list->together ? list : nullptr;
}

/// Whether both have equal texts in the same order.
bool same_items(PyObject* tuple, PyObject* sequence) {
  const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
  if (PySequence_Fast_GET_SIZE(sequence) != count) return false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const a = PyTuple_GET_ITEM(tuple, i);
    PyObject* const b = PySequence_Fast_GET_ITEM(sequence, i);
    if (a == b) continue;
    if (!PyUnicode_CheckExact(a) || !PyUnicode_CheckExact(b) || !same_text(a, b)) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<const path_list> plan_cache::find(type of, path_cache& paths, PyObject* texts) {
  if (PyUnicode_Check(texts)) {
    PyErr_SetString(PyExc_TypeError, "get_many takes a list of paths; get takes one");
    return nullptr;
  }
  const object sequence(fixed_sequence(texts, "paths must be a list or tuple of str"));
  if (!sequence) return nullptr;
  if (std::shared_ptr<const path_list> cached = find(sequence.get())) return cached;
  object tuple(PySequence_Tuple(sequence.get()));
  std::shared_ptr<const path_list> compiled = tuple ? compile(of, paths, tuple.get()) : nullptr;
  if (compiled != nullptr) put_first(mutex_, entries_, max_entries, entry{std::move(tuple), compiled});
  return compiled;
}

std::shared_ptr<const path_list> plan_cache::find(PyObject* sequence) {
  const std::scoped_lock alone(mutex_);
  for (entry& cached : entries_) {
    if (same_items(cached.texts.get(), sequence)) return to_front(entries_, cached).paths;
  }
  return nullptr;
}

}  // namespace thriftlens::python
