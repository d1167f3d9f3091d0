// lens: get, get_many and trim.
#include "lens.hpp"

#include "unlocked.hpp"

#include <algorithm>

namespace thriftlens::python {

namespace {

/// A view as a Python value; nothing there: the fallback.
template <protocol Protocol>
PyObject* give(schema_keys& keys, const view<Protocol>& at, PyObject* fallback,
               const decode_options& options) {
  if (!is_absent(at, options)) return decode_view(keys, at, options);
  if (options.write_defaults) {
    if (const view<Protocol> preset = at.or_default()) return decode_view(keys, preset, options);
  }
  return new_reference(fallback);
}

template <protocol Protocol>
PyObject* give_all(schema_keys& keys, const view<Protocol>& root, const path& way,
                   const decode_options& options) {
  object all(PyList_New(0));
  bool fine = static_cast<bool>(all);
  const result<std::size_t> done = root.try_for_each(way, [&](const view<Protocol>& each) {
    if (!fine) return;
    object item(decode_view(keys, each, options));
    fine = item && PyList_Append(all.get(), item.get()) == 0;
  });
  if (!fine) return nullptr;
  return done ? all.release() : raise(done.error(), family_of(done.error().code()));
}

template <protocol Protocol>
PyObject* get_many_as(schema_keys& keys, type of, byte_view data, const path_list& ways, PyObject* fallback,
                      const decode_options& options) {
  const view<Protocol> root(data, of, options.bounds);
  std::vector<view<Protocol>> found;
  if (ways.together) get_many(root, *ways.together, found);
  object all(PyList_New(static_cast<Py_ssize_t>(ways.ways.size())));
  for (std::size_t i = 0; all && i < ways.ways.size(); ++i) {
    const std::uint32_t slot = ways.slots[i];
    PyObject* item = slot == image::none ? give_all(keys, root, ways.ways[i], options)
                                         : give(keys, found[slot], fallback, options);
    if (item == nullptr) return nullptr;
    PyList_SET_ITEM(all.get(), static_cast<Py_ssize_t>(i), item);
  }
  return all.release();
}

/// All paths compiled, those that lead to one value into one plan.
std::shared_ptr<const path_list> compile(type of, path_cache& paths, PyObject* texts) {
  auto made = std::make_shared<path_list>();
  std::vector<path> single;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(texts); ++i) {
    std::optional<path> way = paths.find(of, PyTuple_GET_ITEM(texts, i));
    if (!way) return nullptr;
    made->slots.push_back(way->is_single() ? static_cast<std::uint32_t>(single.size()) : image::none);
    if (way->is_single()) single.push_back(*way);
    made->ways.push_back(*std::move(way));
  }
  if (single.empty()) return made;
  result<plan> together = plan::try_of(of, std::move(single));
  if (!together) return raise(together.error(), family_of(together.error().code())), nullptr;
  made->together = *std::move(together);
  return made;
}

template <class T>
std::optional<T> value_or_raise(result<T> given) {
  if (given) return *std::move(given);
  raise(given.error(), family_of(given.error().code()));
  return std::nullopt;
}

std::optional<selection> compile_selection(type of, PyObject* what) {
  if (PyUnicode_Check(what)) {
    std::string_view text;
    if (!utf8_of(what, text, errc::path_syntax, family::plain)) return std::nullopt;
    return value_or_raise(selection::try_parse(of, text));
  }
  if (PyObject_TypeCheck(what, type_class())) return value_or_raise(selection::try_of(of, parts_of(what).of));
  object sequence(PySequence_Fast(
      what, "a selection is text such as '{ id items { price } }', a Type or a list of paths"));
  std::vector<path> ways;
  for (Py_ssize_t i = 0; sequence && i < PySequence_Fast_GET_SIZE(sequence.get()); ++i) {
    std::optional<path> way = path_cache::compile(of, PySequence_Fast_GET_ITEM(sequence.get(), i));
    if (!way) return std::nullopt;
    ways.push_back(*std::move(way));
  }
  if (!sequence) return std::nullopt;
  return value_or_raise(selection::try_of(of, std::span<const path>(ways)));
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

/// Puts an entry first; of `most` the last goes. What is dropped may run code that comes back here.
template <class Entry>
void put_first(std::vector<Entry>& entries, std::size_t most, Entry made) {
  std::optional<Entry> dropped;
  if (entries.size() == most) {
    dropped.emplace(std::move(entries.back()));
    entries.pop_back();
  }
  entries.insert(entries.begin(), std::move(made));
}
template <class Entry>
Entry& to_front(std::vector<Entry>& entries, Entry& used) {
  const auto at = entries.begin() + (&used - entries.data());
  std::rotate(entries.begin(), at, at + 1);
  return entries.front();
}

}  // namespace

std::shared_ptr<const path_list> plan_cache::find(type of, path_cache& paths, PyObject* texts) {
  if (PyUnicode_Check(texts)) {
    PyErr_SetString(PyExc_TypeError, "get_many takes a list of paths; get takes one");
    return nullptr;
  }
  object sequence(PySequence_Fast(texts, "paths must be a list or tuple of str"));
  if (!sequence) return nullptr;
  for (entry& each : entries_) {
    if (same_items(each.texts.get(), sequence.get())) return to_front(entries_, each).ways;
  }
  object tuple(PySequence_Tuple(sequence.get()));
  std::shared_ptr<const path_list> ways = tuple ? compile(of, paths, tuple.get()) : nullptr;
  if (ways == nullptr) return nullptr;
  put_first(entries_, most, entry{std::move(tuple), ways});
  return ways;
}

std::optional<selection> selection_cache::find(type of, PyObject* what) {
  const bool is_type = PyObject_TypeCheck(what, type_class()) != 0;
  const type_parts to = is_type ? parts_of(what) : type_parts{};
  const bool is_text = PyUnicode_CheckExact(what) != 0;
  for (entry& each : entries_) {
    const bool same =
        is_type ? each.to.of == to.of : is_text && each.text && same_text(each.text.get(), what);
    if (same) return to_front(entries_, each).kept;
  }
  std::optional<selection> made = compile_selection(of, what);
  if (!made || !(is_type || is_text)) return made;
  put_first(entries_, most, entry{is_type ? object() : object::share(what), to, *made});
  return made;
}

PyObject* trim(type of, byte_view data, const selection& what, protocol_id protocol,
               const trim_options& options, const limits& bounds) {
  return bytes_of(data.size(), [&](buffer& out) {
    return visit_protocol(protocol, [&](auto tag) -> result<void> {
      const result<trim_report> done = try_trim_to(out, view<decltype(tag)>(data, of, bounds), what, options);
      if (!done) return done.error();
      return {};
    });
  });
}

PyObject* get(schema_keys& keys, type of, byte_view data, const path& way, PyObject* fallback,
              const decode_options& options) {
  return visit_protocol(options.protocol, [&](auto tag) {
    const view<decltype(tag)> root(data, of, options.bounds);
    return way.is_single() ? give(keys, root.at(way), fallback, options) : give_all(keys, root, way, options);
  });
}

PyObject* get_many(schema_keys& keys, type of, byte_view data, const path_list& ways, PyObject* fallback,
                   const decode_options& options) {
  return visit_protocol(options.protocol, [&](auto tag) {
    return get_many_as<decltype(tag)>(keys, of, data, ways, fallback, options);
  });
}

}  // namespace thriftlens::python
