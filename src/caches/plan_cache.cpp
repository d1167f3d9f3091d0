// plan_cache: compiling lists of paths.
#include "caches/plan_cache.hpp"

namespace thriftlens::python {

namespace {

/// All paths compiled, those that lead to one value into one plan.
std::shared_ptr<const path_list> compile(type of, path_cache& paths, PyObject* texts) {
  auto made = std::make_shared<path_list>();
  std::vector<path> single;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(texts); ++i) {
    std::optional<path> found = paths.find(of, PyTuple_GET_ITEM(texts, i));
    if (!found) return nullptr;
    made->slots.push_back(found->is_single() ? static_cast<std::uint32_t>(single.size())
                                             : thriftlens::detail::image::none);
    if (found->is_single()) single.push_back(*found);
    made->paths.push_back(*std::move(found));
  }
  if (single.empty()) return made;
  made->together = value_or_raise(plan::try_compile(of, std::move(single)));
  return made->together ? made : nullptr;
}

/// The same texts, in the same order.
bool same_items(PyObject* tuple, PyObject* sequence) {
  const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
  if (PySequence_Fast_GET_SIZE(sequence) != count) return false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const left = PyTuple_GET_ITEM(tuple, i);
    PyObject* const right = PySequence_Fast_GET_ITEM(sequence, i);
    if (left == right) continue;
    if (!PyUnicode_CheckExact(left) || !PyUnicode_CheckExact(right) || !same_text(left, right)) return false;
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
  if (std::shared_ptr<const path_list> known = find(sequence.get())) return known;
  object tuple(PySequence_Tuple(sequence.get()));
  std::shared_ptr<const path_list> made = tuple ? compile(of, paths, tuple.get()) : nullptr;
  if (made != nullptr) put_first(mutex_, entries_, max_entries, entry{std::move(tuple), made});
  return made;
}

std::shared_ptr<const path_list> plan_cache::find(PyObject* sequence) {
  const std::scoped_lock alone(mutex_);
  for (entry& each : entries_) {
    if (same_items(each.texts.get(), sequence)) return to_front(entries_, each).paths;
  }
  return nullptr;
}

}  // namespace thriftlens::python
