// step_question: the last step requested from a view, and the error text if it failed.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/view/missing_name.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Kind of the last requested step. Its number is a field node, an id, the number of a name, or an index.
/// `parent` is a field before the end of a path, whose default is not that of the path; `spelled` is an index
/// outside int32, whose text `[4294967296]` is stored as a name; a key is stored by store_key().
/// `other_type`: a path that was compiled for another type.
enum class asked : std::uint8_t { nothing, field, parent, id, name, index, spelled, key, many, other_type };

/// Stores the form and value of a key for the text of an error. Returns its number.
[[nodiscard]] THRIFTLENS_COLD inline std::uint32_t store_key(const map_key& key) noexcept {
  const std::int64_t number = key.integer();
  const std::string_view digits(reinterpret_cast<const char*>(&number), sizeof number);
  const bool by_text = key.kind() >= map_key::form::text;
  const std::string_view value = by_text ? utf8_cut(key.text(), missing_names::longest - 1) : digits;
  char stored[missing_names::longest] = {static_cast<char>(key.kind())};
  return thread_missing_names().add({stored, 1 + value.copy(stored + 1, sizeof stored - 1)});
}
/// The text of a stored key that is one.
[[nodiscard]] THRIFTLENS_COLD inline std::string_view stored_text(std::uint32_t which) {
  const std::string_view stored = thread_missing_names().find(which);
  return stored.empty() ? stored : stored.substr(1);
}
/// The step to a map's value.
[[nodiscard]] THRIFTLENS_COLD inline std::string key_step(map_key::form form, std::string_view text,
                                                          std::int64_t number) {
  path_builder path;
  if (form == map_key::form::integer)
    path.integer_key(number);
  else if (form == map_key::form::boolean)
    path.boolean_key(number != 0);
  else if (form == map_key::form::real)
    path.real_key(std::bit_cast<double>(number));
  else if (form == map_key::form::wire)
    path.wire_key({text.data(), text.size()});
  else
    path.text_key(text);
  return path.steps();
}
/// The step to the value of a stored key, or empty if it is no longer stored.
[[nodiscard]] THRIFTLENS_COLD inline std::string stored_key_step(std::uint32_t which) {
  const std::string_view stored = thread_missing_names().find(which);
  if (stored.empty()) return {};
  std::int64_t number = 0;
  const std::string_view text = stored.substr(1);
  std::memcpy(&number, text.data(), (std::min)(text.size(), sizeof number));
  return key_step(static_cast<map_key::form>(stored[0]), text, number);
}

struct step_question {
  asked kind = asked::nothing;
  std::uint32_t which = image::none;

  /// The step, if the path continues after it.
  [[nodiscard]] step_question as_parent() const noexcept {
    return {kind == asked::field ? asked::parent : kind, which};
  }
  /// ".name", "{"key"}", or empty.
  [[nodiscard]] THRIFTLENS_COLD std::string field_text(const schema_image* in) const {
    if (kind == asked::key) return stored_key_step(which);
    const bool is_field = kind == asked::field || kind == asked::parent;
    if (!is_field || which == image::none) return {};
    return '.' + std::string(field_info(in, which).name());
  }
  /// "[-3]", or empty.
  [[nodiscard]] THRIFTLENS_COLD std::string index_text() const {
    if (kind == asked::spelled) return std::string(thread_missing_names().find(which));
    if (kind != asked::index) return {};
    return '[' + std::to_string(static_cast<std::int32_t>(which)) + ']';
  }
};

/// Cold where the index does not fit in the number: a list has no such element.
template <class Int>
[[nodiscard]] inline step_question question_of_index(Int index) noexcept {
  if (std::in_range<std::int32_t>(index)) [[likely]]
    return {asked::index, static_cast<std::uint32_t>(index)};
  char text[24] = {'['};
  char* const end = std::to_chars(text + 1, text + sizeof text - 1, index).ptr;
  *end = ']';
  return {asked::spelled, thread_missing_names().add({text, static_cast<std::size_t>(end + 1 - text)})};
}
[[nodiscard]] inline step_question question_of(const path_step& step, bool is_last, errc code) noexcept {
  if (step.kind == path_step::form::index) return question_of_index(step.first);
  if (step.kind == path_step::form::field) return {is_last ? asked::field : asked::parent, step.field};
  if (step.kind == path_step::form::key && code == errc::absent) return {asked::key, store_key(step.key)};
  return {step.is_many() ? asked::many : asked::key, image::none};
}

/// "an i64": the IDL's word for a value, else that of the wire.
[[nodiscard]] THRIFTLENS_COLD inline std::string described_value(type of, ttype wire) {
  return with_article(of ? of.name() : std::string(to_string(wire)));
}

[[nodiscard]] THRIFTLENS_COLD inline std::string missing_field_words(asked what, std::uint32_t which,
                                                                     type in) {
  const std::string_view name = what == asked::name ? thread_missing_names().find(which) : std::string_view();
  if (!in && name.empty()) return {};
  if (!in) return joined({"field ", in_quotes(name), " needs a schema; use its id"});
  if (what == asked::id) return no_such_field_text(in, static_cast<std::int32_t>(which));
  return name.empty() ? joined({"no such field in ", in.name()}) : no_such_field_text(in, name);
}

/// Whether the error is about the step or the value that was asked for, not about bytes that are not such
/// value.
[[nodiscard]] constexpr bool is_about_step(errc code) noexcept {
  return kind(code) == error_kind::plain || kind(code) == error_kind::encode || code == errc::union_members ||
         code == errc::unknown_enum_name;
}

[[nodiscard]] THRIFTLENS_COLD inline std::string wrong_step_words(asked what, type in, ttype wire) {
  if (what == asked::many) return joined({several_values_text, "; pass it to for_each()"});
  if (what == asked::nothing)
    return joined({"the value is ", described_value(in, wire), ", and this step does not apply to it"});
  const bool is_index = what == asked::index || what == asked::spelled;
  const char* step = is_index ? "an index" : what == asked::key ? "a key" : "a field step";
  return joined(
      {step, " does not apply to ", in ? in.name() : std::string(to_string(wire)), step_advice(in)});
}

[[nodiscard]] THRIFTLENS_COLD inline std::string wrong_key_words(errc code, std::uint32_t which, type in) {
  if (code == errc::value_type) return key_type_text(in);
  if (code == errc::value_range) return key_range_text(in);
  return code == errc::unknown_enum_name ? no_such_member_text(in.key(), stored_text(which)) : std::string();
}

/// Beyond the sentence of the code: why the step did not lead into a value of that type. Empty for nothing.
[[nodiscard]] THRIFTLENS_COLD inline std::string step_words(errc code, asked what, std::uint32_t which,
                                                            type in, ttype wire) {
  if (code == errc::no_such_field) return missing_field_words(what, which, in);
  if (what == asked::other_type) return "the path is for a different type";
  if (code == errc::wrong_type) return wrong_step_words(what, in, wire);
  return what == asked::key && in ? wrong_key_words(code, which, in) : std::string();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
