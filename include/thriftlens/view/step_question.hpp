// step_question: what a view was asked for last, and the words for a step that could not be taken.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/view/missing_name.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// What was asked for last. With it goes a number that says more: a field node, an id, a name's number, an
/// index.
enum class asked : std::uint8_t { nothing, field, id, name, index, key };

[[nodiscard]] constexpr asked asked_by(path_step::form step) noexcept {
  if (step == path_step::form::index) return asked::index;
  return step == path_step::form::field ? asked::field : asked::key;
}

/// "an i64": the IDL's word for a value, else that of the wire.
[[nodiscard]] THRIFTLENS_COLD inline std::string described_value(type of, ttype wire) {
  return with_article(of ? of.name() : std::string(to_string(wire)));
}

[[nodiscard]] THRIFTLENS_COLD inline std::string missing_field_words(asked what, std::uint32_t which,
                                                                     type in) {
  const std::string_view name = what == asked::name ? names_asked_for().find(which) : std::string_view();
  if (!in && name.empty()) return {};
  if (!in) return "field " + in_quotes(name) + " has no id without a schema (ask for it by id)";
  if (what == asked::id) return no_such_field_text(in, static_cast<std::int32_t>(which));
  return name.empty() ? "no such field in " + in.name() : no_such_field_text(in, name);
}

/// Whether the error is about the step or the value that was asked for, not about bytes that are no such
/// value.
[[nodiscard]] constexpr bool is_about_step(errc code) noexcept {
  return kind(code) == error_kind::plain || kind(code) == error_kind::encode || code == errc::union_members ||
         code == errc::unknown_enum_name;
}

[[nodiscard]] THRIFTLENS_COLD inline std::string wrong_step_words(asked what, type in, ttype wire) {
  if (what == asked::nothing)
    return "the value is " + described_value(in, wire) + ": no such step leads into it";
  const char* step = what == asked::index ? "an index" : what == asked::key ? "a key" : "a field step";
  return std::string(step) + " leads into " + (in ? in.name() : std::string(to_string(wire)));
}

/// Beyond the sentence of the code: why the step did not lead into a value of that type. Empty for nothing.
[[nodiscard]] THRIFTLENS_COLD inline std::string step_words(errc code, asked what, std::uint32_t which,
                                                            type in, ttype wire) {
  if (code == errc::no_such_field) return missing_field_words(what, which, in);
  if (code == errc::value_type && what == asked::key && in)
    return "a key of " + in.name() + " is " + with_article(in.key().name());
  return code == errc::wrong_type ? wrong_step_words(what, in, wire) : std::string();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
