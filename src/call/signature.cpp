// signature: parses calls.
#include "call/signature.hpp"

#include "support/argument.hpp"
#include "support/to_python.hpp"

#include <thriftlens/core/nearest.hpp>

#include <algorithm>

namespace thriftlens::python {

namespace {

PyObject* interned(const char* text) { return PyUnicode_InternFromString(text); }

/// "'a', 'b' or 'c'".
std::string listed(const std::vector<const char*>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text.append("'").append(names[i]).append("'");
  }
  return text;
}

std::string parameter_text(const char* name, bool is_required, const char* preset) {
  return std::string(", ") + name + (is_required ? std::string() : std::string("=") + preset);
}

bool refuse_number(const option& of, PyObject* kind, PyObject* value) {
  const auto lowest = static_cast<unsigned long long>(of.range.lowest);
  const auto highest = static_cast<unsigned long long>(of.range.highest);
  const char* const format = kind == PyExc_TypeError ? "%s must be a number from %llu to %llu, not %s"
                                                     : "%s must be from %llu to %llu, not %s";
  return raise_as(kind, format, of.name, lowest, highest, shown(value).c_str());
}
/// Clears the error of a conversion to a number, and raises that of the option.
bool refuse_conversion(const option& of, PyObject* value) {
  if (PyErr_ExceptionMatches(PyExc_TypeError)) return refuse_number(of, PyExc_TypeError, value);
  if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
  PyErr_Clear();
  return refuse_number(of, PyExc_ValueError, value);
}

bool read_number(const option& of, PyObject* value, void* call) {
  if (value == Py_True) {
    of.member.set(call, of.range.when_true);
    return true;
  }
  const long long number = PyLong_AsLongLong(value);
  if (number == -1 && PyErr_Occurred() != nullptr) return refuse_conversion(of, value);
  const auto magnitude = static_cast<std::uint64_t>(number);  // of a negative number above all limits
  if (magnitude < of.range.lowest || magnitude > of.range.highest)
    return refuse_number(of, PyExc_ValueError, value);
  of.member.set(call, magnitude);
  return true;
}

}  // namespace

signature::signature(const char* name, positional_list list, std::span<const option> options,
                     const void* defaults)
    : name_(name), positionals_(list), options_(options), defaults_(defaults) {
  for (const positional& parameter : list.list) required_ += parameter.shown_default == nullptr ? 1 : 0;
  for (const option& row : options) {
    has_required_options_ |= row.is_required;
    names_.push_back(interned(row.name));
    choices_.emplace_back();
    for (const char* choice : row.choices.names) choices_.back().push_back(interned(choice));
  }
}

bool signature::read_call(const arguments& args, PyObject** positionals, void* call) const {
  const auto count = static_cast<Py_ssize_t>(count_positionals());
  if (args.by_position > count) return miscounted(args.by_position);
  read_positions(args, positionals);
  if (args.names != nullptr && !read_names(args, positionals, call)) return false;
  if (args.by_position < required_ && !has_all(args, positionals)) return false;
  return !has_required_options_ || has_required_options(call);
}

bool signature::read_names(const arguments& args, PyObject** positionals, void* call) const {
  std::size_t at = options_.size() - 1;
  for (Py_ssize_t i = 0; i < args.by_name(); ++i) {
    const std::size_t here = find_option(args.name(i), at);
    if (here == options_.size()) {
      if (!read_positional(args.name(i), args.named(i), positionals)) return false;
      continue;
    }
    if (!read_option(here, args.named(i), call)) return false;
    at = here;
  }
  return true;
}

bool signature::miscounted(Py_ssize_t count) const {
  const auto max_count = static_cast<Py_ssize_t>(count_positionals());
  if (positionals_.by_name_too) {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %zd positional argument%s, %zd given", name_, max_count,
                 max_count == 1 ? "" : "s", count);
  } else if (required_ == max_count) {
    PyErr_Format(PyExc_TypeError, "%s() takes %zd positional argument%s, %zd given", name_, max_count,
                 max_count == 1 ? "" : "s", count);
  } else {
    PyErr_Format(PyExc_TypeError, "%s() takes %zd to %zd positional arguments, %zd given", name_, required_,
                 max_count, count);
  }
  return false;
}

bool signature::has_all(const arguments& args, PyObject* const* positionals) const {
  if (!positionals_.by_name_too) return miscounted(args.by_position);
  for (Py_ssize_t i = 0; i < required_; ++i) {
    if (positionals[i] != nullptr) continue;
    const char* const missing = positionals_.list[static_cast<std::size_t>(i)].name;
    return raise_type_error("%s() missing required argument '%s'", name_, missing);
  }
  return true;
}

bool signature::has_required_options(const void* call) const {
  for (const option& row : options_) {
    if (!row.is_required || row.member.get(call) != option::absent) continue;
    return raise_type_error("%s() missing required argument '%s'", name_, row.name);
  }
  return true;
}

/// Starts after the previous option: callers mostly name options in documented order.
std::size_t signature::find_option(PyObject* name, std::size_t previous) const {
  const std::size_t count = options_.size();
  std::size_t at = previous;
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

bool signature::read_positional(PyObject* name, PyObject* value, PyObject** positionals) const {
  for (std::size_t i = 0; positionals_.by_name_too && i < count_positionals(); ++i) {
    if (PyUnicode_CompareWithASCIIString(name, positionals_.list[i].name) != 0) continue;
    if (positionals[i] != nullptr)
      return raise_type_error("%s() got multiple values for argument '%U'", name_, name);
    positionals[i] = value;
    return true;
  }
  return unknown(name);
}

bool signature::unknown(PyObject* name) const {
  const char* const text = PyUnicode_AsUTF8(name);
  if (text == nullptr) PyErr_Clear();
  detail::nearest_names near(text == nullptr ? std::string_view() : std::string_view(text));
  for (const option& row : options_) {
    near.offer(row.name);
    if (std::string_view(row.name) == "pretty" && PyUnicode_CompareWithASCIIString(name, "indent") == 0)
      return raise_type_error("%s() got an unexpected keyword argument 'indent'; did you mean 'pretty'?",
                              name_);
  }
  for (const positional& parameter : positionals_.list) {
    if (positionals_.by_name_too) near.offer(parameter.name);
  }
  return raise_type_error("%s() got an unexpected keyword argument '%U'%s", name_, name, near.text().c_str());
}

bool signature::read_option(std::size_t at, PyObject* value, void* call) const {
  const option& of = options_[at];
  switch (of.kind) {
    case option::form::choice:
      return read_word(at, value, call);
    case option::form::number:
      return read_number(of, value, call);
    case option::form::object:
      break;
  }
  return of.member.take(call, of.name, value);
}

bool signature::read_word(std::size_t at, PyObject* value, void* call) const {
  const option& of = options_[at];
  const std::vector<PyObject*>& choices = choices_[at];
  auto match = std::find(choices.begin(), choices.end(), value);  // string literals are interned
  if (match == choices.end() && PyUnicode_Check(value))
    match = std::find_if(choices.begin(), choices.end(),
                         [value](PyObject* choice) { return PyUnicode_Compare(choice, value) == 0; });
  if (match != choices.end()) {
    of.member.set(call, static_cast<std::uint64_t>(match - choices.begin()));
    return true;
  }
  return (of.choices.takes_none && value == Py_None) ||
         raise_value_error("%s must be %s, not %s", of.name, listed(choices_default_first(of)).c_str(),
                           shown(value).c_str());
}

std::vector<const char*> signature::choices_default_first(const option& of) const {
  std::vector<const char*> choices(of.choices.names.begin(), of.choices.names.end());
  const std::uint64_t preset = of.member.get(defaults_);
  if (preset < choices.size()) {
    const auto first = choices.begin() + static_cast<std::ptrdiff_t>(preset);
    std::rotate(choices.begin(), first, first + 1);
  }
  return choices;
}

std::string signature::default_text(const option& of) const {
  if (of.shown_default != nullptr) return of.shown_default;
  const std::uint64_t preset = of.member.get(defaults_);
  if (of.kind == option::form::number) return std::to_string(preset);
  return preset == option::absent ? "None" : '\'' + std::string(of.choices.names[preset]) + '\'';
}

std::string signature::text(const char* self) const {
  std::string text = std::string(name_) + '(' + self;
  if (positionals_.by_name_too) text += ", /";
  for (const positional& parameter : positionals_.list)
    text += parameter_text(parameter.name, parameter.shown_default == nullptr, parameter.shown_default);
  if (!positionals_.by_name_too) text += ", /";
  if (!options_.empty()) text += ", *";
  for (const option& row : options_)
    text += parameter_text(row.name, row.is_required, default_text(row).c_str());
  return text + ")\n--\n\n";
}

PyObject* signature::rows() const {
  object dict(PyDict_New());
  for (const option& descriptor : options_) {
    const object row(row_of(descriptor));
    if (!dict || !row || PyDict_SetItemString(dict.get(), descriptor.name, row.get()) != 0) return nullptr;
  }
  return dict.release();
}
PyObject* signature::row_of(const option& of) const {
  object choices(new_none());
  if (of.kind == option::form::choice)
    choices =
        object(new_list(choices_default_first(of), [](const char* choice) { return interned(choice); }));
  if (choices && choices.get() != Py_None) choices = object(PyList_AsTuple(choices.get()));
  return new_tuple(std::move(choices), of.is_required ? std::string() : default_text(of), of.range.lowest,
                   of.range.highest);
}

}  // namespace thriftlens::python
