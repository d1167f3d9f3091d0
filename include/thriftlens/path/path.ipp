// path: bodies of path.hpp.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/path/syntax.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/schema/suggest.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One allocation for paths, their steps, texts and keys; the capacities are fixed at construction.
class path::block {
 public:
  block(std::size_t paths, std::size_t steps, std::size_t bytes)
      : memory_(new std::byte[paths * sizeof(data) + steps * sizeof(path_step) + bytes]),
        next_(memory_.get()),
        next_step_(next_ + paths * sizeof(data)),
        next_text_(reinterpret_cast<char*>(next_step_ + steps * sizeof(path_step))) {}

  [[nodiscard]] data& add() {
    data* added = new (static_cast<void*>(next_)) data;
    next_ += sizeof(data);
    added->steps = reinterpret_cast<const path_step*>(next_step_);
    return *added;
  }
  /// Adds a step to the last added path.
  void add(const path_step& step) {
    new (static_cast<void*>(next_step_)) path_step(step);
    next_step_ += sizeof(path_step);
  }
  std::string_view keep(std::string_view text) {
    char* begin = next_text_;
    next_text_ = begin + text.copy(begin, text.size());
    return {begin, text.size()};
  }

 private:
  static_assert(std::is_trivially_destructible_v<data> && std::is_trivially_destructible_v<path_step> &&
                sizeof(data) % alignof(path_step) == 0);

  std::unique_ptr<std::byte[]> memory_;
  std::byte *next_, *next_step_;
  char* next_text_;
};

static_assert(path_step::open == detail::path_syntax_step::open);

/// Resolves parsed steps against the schema.
class path::compiler {
 public:
  /// The block must have capacity for the text, the keys and the steps.
  compiler(block& into, thriftlens::type from, std::string_view text)
      : into_(into), at_(from), result_(into.add()) {
    result_.from = from;
    result_.text = into.keep(text);
  }
  /// Compiles a path into `into`, which must have capacity for it.
  [[nodiscard]] static result<path> compile(const std::shared_ptr<block>& into, thriftlens::type from,
                                            std::string_view text,
                                            const std::vector<detail::path_syntax_step>& syntax) {
    compiler state(*into, from, text);
    if (result<void> compiled = state.run(syntax); !compiled) return compiled.error();
    return path(into, state.result_);
  }

 private:
  [[nodiscard]] result<void> run(const std::vector<detail::path_syntax_step>& syntax) {
    result_.size = syntax.size();
    for (const detail::path_syntax_step& written : syntax) {
      path_step step;
      step.offset = written.offset;
      if (errc code = compile(written, step); code != errc::ok) return failure(code, written.offset);
      if (at_) {
        step.type = at_.index();
        step.wire = at_.wire();
      }
      into_.add(step);
    }
    return {};
  }

  using written_form = detail::path_syntax_step::form;

  [[nodiscard]] error failure(errc code, std::size_t offset) const {
    return error(code, detail_, offset, std::string(result_.text.substr(0, offset))).in(error_source::path);
  }
  errc reject(errc code, std::string detail) {
    detail_ = std::move(detail);
    return code;
  }
  errc wrong(const char* step, std::string_view name = "key") {
    return reject(errc::wrong_type,
                  detail::joined({step, " does not apply to ", at_.name(), detail::step_advice(at_, name)}));
  }

  // These functions fill in a step and advance `at_` to the type that it selects.

  errc compile(const detail::path_syntax_step& written, path_step& step) {
    using form = path_step::form;
    step.kind = form_of(written.kind);
    step.first = written.first;
    step.last = written.last;
    result_.enters_key |= step.kind == form::key_at;
    switch (step.kind) {
      case form::field:
        return field(written, step);
      case form::key:
        return key(written, step);
      case form::key_at:
        return into_map("a key", true);
      case form::entries:
        return into_map("a step over entries", false);
      default:
        return elements();
    }
  }
  [[nodiscard]] static path_step::form form_of(written_form written) noexcept {
    switch (written) {
      case written_form::field_name:
      case written_form::field_id:
        return path_step::form::field;
      case written_form::index:
        return path_step::form::index;
      case written_form::elements:
        return path_step::form::elements;
      case written_form::entries:
        return path_step::form::entries;
      case written_form::key_at:
        return path_step::form::key_at;
      default:
        return path_step::form::key;
    }
  }
  errc field(const detail::path_syntax_step& written, path_step& step) {
    const bool by_name = written.kind == written_form::field_name;
    step.id = static_cast<std::int16_t>(written.first);
    if (!at_ && !by_name) return errc::ok;
    if (at_ && !at_.is_struct()) return wrong("a field step", by_name ? written.text : "key");
    if (const field_info match = declared(written, by_name)) return known_field(match, step);
    return reject(errc::no_such_field, unknown_field_text(written, by_name));
  }
  [[nodiscard]] field_info declared(const detail::path_syntax_step& written, bool by_name) const {
    if (!at_) return {};
    return by_name ? at_.find_field(written.text) : at_.find_field(static_cast<std::int16_t>(written.first));
  }
  [[nodiscard]] std::string unknown_field_text(const detail::path_syntax_step& written, bool by_name) const {
    if (!at_) return detail::joined({"field '", written.text, "' needs a schema; write #id"});
    return by_name ? detail::no_such_field_text(at_, written.text)
                   : detail::no_such_field_text(at_, written.first);
  }
  errc known_field(const field_info& match, path_step& step) {
    step.id = match.id();
    step.field = match.index();
    step.prefix = detail::struct_prefix(*at_.image(), at_.structure());
    step.place = at_.image()->prefix_positions[step.field];
    at_ = match.type();
    return errc::ok;
  }
  errc elements() {
    if (!at_) return errc::ok;
    if (!at_.is_sequence()) return wrong("an index");
    at_ = at_.element();
    return errc::ok;
  }
  errc into_map(const char* step, bool to_key) {
    if (!at_) return errc::ok;
    if (at_.kind() != type_kind::map) return wrong(step);
    at_ = to_key ? at_.key() : at_.value();
    return errc::ok;
  }
  errc key(const detail::path_syntax_step& written, path_step& step) {
    step.key = key_of(written);
    if (!at_ && written.kind == written_form::key_name)
      return reject(errc::unknown_enum_name, detail::joined({"enum '", written.text, "' needs a schema"}));
    if (at_ && at_.kind() == type_kind::map) {
      if (errc code = fit_key(written, step.key); code != errc::ok) return code;
    }
    return into_map("a key", false);
  }
  /// Converts the key to the key type of the map.
  errc fit_key(const detail::path_syntax_step& written, map_key& key) {
    errc code = key.fit(at_.key());
    if (code == errc::ok) return code;
    if (written.is_long && detail::is_integer(at_.key().wire())) code = errc::value_range;
    if (code == errc::unknown_enum_name)
      return reject(code, detail::no_such_member_text(at_.key(), written.text));
    return reject(code, code == errc::value_range ? detail::key_range_text(at_) : detail::key_type_text(at_));
  }
  map_key key_of(const detail::path_syntax_step& written) {
    switch (written.kind) {
      case written_form::key_integer:
        return written.first;
      case written_form::key_real:
        return written.real;
      case written_form::key_boolean:
        return written.first != 0;
      case written_form::key_name:
        return map_key::name(into_.keep(written.text));
      case written_form::key_wire:
        return map_key::wire(byte_view(into_.keep(written.text)));
      default:
        return text_key(written.text);
    }
  }
  /// A quoted text, or the bytes of a uuid for uuid keys.
  map_key text_key(std::string_view text) {
    uuid_bytes id;
    const bool is_uuid = at_ && at_.kind() == type_kind::map && at_.key().kind() == type_kind::uuid &&
                         detail::parse_uuid(text, id);
    if (!is_uuid) return into_.keep(text);
    return map_key::wire(byte_view(into_.keep(byte_view(id.data(), id.size()).text())));
  }

  block& into_;
  thriftlens::type at_;
  data& result_;
  std::string detail_;
};

THRIFTLENS_BODY result<path> path::try_compile(thriftlens::type from, std::string_view text) {
  result<std::vector<detail::path_syntax_step>> syntax = detail::parse_path_syntax(text);
  if (!syntax) return std::move(syntax).error();
  std::size_t bytes = text.size();
  for (const detail::path_syntax_step& syntax_step : *syntax) bytes += syntax_step.text.size();
  return compiler::compile(std::make_shared<block>(1, syntax->size(), bytes), from, text, *syntax);
}

THRIFTLENS_BODY result<std::vector<path>> path::try_compile_all(thriftlens::type from,
                                                                std::span<const std::string_view> texts) {
  std::size_t bytes = 0, steps = texts.size();
  for (std::string_view text : texts) {
    bytes += text.size();
    for (const char c : text) steps += detail::begins_step(c);
  }
  // A key is never longer than its text.
  const auto memory = std::make_shared<block>(texts.size(), steps, 2 * bytes);
  std::vector<path> paths;
  paths.reserve(texts.size());
  for (std::string_view text : texts) {
    result<std::vector<detail::path_syntax_step>> syntax = detail::parse_path_syntax(text);
    if (!syntax) return std::move(syntax).error();
    result<path> compiled = compiler::compile(memory, from, text, *syntax);
    if (!compiled) return std::move(compiled).error();
    paths.push_back(*std::move(compiled));
  }
  return paths;
}

THRIFTLENS_BODY error path::misfit(std::string message, std::size_t offset) const {
  return error(errc::wrong_type, std::move(message), offset, std::string(text())).in(error_source::path);
}
THRIFTLENS_BODY error path::misfit_of_several(std::string_view advice) const {
  std::size_t offset = 0;
  for (const path_step& step : steps())
    if (step.is_many() && offset == 0) offset = step.offset;
  return misfit(std::string(detail::several_values_text).append(advice), offset);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
