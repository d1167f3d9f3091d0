// visit: runs all read operations on one message, for tests of malformed bytes and for the fuzzer. Aborts for
// incomplete results and for errors without a code.
#pragma once

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/compare/inspect.hpp>
#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/view/plan.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace thriftlens_test {

/// Visits every value below `at`. Returns their number; the ranges end at malformed bytes.
template <class P>
std::size_t visit_all(const thriftlens::view<P>& at, int depth = 0) {
  std::size_t count = 1;
  if (depth > 70) return count;
  std::string_view text;
  if (at.wire() == thriftlens::ttype::struct_) {
    auto fields = at.try_fields();
    for (auto field : fields) count += visit_all(field.value, depth + 1);
    if (fields.code() != thriftlens::errc::ok) count += fields.error().path().size() == 0;
  } else if (at.wire() == thriftlens::ttype::map) {
    auto entries = at.try_entries();
    for (auto entry : entries) count += visit_all(entry.key, depth + 1) + visit_all(entry.value, depth + 1);
    if (entries.code() != thriftlens::errc::ok) count += entries.error().path().size() == 0;
  } else if (thriftlens::is_container(at.wire())) {
    auto elements = at.try_elements();
    for (auto element : elements) count += visit_all(element, depth + 1);
    if (elements.code() != thriftlens::errc::ok) count += elements.error().path().size() == 0;
  } else {
    count += at.get(text) == thriftlens::errc::ok;
  }
  return count;
}

/// The result of a writer: complete wire bytes, or an error with a code. Aborts otherwise; returns the number
/// of bytes.
template <class P>
std::size_t whole(const thriftlens::result<thriftlens::buffer>& answer, thriftlens::type of,
                  const thriftlens::limits& bounds = {}) {
  bool holds = false;
  if (answer) {
    const auto read = thriftlens::view<P>(*answer, of, bounds).try_bytes();
    holds = read && read->size() == answer->size();
  } else {
    holds =
        answer.error().code() != thriftlens::errc::ok && answer.error().code() != thriftlens::errc::internal;
  }
  if (!holds) std::abort();
  return answer ? answer->size() : 1;
}

/// A path, a plan, a selection and a redaction of one type, compiled once.
struct lens_questions {
  thriftlens::type type;
  std::vector<thriftlens::path> paths;
  thriftlens::plan plan;
  thriftlens::selection keep;
  thriftlens::redaction hidden;
  thriftlens::validator sound;

  explicit lens_questions(thriftlens::type of)
      : type(of),
        paths(paths_of(of)),
        plan(thriftlens::plan::compile(of, paths)),
        keep(thriftlens::selection::compile(of, std::span(paths).first((paths.size() + 1) / 2))),
        hidden(thriftlens::redaction::compile(of, {.paths = {{"$", "hash"}},
                                                   .key = thriftlens::redact_hash::key_bytes{1},
                                                   .unknown = thriftlens::on_unknown::keep,
                                                   .missing_required = thriftlens::on_missing::omit})),
        sound(thriftlens::validator::compile(of, {.keys = thriftlens::validate_options::key_check::unique})) {
  }

  /// A path to every field, and into its first element.
  static std::vector<thriftlens::path> paths_of(thriftlens::type of) {
    std::vector<thriftlens::path> made;
    for (auto field : of.fields())
      made.push_back(thriftlens::path::compile(of, ".#" + std::to_string(field.id())));
    return made;
  }

  /// Copies a value, edits it without edits and trims it completely.
  template <class P>
  static std::size_t one_of(const thriftlens::view<P>& v) {
    const thriftlens::limits bounds{.depth = v.location().at.depth_left};
    return whole<P>(thriftlens::edit(v).try_apply(), v.type(), bounds) +
           whole<P>(thriftlens::try_trim(v, thriftlens::selection::all(v.type())), v.type(), bounds);
  }

  template <class P>
  std::size_t ask(std::string_view bytes) const {
    thriftlens::view<P> v(bytes, type);
    std::size_t count = visit_all(v) + visit_all(thriftlens::view<P>(bytes));
    std::vector<thriftlens::view<P>> found;
    count += get_many(v, plan, found);
    for (const auto& path : paths) {
      auto location = v.at(path);
      if (!location && location.presence() == thriftlens::presence::error)
        count += std::string_view(location.error().what()).size();
      thriftlens::edit changes(v);
      count += whole<P>(changes.erase(path).try_apply(), type);
      count += location ? one_of(location) : 0;
    }
    count += whole<P>(thriftlens::try_trim(v, keep), type);
    count += whole<P>(thriftlens::try_trim(v, thriftlens::selection::all(type) - keep), type);
    // Hashed values are readable if the bytes are: the rules cover everything.
    count += whole<P>(thriftlens::try_redact(v, hidden), type);
    count += sound.template findings<P>(bytes).size();
    const std::string_view half = bytes.substr(0, bytes.size() / 2);
    auto changes = thriftlens::try_differences(v, thriftlens::view<P>(half, type));
    if (changes) count += changes->size();
    return count + thriftlens::inspect<P>(bytes, {.of = type, .elements = 20}).size();
  }
};

}  // namespace thriftlens_test
