// path_cache: the paths that were used with the types of a schema, compiled.
// In: path texts as Python strings. Out: compiled paths.
// Never holds more than a few hundred: of those that collide the one not used longest goes.
#pragma once

#include "value.hpp"

#include <thriftlens/path/path.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace thriftlens::python {

/// Two exact str objects with equal text; nothing of the caller's is called.
[[nodiscard]] inline bool same_text(PyObject* left, PyObject* right) noexcept {
  if (left == right) return true;
  return PyUnicode_GET_LENGTH(left) == PyUnicode_GET_LENGTH(right) && PyUnicode_Compare(left, right) == 0;
}

class path_cache {
 public:
  /// Nothing with a Python error set. Found by the text, whether it is a literal or was made just now.
  [[nodiscard]] std::optional<path> find(type of, PyObject* text) {
    if (!PyUnicode_CheckExact(text)) return compile(of, text);
    const Py_hash_t hash = PyObject_Hash(text);  // kept in the str
    entry* const set = ways_of(hash, of);
    for (entry* each = set; each != set + ways && each->text; ++each) {
      if (each->hash != hash || each->way.from() != of || !same_text(each->text.get(), text)) continue;
      std::rotate(set, each, each + 1);
      return set->way;
    }
    std::optional<path> way = compile(of, text);
    if (!way || way->from() != of) return way;
    std::rotate(set, set + ways - 1, set + ways);
    *set = {object::share(text), hash, *way};
    return way;
  }
  [[nodiscard]] static std::optional<path> compile(type of, PyObject* text) {
    if (!PyUnicode_Check(text)) {
      PyErr_Format(PyExc_TypeError, "a path is a str such as '$.items[3].price', not %.200s",
                   Py_TYPE(text)->tp_name);
      return std::nullopt;
    }
    std::string_view utf8;
    if (!utf8_of(text, utf8, errc::path_syntax, family::plain)) return std::nullopt;
    result<path> way = path::try_parse(of, utf8);
    if (way) return *std::move(way);
    raise(way.error(), family_of(way.error().code()));
    return std::nullopt;
  }

 private:
  static constexpr std::size_t ways = 4;
  static constexpr std::size_t sets = 64;
  struct entry {
    object text;
    Py_hash_t hash = 0;
    path way;
  };
  entry* ways_of(Py_hash_t hash, type of) {
    if (entries_.empty()) entries_.resize(ways * sets);
    return entries_.data() + (static_cast<std::size_t>(hash) + of.index()) % sets * ways;
  }

  std::vector<entry> entries_;  // sets of `ways`, last used first
};

/// The cache of a schema, shared by its types and the views of them.
[[nodiscard]] inline path_cache& paths_of(schema_keys& keys) {
  if (keys.paths == nullptr) keys.paths = std::make_shared<path_cache>();
  return *static_cast<path_cache*>(keys.paths.get());
}

}  // namespace thriftlens::python
