// signature: reading of calls, and what is said where one makes no sense.
#include "call/signature.hpp"

#include <thriftlens/schema/nearest.hpp>

#include <algorithm>

namespace thriftlens::python {

namespace {

PyObject* interned(const char* text) { return PyUnicode_InternFromString(text); }

/// "'a', 'b' or 'c'".
std::string listed(const std::vector<const char*>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? " or " : ", ";
    text.append("'").append(words[i]).append("'");
  }
  return text;
}

bool refused_number(const option& of, PyObject* kind, PyObject* value) {
  const auto lowest = static_cast<unsigned long long>(of.lowest);
  const auto highest = static_cast<unsigned long long>(of.highest);
  const char* const words = kind == PyExc_TypeError ? "%s must be a number from %llu to %llu, not %R"
                                                    : "%s must be from %llu to %llu, not %R";
  PyErr_Format(kind, words, of.name, lowest, highest, value);
  return false;
}

bool read_number(const option& of, PyObject* value, void* call) {
  if (value == Py_True) {
    of.set(call, of.when_true);
    return true;
  }
  const long long found = PyLong_AsLongLong(value);
  if (found == -1 && PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_TypeError)) return refused_number(of, PyExc_TypeError, value);
    if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
    PyErr_Clear();
    return refused_number(of, PyExc_ValueError, value);
  }
  const bool fits = found >= 0 && static_cast<std::uint64_t>(found) >= of.lowest &&
                    static_cast<std::uint64_t>(found) <= of.highest;
  if (!fits) return refused_number(of, PyExc_ValueError, value);
  of.set(call, static_cast<std::uint64_t>(found));
  return true;
}

}  // namespace

signature::signature(const char* name, positionals list, std::span<const option> options,
                     const void* defaults)
    : name_(name), positionals_(list), options_(options), defaults_(defaults) {
  for (const positional& each : list.list) required_ += each.shown_default == nullptr ? 1 : 0;
  for (const option& each : options) {
    has_required_options_ |= each.is_required;
    names_.push_back(interned(each.name));
    words_.emplace_back();
    for (const char* word : each.words) words_.back().push_back(interned(word));
  }
}

bool signature::read_call(const arguments& given, PyObject** found, void* call) const {
  const auto count = static_cast<Py_ssize_t>(count_positionals());
  if (given.by_position > count) return miscounted(given.by_position);
  read_positions(given, found);
  if (given.names != nullptr && !read_names(given, found, call)) return false;
  if (given.by_position < required_ && !has_all(given, found)) return false;
  return !has_required_options_ || has_required_options(call);
}

bool signature::read_names(const arguments& given, PyObject** found, void* call) const {
  std::size_t at = options_.size() - 1;
  for (Py_ssize_t i = 0; i < given.by_name(); ++i) {
    const std::size_t here = find_option(given.name(i), at);
    if (here == options_.size()) {
      if (!read_positional(given.name(i), given.named(i), found)) return false;
      continue;
    }
    if (!read_option(here, given.named(i), call)) return false;
    at = here;
  }
  return true;
}

bool signature::miscounted(Py_ssize_t given) const {
  const auto most = static_cast<Py_ssize_t>(count_positionals());
  if (positionals_.by_name_too) {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %zd positional argument%s, %zd given", name_, most,
                 most == 1 ? "" : "s", given);
  } else if (required_ == most) {
    PyErr_Format(PyExc_TypeError, "%s() takes %zd positional argument%s, %zd given", name_, most,
                 most == 1 ? "" : "s", given);
  } else {
    PyErr_Format(PyExc_TypeError, "%s() takes %zd to %zd positional arguments, %zd given", name_, required_,
                 most, given);
  }
  return false;
}

bool signature::has_all(const arguments& given, PyObject* const* found) const {
  if (!positionals_.by_name_too) return miscounted(given.by_position);
  for (Py_ssize_t i = 0; i < required_; ++i) {
    if (found[i] != nullptr) continue;
    const char* const missing = positionals_.list[static_cast<std::size_t>(i)].name;
    PyErr_Format(PyExc_TypeError, "%s() misses the argument '%s'", name_, missing);
    return false;
  }
  return true;
}

bool signature::has_required_options(const void* call) const {
  for (const option& each : options_) {
    if (!each.is_required || each.get(call) != option::absent) continue;
    PyErr_Format(PyExc_TypeError, "%s() misses the argument '%s'", name_, each.name);
    return false;
  }
  return true;
}

/// Callers name options in the documented order more often than not: begins behind the one named before.
std::size_t signature::find_option(PyObject* name, std::size_t after) const {
  const std::size_t count = options_.size();
  std::size_t at = after;
  for (std::size_t i = 0; i < count; ++i) {
    at = at + 1 < count ? at + 1 : 0;
    if (names_[at] == name) return at;
  }
  for (at = 0; at < count && PyUnicode_Compare(names_[at], name) != 0;) ++at;
  return at;
}

const option* signature::find(PyObject* name) const {
  const std::size_t at = find_option(name, options_.size() - 1);
  return at == options_.size() ? nullptr : &options_[at];
}

bool signature::read_positional(PyObject* name, PyObject* value, PyObject** found) const {
  for (std::size_t i = 0; positionals_.by_name_too && i < count_positionals(); ++i) {
    if (PyUnicode_CompareWithASCIIString(name, positionals_.list[i].name) != 0) continue;
    if (found[i] != nullptr) {
      PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", name_, name);
      return false;
    }
    found[i] = value;
    return true;
  }
  return unknown(name);
}

bool signature::unknown(PyObject* name) const {
  const char* const text = PyUnicode_AsUTF8(name);
  if (text == nullptr) PyErr_Clear();
  thriftlens::detail::nearest_names near(text == nullptr ? std::string_view() : std::string_view(text));
  for (const option& each : options_) near.offer(each.name);
  for (const positional& each : positionals_.list) {
    if (positionals_.by_name_too) near.offer(each.name);
  }
  PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'%s", name_, name,
               near.text().c_str());
  return false;
}

bool signature::read_option(std::size_t at, PyObject* value, void* call) const {
  const option& of = options_[at];
  switch (of.kind) {
    case option::form::word:
      return read_word(at, value, call);
    case option::form::number:
      return read_number(of, value, call);
    case option::form::object:
      break;
  }
  return of.take(call, of.name, value);
}

bool signature::read_word(std::size_t at, PyObject* value, void* call) const {
  const option& of = options_[at];
  const std::vector<PyObject*>& words = words_[at];
  std::size_t word = 0;
  while (word < words.size() && words[word] != value) ++word;  // words in a program's text are interned
  if (word == words.size() && PyUnicode_Check(value)) {
    word = 0;
    while (word < words.size() && PyUnicode_Compare(words[word], value) != 0) ++word;
  }
  if (word < words.size()) {
    of.set(call, word);
    return true;
  }
  if (of.takes_none && value == Py_None) return true;
  PyErr_Format(PyExc_ValueError, "%s must be %s, not %R", of.name, listed(words_default_first(of)).c_str(),
               value);
  return false;
}

std::vector<const char*> signature::words_default_first(const option& of) const {
  std::vector<const char*> words(of.words.begin(), of.words.end());
  const std::uint64_t preset = of.get(defaults_);
  if (preset < words.size()) {
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(preset);
    std::rotate(words.begin(), first, first + 1);
  }
  return words;
}

std::string signature::default_text(const option& of) const {
  if (of.shown_default != nullptr) return of.shown_default;
  const std::uint64_t preset = of.get(defaults_);
  if (of.kind == option::form::number) return std::to_string(preset);
  return preset == option::absent ? "None" : '\'' + std::string(of.words[preset]) + '\'';
}

std::string signature::text(const char* self) const {
  std::string text = std::string(name_) + '(' + self;
  if (positionals_.by_name_too) text += ", /";
  for (const positional& each : positionals_.list) {
    text.append(", ").append(each.name);
    if (each.shown_default != nullptr) text.append("=").append(each.shown_default);
  }
  if (!positionals_.by_name_too) text += ", /";
  if (!options_.empty()) text += ", *";
  for (const option& each : options_) {
    text.append(", ").append(each.name);
    if (!each.is_required) text.append("=").append(default_text(each));
  }
  return text + ")\n--\n\n";
}

PyObject* signature::rows() const {
  object all(PyDict_New());
  for (const option& each : options_) {
    if (!all) return nullptr;
    object words(new_reference(Py_None));
    if (each.kind == option::form::word) {
      words = object(PyTuple_New(static_cast<Py_ssize_t>(each.words.size())));
      Py_ssize_t at = 0;
      for (const char* word : words_default_first(each)) {
        if (words) PyTuple_SET_ITEM(words.get(), at++, interned(word));
      }
    }
    const object preset(PyUnicode_FromString(each.is_required ? "" : default_text(each).c_str()));
    const object row(Py_BuildValue("(OOKK)", words.get(), preset.get(),
                                   static_cast<unsigned long long>(each.lowest),
                                   static_cast<unsigned long long>(each.highest)));
    if (!row || PyDict_SetItemString(all.get(), each.name, row.get()) != 0) return nullptr;
  }
  return all.release();
}

}  // namespace thriftlens::python
