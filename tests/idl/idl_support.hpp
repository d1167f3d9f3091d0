// idl_support: helpers to load IDL in tests and to inspect the findings.
#pragma once

#include <thriftlens/idl/load.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace thriftlens_test {

namespace idl = thriftlens::idl;

inline idl::load_options strict_options() {
  idl::load_options options;
  options.mode = idl::mode::strict;
  return options;
}
inline std::vector<std::string> brief(const std::vector<thriftlens::diagnostic>& all,
                                      thriftlens::diagnostic::level level) {
  std::vector<std::string> lines;
  for (const thriftlens::diagnostic& each : all) {
    if (each.severity != level) continue;
    lines.push_back(std::to_string(each.line) + ':' + std::to_string(each.column) + ' ' + each.kind);
  }
  return lines;
}
/// The errors of a text as "line:column kind", in order; empty if it loads.
inline std::vector<std::string> errors_of(std::string_view text, const idl::load_options& options = {}) {
  auto loaded = idl::try_parse(text, options);
  return loaded ? std::vector<std::string>()
                : brief(loaded.error().diagnostics(), thriftlens::diagnostic::level::error);
}
/// The first message of a text that does not load.
inline std::string message_of(std::string_view text, const idl::load_options& options = {}) {
  auto loaded = idl::try_parse(text, options);
  return loaded || loaded.error().diagnostics().empty() ? std::string()
                                                        : loaded.error().diagnostics()[0].message;
}
/// A text that must load.
inline idl::program_set parsed(std::string_view text, const idl::load_options& options = {}) {
  auto loaded = idl::try_parse(text, options);
  if (!loaded) {
    ADD_FAILURE() << loaded.error().what();
    return {};
  }
  return *std::move(loaded);
}
inline std::vector<std::string> warnings_of(std::string_view text, const idl::load_options& options = {}) {
  return brief(parsed(text, options).warnings, thriftlens::diagnostic::level::warning);
}
/// A resolved value as text: [1, 2], {1: 2}, (0: "a") for a struct by field index, true, 1.5.
inline std::string show(const idl::const_value& value) {
  using form = idl::const_value::form;
  auto join = [&](char open, char close, bool pairs) {
    std::string text(1, open);
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (i != 0) text += pairs && i % 2 == 1 ? ": " : ", ";
      text += show(value.items[i]);
    }
    return text + close;
  };
  switch (value.shape) {
    case form::integer:
      return std::to_string(value.integer);
    case form::boolean:
      return value.integer != 0 ? "true" : "false";
    case form::real: {
      std::string text = std::to_string(value.real);
      while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
      return text;
    }
    case form::string:
      return '"' + std::string(value.text) + '"';
    case form::identifier:
      return "identifier " + std::string(value.text);
    case form::list:
      return join('[', ']', false);
    case form::map:
      return join('{', '}', true);
    case form::structure:
      return join('(', ')', true);
  }
  return "?";
}
/// The last constant of a text that must load.
inline std::string last_const(std::string_view text, const idl::load_options& options = {}) {
  idl::program_set set = parsed(text, options);
  if (set.programs.empty() || set.programs[0].consts.empty()) return "none";
  return show(*set.programs[0].consts.back().value);
}

}  // namespace thriftlens_test
