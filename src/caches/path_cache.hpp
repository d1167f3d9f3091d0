// path_cache: the paths that were used with the types of a schema, compiled. Never holds more than a few
// hundred: of those that collide the one not used longest goes.
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
  /// Nothing with a Python error set. Found by the text, whether it is a literal or was made just now.
  [[nodiscard]] std::optional<path> find(type of, PyObject* text) {
    if (!PyUnicode_CheckExact(text)) return compile(of, text);
    const Py_hash_t hash = PyObject_Hash(text);  // kept in the str
    if (std::optional<path> known = find(of, text, hash)) return known;
    std::optional<path> made = compile(of, text);
    if (made && made->from() == of) put({object::share(text), hash, *made});
    return made;
  }
  [[nodiscard]] static std::optional<path> compile(type of, PyObject* text) {
    if (!PyUnicode_Check(text)) {
      PyErr_Format(PyExc_TypeError, "a path is a str such as '$.items[3].price', not %.200s",
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
    for (entry* each = set; each != set + set_size && each->text; ++each) {
      if (each->hash != hash || each->compiled.from() != of || !same_text(each->text.get(), text)) continue;
      std::rotate(set, each, each + 1);
      return set->compiled;
    }
    return std::nullopt;
  }
  /// What goes for it is destroyed by the caller, when the lock is free.
  void put(entry made) {
    const std::scoped_lock alone(mutex_);
    entry* const set = set_of(made.hash, made.compiled.from());
    std::rotate(set, set + set_size - 1, set + set_size);
    std::swap(*set, made);
  }
  entry* set_of(Py_hash_t hash, type of) {
    if (entries_.empty()) entries_.resize(set_size * sets);
    return entries_.data() + (static_cast<std::size_t>(hash) + of.index()) % sets * set_size;
  }

  mutex mutex_;
  std::vector<entry> entries_;  // sets of `set_size`, last used first
};

/// The cache of a schema, shared by its types and the views of them.
[[nodiscard]] inline path_cache& paths_of(schema_keys& keys) {
  const std::scoped_lock alone(keys.making);
  if (keys.paths == nullptr) keys.paths = std::make_shared<path_cache>();
  return *static_cast<path_cache*>(keys.paths.get());
}

}  // namespace thriftlens::python
