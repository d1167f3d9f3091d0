// path: a way from a value to values inside it, checked against a type once and then followed many times.
// In: a type and text such as `$.items[3].price`. Out: steps that lens follows; the type at the end.
// Never touches wire bytes.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/path/fwd.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/path/syntax.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/schema/type.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One compiled step. The text of `key` lives in the path.
struct path_step {
  enum class form : unsigned char { field, index, key, elements, entries, key_at };

  form kind = form::field;
  std::int16_t id = 0;                ///< field: its id
  std::uint32_t field = image::none;  ///< field: its node, or none without a schema
  std::uint32_t type = image::none;   ///< of the value this step leads to, or none without a schema
  std::uint32_t offset = 0;           ///< of the step in the text
  ttype wire = ttype::stop;           ///< of that value
  image::lead_place place;            ///< field: where its header stands in the lead of its struct
  bool lead_complete = false;         ///< that lead is the whole struct
  std::uint8_t lead_size = 0;         ///< its segments
  shape_ref lead;
  std::int64_t first = 0;  ///< index, or first of a slice, negative counts from the end; number of an entry
  std::int64_t last = path_syntax_step::open;
  map_key key = 0;
};

/// A compiled path. A value: copying shares the steps, threads may share a copy. Good while the schema lives.
class path {
 public:
  /// The path that leads nowhere: the value itself.
  path() noexcept = default;

  /// Compiles the text for values of type `from`; grammar in syntax.hpp. Linear in the text.
  /// Errors: path_syntax, no_such_field, wrong_type (a step that the type does not have), value_type,
  /// value_range and unknown_enum_name (a key that cannot be in the map); offset() is the place in the text.
  [[nodiscard]] static result<path> try_parse(type from, std::string_view text);
  [[nodiscard]] static path parse(type from, std::string_view text) { return try_parse(from, text).value(); }
  /// Many at once, which share their memory: the first text that does not compile is the error.
  [[nodiscard]] static result<std::vector<path>> try_parse_all(type from,
                                                               std::span<const std::string_view> texts);
  /// Compiles without a schema: fields by id only.
  [[nodiscard]] static result<path> try_parse(std::string_view text) {
    return try_parse(thriftlens::type(), text);
  }
  [[nodiscard]] static path parse(std::string_view text) { return try_parse(text).value(); }

  [[nodiscard]] std::span<const path_step> steps() const& noexcept {
    return data_ == nullptr ? std::span<const path_step>()
                            : std::span<const path_step>(data_->steps, data_->size);
  }
  void steps() const&& = delete;
  [[nodiscard]] bool empty() const noexcept { return steps().empty(); }
  /// The type it was compiled for; false without a schema.
  [[nodiscard]] thriftlens::type from() const noexcept {
    return data_ == nullptr ? thriftlens::type() : data_->from;
  }
  /// The type of the values it leads to; false without a schema.
  [[nodiscard]] thriftlens::type to() const noexcept {
    if (empty()) return from();
    return from() ? thriftlens::type(from().image(), steps().back().type) : thriftlens::type();
  }
  /// Leads to one value at most: no `[*]`, slice or `{*}`.
  [[nodiscard]] bool is_single() const noexcept {
    for (const path_step& step : steps()) {
      if (step.kind == path_step::form::elements || step.kind == path_step::form::entries) return false;
    }
    return true;
  }
  /// Leads to a key or into one (`{key 3}`): views alone follow it.
  [[nodiscard]] bool enters_key() const noexcept { return data_ != nullptr && data_->enters_key; }
  /// As it was written.
  [[nodiscard]] std::string_view text() const& noexcept {
    return data_ == nullptr ? std::string_view("$") : data_->text;
  }
  void text() const&& = delete;

 private:
  struct data {
    thriftlens::type from;
    std::string_view text;
    const path_step* steps = nullptr;
    std::size_t size = 0;
    bool enters_key = false;
  };
  class block;
  class compiler;

  path(const std::shared_ptr<const block>& in, const data& what) noexcept : data_(in, &what) {}

  std::shared_ptr<const data> data_;
};

/// What paths lie in: one piece of memory, for at most so many paths, steps and bytes of texts and keys.
class path::block {
 public:
  block(std::size_t paths, std::size_t steps, std::size_t bytes)
      : memory_(new std::byte[paths * sizeof(data) + steps * sizeof(path_step) + bytes]),
        next_(memory_.get()),
        next_step_(next_ + paths * sizeof(data)),
        next_text_(reinterpret_cast<char*>(next_step_ + steps * sizeof(path_step))) {}

  [[nodiscard]] data& add() {
    data* made = new (static_cast<void*>(next_)) data;
    next_ += sizeof(data);
    made->steps = reinterpret_cast<const path_step*>(next_step_);
    return *made;
  }
  /// To the path added last.
  void add(const path_step& step) {
    new (static_cast<void*>(next_step_)) path_step(step);
    next_step_ += sizeof(path_step);
  }
  std::string_view keep(std::string_view text) {
    char* begin = next_text_;
    next_text_ = std::copy(text.begin(), text.end(), begin);
    return {begin, text.size()};
  }

 private:
  static_assert(std::is_trivially_destructible_v<data> && std::is_trivially_destructible_v<path_step> &&
                sizeof(data) % alignof(path_step) == 0);

  std::unique_ptr<std::byte[]> memory_;
  std::byte *next_, *next_step_;
  char* next_text_;
};

/// Turns syntax into steps, one type at a time.
class path::compiler {
 public:
  /// The block has room for the text, the keys and the steps.
  compiler(block& into, thriftlens::type from, std::string_view text)
      : into_(into), at_(from), made_(into.add()) {
    made_.from = from;
    made_.text = into.keep(text);
  }
  [[nodiscard]] const data& made() const noexcept { return made_; }

  [[nodiscard]] result<void> run(const std::vector<path_syntax_step>& syntax) {
    made_.size = syntax.size();
    for (const path_syntax_step& written : syntax) {
      path_step step;
      step.offset = written.offset;
      if (errc code = compile(written, step); code != errc::ok) {
        return error(code, detail_, written.offset, std::string(made_.text.substr(0, written.offset)))
            .in(error_source::path);
      }
      if (at_) {
        step.type = at_.index();
        step.wire = at_.wire();
      }
      into_.add(step);
    }
    return {};
  }

 private:
  using written_form = path_syntax_step::form;

  errc fail(errc code, std::string detail) {
    detail_ = std::move(detail);
    return code;
  }
  errc wrong(const char* step) { return fail(errc::wrong_type, std::string(step) + " into " + at_.name()); }

  errc compile(const path_syntax_step& written, path_step& step) {
    switch (written.kind) {
      case written_form::field_name:
      case written_form::field_id:
        return field(written, step);
      case written_form::index:
        return elements(written, step, path_step::form::index);
      case written_form::elements:
        return elements(written, step, path_step::form::elements);
      case written_form::entries:
        step.kind = path_step::form::entries;
        return into_map("a step over entries leads", false);
      case written_form::key_at:
        step.kind = path_step::form::key_at;
        step.first = written.first;
        made_.enters_key = true;
        return into_map("a key leads", true);
      default:
        return key(written, step);
    }
  }
  errc field(const path_syntax_step& written, path_step& step) {
    step.kind = path_step::form::field;
    step.id = static_cast<std::int16_t>(written.first);
    const bool by_name = written.kind == written_form::field_name;
    if (!at_) {
      if (!by_name) return errc::ok;
      return fail(errc::no_such_field, "field '" + written.text + "' has no id without a schema (write #id)");
    }
    if (!at_.is_struct()) return wrong("a field step leads");
    const field_info found = by_name ? at_.field(written.text) : at_.field(step.id);
    if (!found)
      return fail(errc::no_such_field,
                  by_name ? no_such_field_text(at_, written.text) : no_such_field_text(at_, written.first));
    lay_out(found, step);
    at_ = found.type();
    return errc::ok;
  }
  void lay_out(const field_info& found, path_step& step) const {
    const schema_image& image = *at_.image();
    const image::struct_node& structure = at_.structure();
    step.id = found.id();
    step.field = found.index();
    step.lead = image.lead(structure);
    step.lead_size = static_cast<std::uint8_t>(structure.lead.segments.size);
    step.lead_complete = structure.lead.complete;
    step.place = image.lead_places[step.field];
  }
  errc elements(const path_syntax_step& written, path_step& step, path_step::form kind) {
    step.kind = kind;
    step.first = written.first;
    step.last = written.last;
    if (!at_) return errc::ok;
    if (at_.kind() != type_kind::list && at_.kind() != type_kind::set) return wrong("an index leads");
    at_ = at_.element();
    return errc::ok;
  }
  errc into_map(const char* step, bool to_key) {
    if (!at_) return errc::ok;
    if (at_.kind() != type_kind::map) return wrong(step);
    at_ = to_key ? at_.key() : at_.value();
    return errc::ok;
  }
  errc key(const path_syntax_step& written, path_step& step) {
    step.kind = path_step::form::key;
    if (!uuid_of(written, step.key)) step.key = key_of(written);
    if (!at_ && written.kind == written_form::key_name)
      return fail(errc::unknown_enum_name, "enum '" + written.text + "' has no number without a schema");
    if (at_ && at_.kind() == type_kind::map) {
      const errc code = step.key.fit(at_.key());
      if (code == errc::unknown_enum_name) return fail(code, no_such_member_text(at_.key(), written.text));
      if (code != errc::ok)
        return fail(code, "a key of " + at_.name() + " is " + with_article(at_.key().name()));
    }
    return into_map("a key leads", false);
  }
  /// A quoted text where keys are uuids.
  [[nodiscard]] bool uuid_of(const path_syntax_step& written, map_key& key) {
    if (written.kind != written_form::key_text || !at_ || at_.kind() != type_kind::map ||
        at_.key().kind() != type_kind::uuid)
      return false;
    uuid_bytes id;
    if (!parse_uuid(written.text, id)) return false;
    key = map_key::wire(byte_view(into_.keep(byte_view(id.data(), id.size()).text())));
    return true;
  }
  map_key key_of(const path_syntax_step& written) {
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
        return into_.keep(written.text);
    }
  }

  block& into_;
  thriftlens::type at_;
  data& made_;
  std::string detail_;
};

inline result<path> path::try_parse(thriftlens::type from, std::string_view text) {
  result<std::vector<path_syntax_step>> syntax = parse_path_syntax(text);
  if (!syntax) return std::move(syntax).error();
  std::size_t bytes = text.size();
  for (const path_syntax_step& each : *syntax) bytes += each.text.size();
  auto memory = std::make_shared<block>(1, syntax->size(), bytes);
  compiler compiled(*memory, from, text);
  if (result<void> done = compiled.run(*syntax); !done) return done.error();
  return path(memory, compiled.made());
}

inline result<std::vector<path>> path::try_parse_all(thriftlens::type from,
                                                     std::span<const std::string_view> texts) {
  std::size_t bytes = 0, steps = texts.size();
  for (std::string_view text : texts) {
    bytes += text.size();
    for (char c : text)
      steps += c == '.' || c == '#' || c == '[' || c == '{';  // each step but a first name begins with one
  }
  auto memory =
      std::make_shared<block>(texts.size(), steps, 2 * bytes);  // no key is longer than it was written
  std::vector<path> all;
  all.reserve(texts.size());
  for (std::string_view text : texts) {
    result<std::vector<path_syntax_step>> syntax = parse_path_syntax(text);
    if (!syntax) return std::move(syntax).error();
    compiler compiled(*memory, from, text);
    if (result<void> done = compiled.run(*syntax); !done) return done.error();
    all.push_back(path(memory, compiled.made()));
  }
  return all;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
