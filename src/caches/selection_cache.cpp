// selection_cache: compiles selections.
#include "caches/selection_cache.hpp"

#include "schema/type_object.hpp"

namespace thriftlens::python {

namespace {

std::optional<selection> compile_paths(type of, PyObject* paths_object) {
  const object sequence(fixed_sequence(
      paths_object, "a selection must be text such as '{ id items { price } }', a Type or a list of paths"));
  if (!sequence) return std::nullopt;
  std::vector<path> paths;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.get()); ++i) {
    std::optional<path> compiled = path_cache::compile(of, PySequence_Fast_GET_ITEM(sequence.get(), i));
    if (!compiled) return std::nullopt;
    paths.push_back(*std::move(compiled));
  }
  return value_or_raise(selection::try_compile(of, std::span<const path>(paths)));
}

std::optional<selection> compile(type of, PyObject* source) {
  if (is_type(source)) return value_or_raise(selection::try_compile(of, type_of(source).of));
  if (!PyUnicode_Check(source)) return compile_paths(of, source);
  std::string_view text;
  if (!utf8_of(source, text, errc::path_syntax, family::plain)) return std::nullopt;
  return value_or_raise(selection::try_compile(of, text));
}

}  // namespace

std::optional<selection> selection_cache::find(type of, PyObject* source) {
  const bool by_type = is_type(source);
  const bool by_text = PyUnicode_CheckExact(source) != 0;
  if (by_type || by_text) {
    if (std::optional<selection> cached = find_known(source)) return cached;
  }
  std::optional<selection> compiled = compile(of, source);
  if (!compiled || !(by_type || by_text)) return compiled;
  if (by_type)
    put_first(mutex_, entries_, max_entries, entry{{}, type_of(source).keys, type_of(source).of, *compiled});
  else
    put_first(mutex_, entries_, max_entries, entry{object::share(source), nullptr, {}, *compiled});
  return compiled;
}

std::optional<selection> selection_cache::find_known(PyObject* source) {
  const std::scoped_lock alone(mutex_);
  const bool by_type = is_type(source);
  for (entry& known : entries_) {
    const bool same = by_type ? known.to && known.to == type_of(source).of
                              : known.text && same_text(known.text.get(), source);
    if (same) return to_front(entries_, known).compiled;
  }
  return std::nullopt;
}

}  // namespace thriftlens::python
