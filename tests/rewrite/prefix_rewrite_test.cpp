#include <thriftlens/rewrite/fast/prefix_rewrite.hpp>

#include <thriftlens/policy/rewrite.hpp>
#include <thriftlens/schema/schema.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tl = thriftlens;

namespace {

const tl::schema& prefix_idl() {
  static const tl::schema schema = tl::schema::parse(
      "struct Flat { 1: i32 a 2: string b 3: i64 c 4: string d 5: i16 e }\n"
      "struct Outer { 1: i32 a 2: Flat flat }");
  return schema;
}
constexpr std::array names = {"a", "b", "c", "d", "e"};

/// The fields in the order of ids: numbers as text.
using fields = std::array<std::optional<std::string>, 5>;
const fields complete = {"1", std::string(40, 'b'), "3", std::string(90, 'd'), "5"};

template <class P>
std::string bytes_of(const fields& from) {
  tl::buffer bytes;
  typename P::writer out(bytes);
  static_cast<void>(out.begin_struct());
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!from[i]) continue;
    const auto id = static_cast<std::int16_t>(i + 1);
    const std::string& text = *from[i];
    if (i % 2 != 0)
      out.write_field(tl::ttype::string, id), out.write_bytes(text);
    else if (i == 0)
      out.write_field(tl::ttype::i32, id), out.write_i32(std::stoi(text));
    else if (i == 2)
      out.write_field(tl::ttype::i64, id), out.write_i64(std::stoi(text));
    else
      out.write_field(tl::ttype::i16, id), out.write_i16(static_cast<std::int16_t>(std::stoi(text)));
  }
  out.write_stop();
  return bytes.str();
}

/// A selection, rules and edits of Flat, and the fields that they leave.
struct request {
  std::string selected;
  std::vector<std::pair<std::string, std::string>> rules;
  std::vector<std::pair<std::string, std::string>> edits;
  fields expected = complete;
  tl::redact_report report;
  bool hides_rule = false;  ///< an edit replaces a value that a rule names: the report may count it or not

  explicit request(std::mt19937& random) {
    for (std::size_t i = 0; i < complete.size(); ++i) {
      const bool is_text = i % 2 != 0, keeps = random() % 4 != 0;
      const auto path = std::string("$.") + names[i];
      if (keeps)
        selected.append(names[i]).append(" ");
      else
        expected[i].reset();
      const auto rule = random() % 5, edit = random() % 3;
      if (rule < 3) {
        const std::string constant = is_text ? std::string(300, 'x') : "77";
        rules.emplace_back(path, rule == 0 ? "drop" : rule == 1 ? "blank" : "constant(" + constant + ")");
        hides_rule |= edit == 0;
        if (keeps) ++(rule == 0 ? report.dropped : report.replaced);
        if (keeps) expected[i] = rule == 1 ? (is_text ? "" : "0") : constant;
        if (rule == 0) expected[i].reset();
      }
      if (edit == 0) {
        edits.emplace_back(path, is_text ? std::string(random() % 60, 'e') : "9");
        expected[i] = edits.back().second;
      }
    }
  }
};

template <class P>
void equals_parts(std::mt19937& random) {
  const tl::type flat = prefix_idl().type("Flat");
  const std::string bytes = bytes_of<P>(complete);
  request of(random);
  if (of.selected.empty()) return;
  tl::rewrite<P> task(tl::view<P>(bytes, flat));
  task.trim("{ " + of.selected + "}");
  if (!of.rules.empty()) task.redact(tl::redaction::compile(flat, {.paths = of.rules}));
  for (const auto& [path, value] : of.edits) {
    if (path == "$.b" || path == "$.d")
      task.set(path, value);
    else
      task.set(path, std::stoi(value));
  }
  tl::rewrite_report report;
  EXPECT_EQ(task.apply(&report).str(), bytes_of<P>(of.expected)) << task.summary() << ": " << of.selected;
  if (!of.hides_rule) {
    EXPECT_EQ(static_cast<const tl::redact_report&>(report), of.report) << task.summary();
  }
}

TEST(prefix_rewrite, fields_are_those_of_one_step_after_another) {
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    equals_parts<tl::binary>(random);
    equals_parts<tl::compact>(random);
  }
}

std::optional<tl::rewrite_report> redact_flat(std::string_view bytes, const tl::redaction& rules,
                                              tl::buffer& out) {
  const tl::detail::fast_request request{.rules = &rules.program()};
  const tl::view<tl::binary> from(bytes, prefix_idl().type("Flat"));
  return tl::detail::rewrite_prefix<tl::binary, true, true, true>(from, request, {}, out);
}

TEST(prefix_rewrite, other_rules_and_malformed_bytes_leave_the_output_unchanged) {
  const tl::type flat = prefix_idl().type("Flat");
  const std::string bytes = bytes_of<tl::binary>(complete);
  tl::buffer out{tl::byte_view(std::string_view("before"))};
  const tl::redaction cuts = tl::redaction::compile(flat, {.paths = {{"$.b", "keep_last(2)"}}});
  EXPECT_FALSE(redact_flat(bytes, cuts, out));
  const tl::redaction drops = tl::redaction::compile(flat, {.paths = {{"$.b", "drop"}}});
  EXPECT_FALSE(redact_flat(bytes + 'x', drops, out));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(redact_flat(std::string_view(bytes).substr(0, size), drops, out)) << size;
  EXPECT_EQ(out.text(), "before");
  const auto report = redact_flat(bytes, drops, out);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->dropped, 1u);
  fields expected = complete;
  expected[1].reset();
  EXPECT_EQ(out.text(), "before" + bytes_of<tl::binary>(expected));
}

}  // namespace
