// path_cache: the paths that were used with a type, compiled.
// In: path texts as Python strings. Out: compiled paths.
// Never grows beyond a few dozen: then it starts anew.
#pragma once

#include "value.hpp"

#include <thriftlens/path/path.hpp>

#include <optional>
#include <vector>

namespace thriftlens::python {

class path_cache {
 public:
  /// Nothing with a Python error set. The same str object is found by its address.
  [[nodiscard]] std::optional<path> find(type of, PyObject* text) {
    for (const entry& each : entries_) {
      if (each.text.get() == text) return each.way;
    }
    std::optional<path> way = compile(of, text);
    if (!way) return std::nullopt;
    // What is dropped may run code that comes back here.
    if (entries_.size() == most) const auto dropped = std::exchange(entries_, {});
    entries_.push_back({object::share(text), *way});
    return way;
  }
  [[nodiscard]] static std::optional<path> compile(type of, PyObject* text) {
    if (!PyUnicode_Check(text)) {
      PyErr_Format(PyExc_TypeError, "a path is a str such as '$.items[3].price', not %.200s", Py_TYPE(text)->tp_name);
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
  static constexpr std::size_t most = 32;
  struct entry {
    object text;
    path way;
  };
  std::vector<entry> entries_;
};

}  // namespace thriftlens::python
