// predicate: bodies of predicate.hpp.
#pragma once

#include <thriftlens/columns/predicate.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/nearest.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/path/syntax.hpp>
#include <thriftlens/schema/suggest.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Compiles text to steps. Functions that return bool return false after an error in error_.
class predicate::compiler {
 public:
  compiler(thriftlens::type from, std::string_view text, const predicate_options& options)
      : from_(from), text_(text), options_(options), in_(text) {}

  [[nodiscard]] result<predicate> run() && {
    if (!from_) return error(errc::wrong_type, "a condition needs a type");
    if (!either()) return std::move(error_);
    skip_blanks();
    if (!in_.at_end()) {
      expected("'and', 'or' or the end of the condition");
      return std::move(error_);
    }
    result<plan> paths = plan::try_compile(from_, std::move(paths_));
    if (!paths) return std::move(paths).error();
    return predicate(std::make_shared<const data>(
        data{std::string(text_), *std::move(paths), std::move(steps_), std::move(literals_)}));
  }

 private:
  // ---- tokens

  bool reject(errc code, std::string message, std::size_t at) {
    error_ = error(code, std::move(message), at).in(error_source::predicate);
    return false;
  }
  bool expected(const std::string& syntax) {
    return reject(errc::path_syntax, detail::joined({"expected ", syntax}), in_.at());
  }
  void skip_blanks() noexcept { in_.skip_blanks(); }
  [[nodiscard]] static bool is_keyword(std::string_view text, std::string_view other) noexcept {
    return detail::same_letters(text, other);
  }
  bool accept_word(std::string_view keyword) noexcept {
    skip_blanks();
    const std::size_t begin = in_.at();
    if (is_keyword(in_.name(), keyword)) return true;
    in_.seek(begin);
    return false;
  }
  bool accept(char c) noexcept {
    skip_blanks();
    return in_.accept(c);
  }

  // ---- conditions

  bool either() {
    if (!both()) return false;
    while (accept_word("or")) {
      if (!both()) return false;
      steps_.push_back({.op = op::either});
    }
    return true;
  }
  bool both() {
    if (!operand()) return false;
    while (accept_word("and")) {
      if (!operand()) return false;
      steps_.push_back({.op = op::both});
    }
    return true;
  }
  bool operand() {
    if (depth_ == max_depth) return reject(errc::depth_limit, "the condition is nested too deeply", in_.at());
    ++depth_;
    const bool ok = deeper();
    --depth_;
    return ok;
  }
  bool deeper() {
    if (accept_word("not")) {
      if (!operand()) return false;
      steps_.push_back({.op = op::negate});
      return true;
    }
    if (accept('(')) return either() && (accept(')') || expected("')'"));
    if (accept_word("exists")) return exists();
    step test;
    return path_of(test) && comparison(test);
  }
  bool exists() {
    const bool in_brackets = accept('(');
    step test{.op = op::is_not_null};
    if (!path_of(test)) return false;
    add(test);
    return !in_brackets || accept(')') || expected("')'");
  }
  bool comparison(step& test) {
    if (accept_word("is")) return null_test(test);
    const bool negated = accept_word("not");
    if (accept_word("in")) return membership(test, negated);
    if (negated) return expected("'in'");
    const std::size_t at = in_.at();
    return comparator(test.op) && comparable(test, at) && literal_of(test) && add(test);
  }
  bool null_test(step& test) {
    test.op = accept_word("not") ? op::is_not_null : op::is_null;
    return accept_word("null") ? add(test) : expected("'null'");
  }
  bool membership(step& test, bool negated) {
    test.op = op::among;
    if (!comparable(test, in_.at())) return false;
    if (!accept('(')) return expected("'('");
    do {
      if (!literal_of(test)) return false;
    } while (accept(','));
    if (!accept(')')) return expected("',' or ')'");
    add(test);
    if (negated) steps_.push_back({.op = op::negate});
    return true;
  }
  bool comparator(op& to) {
    struct spelling {
      std::string_view text;
      op means;
    };
    // A prefix of another operator comes after it.
    static constexpr spelling spellings[] = {{"==", op::equal},    {"=", op::equal},    {"!=", op::unequal},
                                             {"<>", op::unequal},  {"<=", op::at_most}, {"<", op::less},
                                             {">=", op::at_least}, {">", op::greater}};
    skip_blanks();
    for (const spelling& candidate : spellings) {
      if (!in_.rest().starts_with(candidate.text)) continue;
      in_.advance(candidate.text.size());
      to = candidate.means;
      return true;
    }
    return expected("=, !=, <, <=, >, >=, 'in' or 'is'");
  }
  bool comparable(const step& of, std::size_t at) {
    const bool is_scalar =
        !compared_.is_struct() && !compared_.is_container() && compared_.kind() != type_kind::void_;
    const bool is_ordered = of.kind != type_kind::bool_;
    if (!is_scalar)
      return reject(errc::wrong_type,
                    detail::joined({compared_.name(), " can only be tested with 'is null' or 'is not null'"}),
                    at);
    if (is_ordered || of.op == op::equal || of.op == op::unequal || of.op == op::among) return true;
    return reject(errc::wrong_type, "a bool has no order; use = or !=", at);
  }
  bool add(step& test) {
    if (test.has_default) test.by_default = default_truth(test);
    steps_.push_back(test);
    return true;
  }

  // ---- paths

  bool path_of(step& test) {
    skip_blanks();
    const std::size_t begin = in_.at();
    if (!skip_path()) return expected("a path");
    const std::string_view text = text_.substr(begin, in_.at() - begin);
    result<path> parsed = path::try_compile(from_, text);
    if (!parsed) return fail_in_path(parsed.error(), begin);
    if (!parsed->is_single())
      return reject(errc::wrong_type, "the path of a condition must select a single value", begin);
    if (parsed->enters_key()) return reject(errc::wrong_type, "a condition cannot compare a key", begin);
    compared_ = parsed->to();
    test.kind = compared_.kind();
    if (options_.defaults == on_absent::write && !take_default(test, *parsed, begin)) return false;
    test.path = add_path(*std::move(parsed));
    return true;
  }
  bool fail_in_path(const error& reason, std::size_t begin) {
    const std::size_t at = reason.offset() == error::no_offset ? 0 : reason.offset();
    return reject(reason.code(), std::string(reason.detail()), begin + at);
  }
  [[nodiscard]] std::uint32_t add_path(path added) {
    const auto known = std::find(paths_.begin(), paths_.end(), added);
    const auto at = static_cast<std::uint32_t>(known - paths_.begin());
    if (known == paths_.end()) paths_.push_back(std::move(added));
    return at;
  }
  /// Moves to the end of a path; false without one.
  bool skip_path() noexcept {
    if (!in_.accept('$') && in_.name().empty() && in_.peek() != '#') return false;
    while (detail::begins_step(in_.peek())) skip_step();
    return true;
  }
  void skip_step() noexcept {
    if (in_.accept('[')) return skip_to(']');
    if (in_.accept('{')) return skip_to('}');
    in_.accept('.');
    std::int64_t id = 0;
    if (in_.accept('#')) {
      static_cast<void>(in_.field_id(id));
    } else {
      static_cast<void>(in_.name());
    }
  }
  /// Skips past the closing bracket; brackets in quotes do not count.
  void skip_to(char closing) noexcept {
    char quote = '\0';
    while (!in_.at_end()) {
      const char c = in_.peek();
      in_.advance(1);
      if (quote == '\0' && c == closing) return;
      if (c == '\\' && !in_.at_end()) in_.advance(1);
      if (c == '"' || c == '\'') quote = next_quote(quote, c);
    }
  }
  [[nodiscard]] static char next_quote(char open, char seen) noexcept {
    if (open == '\0') return seen;
    return open == seen ? '\0' : open;
  }

  // ---- defaults

  [[nodiscard]] field_info field_of(const path_step& step) const {
    return step.kind == path_step::form::field ? field_info(from_.image(), step.field) : field_info();
  }
  bool take_default(step& test, const path& compared, std::size_t begin) {
    const std::span<const path_step> steps = compared.steps();
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      const field_info on_the_way = field_of(steps[i]);
      if (on_the_way && on_the_way.has_default())
        return reject(errc::bad_option, "conditions do not support defaults of structs along the path",
                      begin);
    }
    const field_info last = steps.empty() ? field_info() : field_of(steps.back());
    if (!last || !last.has_default()) return true;
    test.has_default = true;
    if (steps.size() == 1) return !from_is_union(from_) || forget_default(test);
    const path outer = path::compile(from_, compared.text().substr(0, steps.back().offset));
    if (from_is_union(outer.to())) return forget_default(test);
    test.outer = add_path(outer);
    return true;
  }
  [[nodiscard]] static bool from_is_union(thriftlens::type of) { return of.kind() == type_kind::union_; }
  static bool forget_default(step& test) {
    test.has_default = false;
    return true;
  }
  [[nodiscard]] truth default_truth(const step& test) const {
    const field_info field = field_of(paths_[test.path].steps().back());
    const view<binary> value(field.default_binary(), field.type(), options_.limits);
    return compare(std::span<const literal>(literals_).subspan(test.first, test.count), test, value).value();
  }

  // ---- literals

  bool literal_of(step& test) {
    skip_blanks();
    literal read;
    const std::size_t at = in_.at();
    if (!value(read, at)) return false;
    if (test.count == 0) test.first = static_cast<std::uint32_t>(literals_.size());
    ++test.count;
    literals_.push_back(std::move(read));
    return true;
  }
  bool value(literal& to, std::size_t at) {
    switch (compared_.kind()) {
      case type_kind::bool_:
        return boolean(to, at);
      case type_kind::double_:
        return in_.number(to.real) || unfit("a number", at);
      case type_kind::string:
      case type_kind::binary:
        return quoted(to, at);
      case type_kind::uuid:
        return uuid(to, at);
      case type_kind::enum_:
        return enumeration(to, at);
      default:
        return integer(to, at);
    }
  }
  /// `value_type`, or a syntax error if the text ends.
  bool unfit(const std::string& literal_kind, std::size_t at) {
    in_.seek(at);
    if (in_.at_end()) return expected(literal_kind);
    if (accept_word("null")) return reject(errc::path_syntax, "null cannot be compared; write 'is null'", at);
    return reject(errc::value_type,
                  detail::joined({"expected ", literal_kind, " to compare with ", compared_.name()}), at);
  }
  bool boolean(literal& to, std::size_t at) {
    const std::string_view name_read = in_.name();
    to.integer = is_keyword(name_read, "true");
    return to.integer != 0 || is_keyword(name_read, "false") || unfit("true or false", at);
  }
  bool quoted(literal& to, std::size_t at) {
    const char c = in_.peek();
    if (c != '"' && c != '\'') return unfit("text in quotes", at);
    return in_.quoted(to.text) || reject(errc::path_syntax, "expected the end of the text", in_.at());
  }
  bool uuid(literal& to, std::size_t at) {
    if (!quoted(to, at)) return false;
    uuid_bytes id{};
    if (!detail::parse_uuid(to.text, id)) return unfit("a UUID in quotes", at);
    to.text.assign(reinterpret_cast<const char*>(id.data()), id.size());
    return true;
  }
  bool integer(literal& to, std::size_t at) {
    const char first = in_.peek();
    if (first != '-' && !detail::is_digit(first)) return unfit("an integer", at);
    double real = 0;
    const bool read = in_.number(to.integer);
    const std::size_t end = in_.at();
    in_.seek(at);
    if (!in_.number(real)) return unfit("an integer", at);
    if (read && in_.at() != end) return unfit("an integer", at);
    if (read && fits(to.integer)) return true;
    return reject(errc::value_range,
                  detail::joined({"the number is outside the range of ", compared_.name()}), at);
  }
  [[nodiscard]] bool fits(std::int64_t value) const noexcept {
    switch (compared_.kind()) {
      case type_kind::i8:
        return value == static_cast<std::int8_t>(value);
      case type_kind::i16:
        return value == static_cast<std::int16_t>(value);
      case type_kind::i64:
        return true;
      default:
        return value == static_cast<std::int32_t>(value);
    }
  }
  bool enumeration(literal& to, std::size_t at) {
    const char first = in_.peek();
    if (first == '-' || detail::is_digit(first)) return integer(to, at);
    std::string name;
    if (first == '"' || first == '\'') {
      if (!in_.quoted(name)) return reject(errc::path_syntax, "expected the end of the text", in_.at());
    } else {
      name = member_name();
    }
    if (name.empty()) return unfit("a member of the enum", at);
    const std::optional<std::int32_t> number = compared_.member_value(name);
    if (number) to.integer = *number;
    if (number) return true;
    if (is_keyword(name, "null")) return unfit("a member of the enum", at);
    return reject(errc::unknown_enum_name, detail::no_such_member_text(compared_, name), at);
  }
  [[nodiscard]] std::string member_name() {
    std::string name(in_.name());
    const std::string of = compared_.name();
    const std::string_view plain = std::string_view(of).substr(of.rfind('.') + 1);
    while (in_.peek() == '.' && (name == plain || of.starts_with(name + '.'))) {
      in_.advance(1);
      name = in_.name();
    }
    return name;
  }

  thriftlens::type from_;
  std::string_view text_;
  const predicate_options& options_;
  detail::text_scanner in_;
  std::size_t depth_ = 0;
  thriftlens::type compared_;  ///< type of the last path
  std::vector<path> paths_;
  std::vector<step> steps_;
  std::vector<literal> literals_;
  error error_;
};

THRIFTLENS_BODY result<predicate> predicate::try_compile(thriftlens::type from, std::string_view text,
                                                         const predicate_options& options) {
  return compiler(from, text, options).run();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
