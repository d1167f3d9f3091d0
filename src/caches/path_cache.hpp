// path_cache: compiled paths of a schema's types: 64 sets of 4 entries with least-recently-used replacement.
#pragma once

#include "convert/value.hpp"
#include "support/constants.hpp"

#include <thriftlens/path/path.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace thriftlens::python {

class path_cache {
 public:
  /// Finds by value, not by identity. Nothing with a Python error set.
  [[nodiscard]] std::optional<path> find(type of, PyObject* text) {
    if (!PyUnicode_CheckExact(text)) return compile(of, text);
    const Py_hash_t hash = PyObject_Hash(text);  // cached in the str
    if (std::optional<path> known = find(of, text, hash)) return known;
    std::optional<path> compiled = compile(of, text);
    if (compiled && compiled->from() == of) put({object::share(text), hash, *compiled});
    return compiled;
  }
  [[nodiscard]] static std::optional<path> compile(type of, PyObject* text) {
    if (!PyUnicode_Check(text)) {
      PyErr_Format(PyExc_TypeError, "a path must be a str such as '$.items[3].price', not %.200s",
                   Py_TYPE(text)->tp_name);
      return std::nullopt;
    }
    std::string_view utf8;
    if (!utf8_of(text, utf8, errc::path_syntax, family::plain)) return std::nullopt;
    return value_or_raise(path::try_compile(of, utf8));
  }

 private:
  static constexpr std::size_t set_size = 4;
  static constexpr std::size_t sets = 64;
  struct entry {
    object text;
    Py_hash_t hash = 0;
    path compiled;
  };
  [[nodiscard]] std::optional<path> find(type of, PyObject* text, Py_hash_t hash) {
    const std::scoped_lock alone(mutex_);
    entry* const set = set_of(hash, of);
    for (entry* slot = set; slot != set + set_size && slot->text; ++slot) {
      if (slot->hash != hash || slot->compiled.from() != of || !same_text(slot->text.get(), text)) continue;
      std::rotate(set, slot, slot + 1);
      return set->compiled;
    }
    return std::nullopt;
  }
  /// The replaced entry is destroyed with the argument, after the lock is released.
  void put(entry added) {
    const std::scoped_lock alone(mutex_);
    entry* const set = set_of(added.hash, added.compiled.from());
    std::rotate(set, set + set_size - 1, set + set_size);
    std::swap(*set, added);
  }
  entry* set_of(Py_hash_t hash, type of) {
    if (entries_.empty()) entries_.resize(set_size * sets);
    return entries_.data() + (static_cast<std::size_t>(hash) + of.index()) % sets * set_size;
  }

  mutex mutex_;
  std::vector<entry> entries_;  // sets of `set_size`, last used first
};

/// The path cache of a schema.
[[nodiscard]] inline path_cache& paths_of(schema_keys& keys) {
  const std::scoped_lock alone(keys.making);
  if (keys.paths == nullptr) keys.paths = std::make_shared<path_cache>();
  return *static_cast<path_cache*>(keys.paths.get());
}

}  // namespace thriftlens::python
