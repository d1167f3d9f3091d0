// selection_cache: compiling selections.
#include "caches/selection_cache.hpp"

#include "schema/type_object.hpp"

namespace thriftlens::python {

namespace {

std::optional<selection> compile_paths(type of, PyObject* what) {
  const object sequence(fixed_sequence(
      what, "a selection is text such as '{ id items { price } }', a Type or a list of paths"));
  if (!sequence) return std::nullopt;
  std::vector<path> paths;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.get()); ++i) {
    std::optional<path> found = path_cache::compile(of, PySequence_Fast_GET_ITEM(sequence.get(), i));
    if (!found) return std::nullopt;
    paths.push_back(*std::move(found));
  }
  return value_or_raise(selection::try_compile(of, std::span<const path>(paths)));
}

std::optional<selection> compile(type of, PyObject* what) {
  if (is_type(what)) return value_or_raise(selection::try_compile(of, type_of(what).of));
  if (!PyUnicode_Check(what)) return compile_paths(of, what);
  std::string_view text;
  if (!utf8_of(what, text, errc::path_syntax, family::plain)) return std::nullopt;
  return value_or_raise(selection::try_compile(of, text));
}

}  // namespace

std::optional<selection> selection_cache::find(type of, PyObject* what) {
  const bool by_type = is_type(what);
  const bool by_text = PyUnicode_CheckExact(what) != 0;
  if (by_type || by_text) {
    if (std::optional<selection> known = find_known(what)) return known;
  }
  std::optional<selection> made = compile(of, what);
  if (!made || !(by_type || by_text)) return made;
  if (by_type)
    put_first(mutex_, entries_, max_entries, entry{{}, type_of(what).keys, type_of(what).of, *made});
  else
    put_first(mutex_, entries_, max_entries, entry{object::share(what), nullptr, {}, *made});
  return made;
}

std::optional<selection> selection_cache::find_known(PyObject* what) {
  const std::scoped_lock alone(mutex_);
  const bool by_type = is_type(what);
  for (entry& each : entries_) {
    const bool same =
        by_type ? each.to && each.to == type_of(what).of : each.text && same_text(each.text.get(), what);
    if (same) return to_front(entries_, each).compiled;
  }
  return std::nullopt;
}

}  // namespace thriftlens::python
