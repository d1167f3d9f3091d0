// signature: the parameters of a method, and how its calls are read without a dictionary. Never allocates
// where nothing is wrong.
#pragma once

#include "call/options.hpp"
#include "call/recent_calls.hpp"
#include "support/translate_exceptions.hpp"

#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace thriftlens::python {

/// A parameter that may be given by position.
struct positional {
  const char* name;
  const char* shown_default = nullptr;  ///< as help() shows it; null: must be given
};
/// Those of a method.
struct positionals {
  std::span<const positional> list;
  bool by_name_too = false;
};

class signature {
 public:
  static constexpr std::size_t max_positionals = 4;

  signature(const signature&) = delete;
  signature& operator=(const signature&) = delete;

  [[nodiscard]] const char* name() const noexcept { return name_; }
  [[nodiscard]] std::size_t count_positionals() const noexcept { return positionals_.list.size(); }
  [[nodiscard]] std::span<const option> options() const noexcept { return options_; }
  /// The option of that name; null where there is none.
  [[nodiscard]] const option* find(PyObject* name) const;
  /// What CPython wants before the text of help(). `self`: "$self" or "$module".
  [[nodiscard]] std::string text(const char* self) const;
  /// A dict of the options: name to (words or None, default, lowest, highest). Null with a Python error set.
  [[nodiscard]] PyObject* rows() const;

 protected:
  signature(const char* name, positionals list, std::span<const option> options, const void* defaults);
  ~signature() = default;
  [[nodiscard]] bool read_call(const arguments& given, PyObject** found, void* call) const;
  void read_positions(const arguments& given, PyObject** found) const noexcept {
    for (std::size_t i = 0; i < count_positionals(); ++i)
      found[i] = static_cast<Py_ssize_t>(i) < given.by_position ? given.values[i] : nullptr;
  }
  /// Whether options are given, and nothing else by name.
  [[nodiscard]] bool names_options_alone(const arguments& given) const noexcept {
    const auto count = static_cast<Py_ssize_t>(count_positionals());
    const Py_ssize_t least = positionals_.by_name_too ? count : required_;
    return given.names != nullptr && given.by_position >= least && given.by_position <= count;
  }

 private:
  bool read_names(const arguments& given, PyObject** found, void* call) const;
  [[nodiscard]] bool has_all(const arguments& given, PyObject* const* found) const;
  [[nodiscard]] bool has_required_options(const void* call) const;
  bool miscounted(Py_ssize_t given) const;
  [[nodiscard]] std::size_t find_option(PyObject* name, std::size_t after) const;
  bool read_positional(PyObject* name, PyObject* value, PyObject** found) const;
  bool unknown(PyObject* name) const;
  bool read_option(std::size_t at, PyObject* value, void* call) const;
  bool read_word(std::size_t at, PyObject* value, void* call) const;
  [[nodiscard]] std::string default_text(const option& of) const;
  [[nodiscard]] std::vector<const char*> words_default_first(const option& of) const;

  const char* name_;
  positionals positionals_;
  Py_ssize_t required_ = 0;
  std::span<const option> options_;
  const void* defaults_;
  bool has_required_options_ = false;
  std::vector<PyObject*> names_;               // interned, for the life of the process, as the next
  std::vector<std::vector<PyObject*>> words_;  // of each option
};

/// Of calls that are read into a `Call`. Lives as long as the process, as what it is made of.
template <class Call>
class signature_of final : public signature {
 public:
  template <std::size_t Count>
  signature_of(const char* name, positionals list, const option_table<Call, Count>& options)
      : signature(name, list, options.rows, &defaults()) {}

  /// `found`: the positional parameters, null where one was left out. False with TypeError or ValueError set.
  [[nodiscard]] bool read(const arguments& given, PyObject** found, Call& call) const {
    if constexpr (std::is_trivially_copyable_v<Call>) {
      const bool is_comparable = names_options_alone(given);
      if (is_comparable && recent_.find(given, call)) {
        read_positions(given, found);
        return true;
      }
      if (!read_call(given, found, &call)) return false;
      if (is_comparable) recent_.put(given, call);
      return true;
    } else {
      return read_call(given, found, &call);
    }
  }

 private:
  struct nothing {};
  static const Call& defaults() {
    static const Call made{};
    return made;
  }

  mutable std::conditional_t<std::is_trivially_copyable_v<Call>, recent_calls<Call>, nothing> recent_;
};

/// Whether a call says the option, with its default or not.
[[nodiscard]] inline bool names_option(const arguments& given, const char* option) noexcept {
  for (Py_ssize_t i = 0; i < given.by_name(); ++i)
    if (PyUnicode_CompareWithASCIIString(given.name(i), option) == 0) return true;
  return false;
}

/// The call of a method that takes no options.
struct no_options {};
inline constexpr option_table<no_options, 0> empty_table{};

/// The positional parameters that a call was given.
using positional_values = PyObject * [signature::max_positionals];

}  // namespace thriftlens::python
