// predicate: bodies of predicate.hpp.
#pragma once

#include <thriftlens/columns/predicate.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/path/syntax.hpp>
#include <thriftlens/schema/nearest.hpp>
#include <thriftlens/schema/suggest.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Text to steps. Functions that answer bool answer false after an error, which why_ then is.
class predicate::compiler {
 public:
  compiler(thriftlens::type from, std::string_view text, const predicate_options& options)
      : from_(from), text_(text), options_(options), in_(text) {}

  [[nodiscard]] result<predicate> run() && {
    if (!from_) return error(errc::wrong_type, "a condition needs a type");
    if (!either()) return std::move(why_);
    skip_blanks();
    if (!in_.done()) {
      expected("'and', 'or' or the end of the condition");
      return std::move(why_);
    }
    result<plan> paths = plan::try_compile(from_, std::move(paths_));
    if (!paths) return std::move(paths).error();
    return predicate(std::make_shared<const data>(
        data{std::string(text_), *std::move(paths), std::move(steps_), std::move(literals_)}));
  }

 private:
  // ---- words

  bool reject(errc code, std::string words, std::size_t at) {
    why_ = error(code, std::move(words), at).in(error_source::predicate);
    return false;
  }
  bool expected(const std::string& what) { return reject(errc::path_syntax, "expected " + what, in_.at()); }
  void skip_blanks() noexcept { in_.skip_blanks(); }
  [[nodiscard]] static bool same_word(std::string_view text, std::string_view word) noexcept {
    return detail::same_letters(text, word);
  }
  /// The word that stands next, in any case; it is then read.
  bool accept_word(std::string_view word) noexcept {
    skip_blanks();
    const std::size_t begin = in_.at();
    if (same_word(in_.name(), word)) return true;
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
    if (!one()) return false;
    while (accept_word("and")) {
      if (!one()) return false;
      steps_.push_back({.op = op::both});
    }
    return true;
  }
  bool one() {
    if (depth_ == max_depth) return reject(errc::depth_limit, "the condition is nested too deeply", in_.at());
    ++depth_;
    const bool done = deeper();
    --depth_;
    return done;
  }
  bool deeper() {
    if (accept_word("not")) {
      if (!one()) return false;
      steps_.push_back({.op = op::negate});
      return true;
    }
    if (accept('(')) return either() && (accept(')') || expected("')'"));
    if (accept_word("exists")) return exists();
    step made;
    return path_of(made) && comparison(made);
  }
  bool exists() {
    const bool in_brackets = accept('(');
    step made{.op = op::is_not_null};
    if (!path_of(made)) return false;
    add(made);
    return !in_brackets || accept(')') || expected("')'");
  }
  bool comparison(step& made) {
    if (accept_word("is")) return null_test(made);
    const bool negated = accept_word("not");
    if (accept_word("in")) return membership(made, negated);
    if (negated) return expected("'in'");
    const std::size_t at = in_.at();
    return comparator(made.op) && comparable(made, at) && literal_of(made) && add(made);
  }
  bool null_test(step& made) {
    made.op = accept_word("not") ? op::is_not_null : op::is_null;
    return accept_word("null") ? add(made) : expected("'null'");
  }
  bool membership(step& made, bool negated) {
    made.op = op::among;
    if (!comparable(made, in_.at())) return false;
    if (!accept('(')) return expected("'('");
    do {
      if (!literal_of(made)) return false;
    } while (accept(','));
    if (!accept(')')) return expected("',' or ')'");
    add(made);
    if (negated) steps_.push_back({.op = op::negate});
    return true;
  }
  bool comparator(op& to) {
    struct spelling {
      std::string_view text;
      op means;
    };
    // Longer ones before those that they begin with.
    static constexpr spelling all[] = {{"==", op::equal},    {"=", op::equal},    {"!=", op::unequal},
                                       {"<>", op::unequal},  {"<=", op::at_most}, {"<", op::less},
                                       {">=", op::at_least}, {">", op::greater}};
    skip_blanks();
    for (const spelling& each : all) {
      if (!in_.rest().starts_with(each.text)) continue;
      in_.advance(each.text.size());
      to = each.means;
      return true;
    }
    return expected("=, !=, <, <=, >, >=, 'in' or 'is'");
  }
  bool comparable(const step& of, std::size_t at) {
    const bool is_scalar = !asked_.is_struct() && !asked_.is_container() && asked_.kind() != type_kind::void_;
    const bool is_ordered = of.kind != type_kind::bool_;
    if (!is_scalar)
      return reject(errc::wrong_type, asked_.name() + " can only be asked 'is null' or 'is not null'", at);
    if (is_ordered || of.op == op::equal || of.op == op::unequal || of.op == op::among) return true;
    return reject(errc::wrong_type, "a bool is equal or not, it has no order", at);
  }
  bool add(step& made) {
    if (made.has_default) made.by_default = default_truth(made);
    steps_.push_back(made);
    return true;
  }

  // ---- paths

  bool path_of(step& made) {
    skip_blanks();
    const std::size_t begin = in_.at();
    if (!skip_path()) return expected("a path");
    const std::string_view text = text_.substr(begin, in_.at() - begin);
    result<path> found = path::try_compile(from_, text);
    if (!found) return fail_in_path(found.error(), begin);
    if (!found->is_single())
      return reject(errc::wrong_type, "a condition asks one value: the path leads to many", begin);
    if (found->enters_key()) return reject(errc::wrong_type, "a condition cannot ask a key", begin);
    asked_ = found->to();
    made.kind = asked_.kind();
    if (options_.defaults == on_absent::write && !take_default(made, *found, begin)) return false;
    made.path = add_path(*std::move(found));
    return true;
  }
  bool fail_in_path(const error& why, std::size_t begin) {
    const std::size_t at = why.offset() == error::no_offset ? 0 : why.offset();
    return reject(why.code(), std::string(why.detail()), begin + at);
  }
  [[nodiscard]] std::uint32_t add_path(path found) {
    const auto known = std::find(paths_.begin(), paths_.end(), found);
    const auto at = static_cast<std::uint32_t>(known - paths_.begin());
    if (known == paths_.end()) paths_.push_back(std::move(found));
    return at;
  }
  /// Moves to the end of a path; false where none begins.
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
  /// Behind the bracket that closes; those in quotes do not.
  void skip_to(char closing) noexcept {
    char quote = '\0';
    while (!in_.done()) {
      const char c = in_.peek();
      in_.advance(1);
      if (quote == '\0' && c == closing) return;
      if (c == '\\' && !in_.done()) in_.advance(1);
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
  bool take_default(step& made, const path& asked, std::size_t begin) {
    const std::span<const path_step> steps = asked.steps();
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      const field_info on_the_way = field_of(steps[i]);
      if (on_the_way && on_the_way.has_default())
        return reject(errc::bad_option,
                      "the default of a struct that the path leads through is not looked into", begin);
    }
    const field_info last = steps.empty() ? field_info() : field_of(steps.back());
    if (!last || !last.has_default()) return true;
    made.has_default = true;
    if (steps.size() == 1) return !from_is_union(from_) || forget_default(made);
    const path outer = path::compile(from_, asked.text().substr(0, steps.back().offset));
    if (from_is_union(outer.to())) return forget_default(made);
    made.outer = add_path(outer);
    return true;
  }
  [[nodiscard]] static bool from_is_union(thriftlens::type of) { return of.kind() == type_kind::union_; }
  /// Members of unions have none.
  static bool forget_default(step& made) {
    made.has_default = false;
    return true;
  }
  [[nodiscard]] truth default_truth(const step& made) const {
    const field_info field = field_of(paths_[made.path].steps().back());
    const view<binary> value(field.default_binary(), field.type(), options_.limits);
    return compare(std::span<const literal>(literals_).subspan(made.first, made.count), made, value).value();
  }

  // ---- literals

  bool literal_of(step& made) {
    skip_blanks();
    literal read;
    const std::size_t at = in_.at();
    if (!value(read, at)) return false;
    if (made.count == 0) made.first = static_cast<std::uint32_t>(literals_.size());
    ++made.count;
    literals_.push_back(std::move(read));
    return true;
  }
  bool value(literal& to, std::size_t at) {
    switch (asked_.kind()) {
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
  /// `value_type`, or a syntax error where nothing stands.
  bool unfit(const std::string& wanted, std::size_t at) {
    in_.seek(at);
    if (in_.done()) return expected(wanted);
    if (accept_word("null")) return reject(errc::path_syntax, "null is equal to nothing: say 'is null'", at);
    return reject(errc::value_type, "expected " + wanted + " to compare with " + asked_.name(), at);
  }
  bool boolean(literal& to, std::size_t at) {
    const std::string_view word = in_.name();
    to.integer = same_word(word, "true");
    return to.integer != 0 || same_word(word, "false") || unfit("true or false", at);
  }
  bool quoted(literal& to, std::size_t at) {
    const char c = in_.peek();
    if (c != '"' && c != '\'') return unfit("a text in quotes", at);
    return in_.quoted(to.text) || reject(errc::path_syntax, "expected the end of the text", in_.at());
  }
  bool uuid(literal& to, std::size_t at) {
    if (!quoted(to, at)) return false;
    uuid_bytes id{};
    if (!detail::parse_uuid(to.text, id)) return unfit("the text of a uuid", at);
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
    return reject(errc::value_range, "the number is outside the range of " + asked_.name(), at);
  }
  [[nodiscard]] bool fits(std::int64_t value) const noexcept {
    switch (asked_.kind()) {
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
  /// A member by name, bare, in quotes or behind its enum's name, or a number.
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
    const std::optional<std::int32_t> number = asked_.member_value(name);
    if (number) to.integer = *number;
    if (number) return true;
    if (same_word(name, "null")) return unfit("a member of the enum", at);
    return reject(errc::unknown_enum_name, detail::no_such_member_text(asked_, name), at);
  }
  [[nodiscard]] std::string member_name() {
    std::string name(in_.name());
    const std::string of = asked_.name();
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
  thriftlens::type asked_;  ///< by the path read last
  std::vector<path> paths_;
  std::vector<step> steps_;
  std::vector<literal> literals_;
  error why_;
};

THRIFTLENS_BODY result<predicate> predicate::try_compile(thriftlens::type from, std::string_view text,
                                                         const predicate_options& options) {
  return compiler(from, text, options).run();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
