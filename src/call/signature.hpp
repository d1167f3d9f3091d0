// signature: the parameters of a method; parses its calls without allocating.
#pragma once

#include "call/options.hpp"
#include "call/recent_calls.hpp"
#include "support/attribute.hpp"
#include "support/translate_exceptions.hpp"

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace thriftlens::python {

/// A parameter that can be passed by position.
struct positional {
  const char* name;
  const char* shown_default = nullptr;  ///< as in help(); null: required
};
struct positional_list {
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
  /// The option of that name, or null.
  [[nodiscard]] const option* find(PyObject* name) const;
  /// The signature line of a docstring as CPython parses it. `self`: "$self" or "$module".
  [[nodiscard]] std::string text(const char* self) const;
  /// A dict of the options: name to (choices or None, default, lowest, highest). Null with a Python error
  /// set.
  [[nodiscard]] PyObject* rows() const;

 protected:
  signature(const char* name, positional_list list, std::span<const option> options, const void* defaults);
  ~signature() = default;
  [[nodiscard]] bool read_call(const arguments& args, PyObject** positionals, void* call) const;
  void read_positions(const arguments& args, PyObject** positionals) const noexcept {
    for (std::size_t i = 0; i < count_positionals(); ++i)
      positionals[i] = static_cast<Py_ssize_t>(i) < args.by_position ? args.values[i] : nullptr;
  }
  /// Whether all keyword arguments are options, and there is one.
  [[nodiscard]] bool names_options_alone(const arguments& args) const noexcept {
    const auto count = static_cast<Py_ssize_t>(count_positionals());
    const Py_ssize_t least = positionals_.by_name_too ? count : required_;
    return args.names != nullptr && args.by_position >= least && args.by_position <= count;
  }

 private:
  bool read_names(const arguments& args, PyObject** positionals, void* call) const;
  [[nodiscard]] bool has_all(const arguments& args, PyObject* const* positionals) const;
  [[nodiscard]] bool has_required_options(const void* call) const;
  bool miscounted(Py_ssize_t args) const;
  [[nodiscard]] std::size_t find_option(PyObject* name, std::size_t previous) const;
  bool read_positional(PyObject* name, PyObject* value, PyObject** positionals) const;
  bool unknown(PyObject* name) const;
  bool read_option(std::size_t at, PyObject* value, void* call) const;
  bool read_word(std::size_t at, PyObject* value, void* call) const;
  [[nodiscard]] PyObject* row_of(const option& of) const;
  [[nodiscard]] std::string default_text(const option& of) const;
  [[nodiscard]] std::vector<const char*> choices_default_first(const option& of) const;

  const char* name_;
  positional_list positionals_;
  Py_ssize_t required_ = 0;
  std::span<const option> options_;
  const void* defaults_;
  bool has_required_options_ = false;
  std::vector<PyObject*> names_;                 // interned, for the life of the process, as the next
  std::vector<std::vector<PyObject*>> choices_;  // by option
};

/// The signature of calls that are parsed into a `Call`. Must live as long as the process.
template <class Call>
class signature_of final : public signature {
 public:
  using call_type = Call;

  template <std::size_t Count>
  signature_of(const char* name, positional_list list, const option_table<Call, Count>& options)
      : signature(name, list, options.rows, &defaults()) {}

  /// `positionals`: the positional parameters, null where one was left out. False with TypeError or
  /// ValueError set.
  [[nodiscard]] bool read(const arguments& args, PyObject** positionals, Call& call) const {
    if constexpr (std::is_trivially_copyable_v<Call>) {
      const bool is_comparable = names_options_alone(args);
      if (is_comparable && recent_.find(args, call)) {
        read_positions(args, positionals);
        return true;
      }
      if (!read_call(args, positionals, &call)) return false;
      if (is_comparable) recent_.put(args, call);
      return true;
    } else {
      return read_call(args, positionals, &call);
    }
  }

 private:
  struct none {};
  static const Call& defaults() {
    static const Call preset{};
    return preset;
  }

  mutable std::conditional_t<std::is_trivially_copyable_v<Call>, recent_calls<Call>, none> recent_;
};

/// Whether the call has the option as a keyword.
[[nodiscard]] inline bool names_option(const arguments& args, const char* option) noexcept {
  for (Py_ssize_t i = 0; i < args.by_name(); ++i)
    if (PyUnicode_CompareWithASCIIString(args.name(i), option) == 0) return true;
  return false;
}

/// The call of a method without options.
struct no_options {};
inline constexpr option_table<no_options, 0> empty_table{};
inline constexpr std::array<positional, 0> no_positionals{};

enum class passing : std::uint8_t { by_position, by_name_too };

/// The signature of a method with these parameters and this option_table, created by the first call.
template <attribute_name Name, const auto& Positionals, const auto& Options = empty_table,
          passing By = passing::by_position>
const auto& signature_from() {
  using call = typename std::remove_cvref_t<decltype(Options)>::call_type;
  static const signature_of<call> signature(Name.text, {Positionals, By == passing::by_name_too}, Options);
  return signature;
}
template <attribute_name... Names>
inline constexpr std::array<positional, sizeof...(Names)> required_positionals{{{Names.text}...}};
/// The signature of a method that takes these arguments, by position or name, and the options of a table.
template <attribute_name Name, const auto& Options, attribute_name... Parameters>
const auto& named_signature() {
  return signature_from<Name, required_positionals<Parameters...>, Options, passing::by_name_too>();
}
/// The signature of a method that takes only these arguments, by position.
template <attribute_name Name, attribute_name... Parameters>
const auto& plain_signature() {
  return signature_from<Name, required_positionals<Parameters...>>();
}

/// The positional arguments of a call; null if omitted.
using positional_values = PyObject * [signature::max_positionals];

/// The type that a signature parses calls into.
template <auto Signature>
using call_of = typename std::remove_cvref_t<decltype(Signature())>::call_type;

/// Function(self, positionals, call), or Function(self, positionals) without options, for fast_method.
template <auto Signature, auto Function>
PyObject* of_call(PyObject* self, const arguments& args) {
  positional_values positionals;
  call_of<Signature> call;
  if (!Signature().read(args, positionals, call)) return nullptr;
  if constexpr (std::is_same_v<call_of<Signature>, no_options>)
    return Function(self, positionals);
  else
    return Function(self, positionals, call);
}

}  // namespace thriftlens::python
