// Memory that hostile input can make an operation use: 16 MiB and 8 bytes per byte, 64 for objects.
#include "memory/allocator.hpp"
#include "support/cases.hpp"
#include "support/test.hpp"

#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>

namespace memory = thriftlens_test::memory;
using tl::errc;

namespace {

constexpr std::size_t constant = std::size_t{16} << 20;

const tl::schema& hostile() {
  static const tl::schema loaded = tl::schema::parse(R"idl(
    struct Empty { 1: optional string filling = "a default of fifty bytes, which is the most of all of it" }
    struct Every { 1: list<Empty> empties  2: list<list<list<list<list<list<list<list<bool>>>>>>>> deep  3: list<string> texts (pii = "x") }
  )idl");
  return loaded;
}
tl::type every() { return hostile().type("Every"); }

std::string size_of(std::uint32_t count) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(count >> shift);
  return text;
}
std::string list_of(tl::ttype element, std::uint32_t count, const std::string& elements) {
  return static_cast<char>(element) + size_of(count) + elements;
}
std::string field(tl::ttype wire, int id, const std::string& value) {
  return std::string{static_cast<char>(wire), static_cast<char>(id >> 8), static_cast<char>(id)} + value +
         std::string(1, '\0');
}
std::string empties(std::uint32_t count) {
  return field(tl::ttype::list, 1, list_of(tl::ttype::struct_, count, std::string(count, '\0')));
}
std::string nested_bools(std::uint32_t count, int lists, int id) {
  std::string text = list_of(tl::ttype::bool_, count, std::string(count, '\1'));
  for (int i = 1; i < lists; ++i) text = list_of(tl::ttype::list, 1, text);
  return field(tl::ttype::list, id, text);
}
std::string short_texts(std::uint32_t count) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) text += size_of(0);
  return field(tl::ttype::list, 3, list_of(tl::ttype::string, count, text));
}
constexpr std::uint32_t many = 400'000;

/// Peak memory of `run`, beyond what was allocated before.
std::size_t peak_of(const std::function<void()>& run) {
  const std::size_t previous_size = memory::held();
  memory::reset_peak();
  run();
  return memory::peak() - previous_size;
}
template <class Result>
void expect_limit(const Result& status) {
  ASSERT_EQ(errc_of(status), errc::output_limit);
  EXPECT_NE(status.error().path(), "");
  EXPECT_NE(status.error().offset(), tl::error::no_offset);
}

constexpr std::string_view before = "before";
using writer = std::function<tl::result<void>(tl::buffer&, std::size_t)>;

/// With the output size that it needs, `small` writes; with one byte less it writes nothing.
void expect_exact_limit(const writer& small) {
  tl::buffer complete{tl::byte_view(before)};
  ASSERT_TRUE(small(complete, 0));
  const std::size_t size = complete.size() - before.size();
  for (const std::size_t limit : {size, size + 1}) {
    tl::buffer out{tl::byte_view(before)};
    EXPECT_TRUE(small(out, limit)) << limit;
    EXPECT_EQ(out.text(), complete.text());
  }
  for (const std::size_t limit : {size - 1, size / 2, std::size_t{1}}) {
    tl::buffer out{tl::byte_view(before)};
    const tl::result<void> status = small(out, limit);
    ASSERT_EQ(errc_of(status), errc::output_limit) << limit << " of " << size;
    EXPECT_EQ(out.text(), before);
  }
}
/// How the output buffer grows: to the limit, or to twice the size (the rest is never touched).
enum class growth { exact, doubling };
/// `large` exceeds the limit: an error with its path, no output, bounded memory.
void expect_bounded(std::size_t input, const writer& large, growth mode = growth::exact) {
  tl::buffer out{tl::byte_view(before)};
  const std::size_t max_size = constant + 8 * input;
  const std::size_t peak = peak_of([&] { expect_limit(large(out, 0)); });
  EXPECT_EQ(out.text(), before);
  EXPECT_LE(peak, (mode == growth::exact ? max_size : 2 * max_size) + max_size / 8);
}
template <class T>
tl::result<void> without_value(const tl::result<T>& outcome) {
  if (!outcome) return outcome.error();
  return {};
}

TEST(bounds, to_json_with_defaults) {
  const auto run = [](const std::string& bytes) {
    return [&bytes](tl::buffer& out, std::size_t limit) {
      return tl::try_append_json<tl::binary>(
          every(), bytes, out, {.limits = {.output_size = limit}, .defaults = tl::on_absent::write});
    };
  };
  const std::string small = empties(10), lots = empties(many);
  expect_exact_limit(run(small));
  expect_bounded(lots.size(), run(lots));
}

TEST(bounds, to_json_pretty) {
  const auto run = [](const std::string& bytes) {
    return [&bytes](tl::buffer& out, std::size_t limit) {
      return tl::try_append_json<tl::binary>(every(), bytes, out,
                                             {.limits = {.output_size = limit}, .format = {.pretty = 8}});
    };
  };
  const std::string small = nested_bools(10, 8, 2), lots = nested_bools(many, 8, 2);
  expect_exact_limit(run(small));
  expect_bounded(lots.size(), run(lots));
}

TEST(bounds, to_json_usual) {
  const std::string small = nested_bools(10, 8, 2), texts = short_texts(10);
  for (const std::string& bytes : {small, texts}) {
    expect_exact_limit([&bytes](tl::buffer& out, std::size_t limit) {
      return tl::try_append_json<tl::binary>(every(), bytes, out, {.limits = {.output_size = limit}});
    });
    const tl::buffer turned = tl::convert<tl::binary, tl::compact>(bytes);
    expect_exact_limit([&turned](tl::buffer& out, std::size_t limit) {
      return tl::try_append_json<tl::compact>(every(), turned, out, {.limits = {.output_size = limit}});
    });
  }
}

TEST(bounds, from_json_with_defaults) {
  const auto run = [](const std::string& text) {
    return [&text](tl::buffer& out, std::size_t limit) {
      return tl::try_append_from_json<tl::binary>(
          every(), text, out, {.limits = {.output_size = limit}, .defaults = tl::on_absent::write});
    };
  };
  const std::string small = R"({"empties":[{},{},{}]})";
  std::string lots = R"({"empties":[{})";
  for (std::uint32_t i = 0; i < 600'000; ++i) lots += ",{}";
  lots += "]}";
  expect_exact_limit(run(small));
  expect_bounded(lots.size(), run(lots));
}

TEST(bounds, convert) {
  const std::string ten = empties(10);
  const tl::buffer small = tl::convert<tl::binary, tl::compact>(ten);
  expect_exact_limit([&small](tl::buffer& out, std::size_t limit) {
    return tl::try_append_converted<tl::compact, tl::binary>(small, out, {.output_size = limit});
  });
}

TEST(bounds, trim_with_defaults) {
  const tl::selection full = tl::selection::compile(every(), "{ empties { filling } }");
  const auto run = [&full](const std::string& bytes) {
    return [&bytes, &full](tl::buffer& out, std::size_t limit) {
      return without_value(
          tl::try_append_trimmed(tl::view<tl::binary>(bytes, every()), full, out,
                                 {.limits = {.output_size = limit}, .defaults = tl::on_absent::write}));
    };
  };
  const std::string small = empties(10), lots = empties(many);
  expect_exact_limit(run(small));
  expect_bounded(lots.size(), run(lots), growth::doubling);
}

TEST(bounds, redact_with_a_long_constant) {
  const tl::redaction rules = tl::redaction::compile(
      every(), {.paths = {{"$.texts[*]", "constant(\"" + std::string(100, 'x') + "\")"}}});
  const std::string lots = short_texts(many);
  expect_bounded(
      lots.size(),
      [&](tl::buffer& out, std::size_t) {
        return without_value(tl::try_append_redacted(tl::view<tl::binary>(lots, every()), rules, out));
      },
      growth::doubling);
}

TEST(bounds, edit_with_wildcards) {
  const auto run = [](const std::string& bytes) {
    return [&bytes](tl::buffer& out, std::size_t limit) {
      return tl::edit(tl::view<tl::binary>(bytes, every()))
          .output_size(limit)
          .set("$.texts[*]", std::string(100, 'x'))
          .try_append_to(out);
    };
  };
  const std::string small = short_texts(10), lots = short_texts(many);
  expect_exact_limit(run(small));
  expect_bounded(lots.size(), run(lots), growth::doubling);
  // The result of a caller's function counts as input.
  const std::string some = short_texts(250'000);
  tl::buffer out;
  EXPECT_TRUE(tl::edit(tl::view<tl::binary>(some, every()))
                  .replace("$.texts[*]", [](const tl::view<tl::binary>&) { return std::string(100, 'x'); })
                  .try_append_to(out));
  EXPECT_GT(out.size(), constant + 8 * some.size());
}

TEST(bounds, existing_contents_of_the_buffer_do_not_count) {
  const std::string small = empties(3);
  const std::string old(2000, 'x');
  tl::buffer out{tl::byte_view(old)};
  EXPECT_TRUE((tl::try_append_converted<tl::binary, tl::compact>(small, out, {.output_size = 20})));
  tl::document doc;
  doc.load<tl::binary>(tl::byte_view(small), every(), {.limits = {.output_size = 1000}});
  EXPECT_TRUE(doc.try_append_to(out));
}

TEST(bounds, inspect) {
  const std::string small = nested_bools(10, 20, 7), lots = nested_bools(many, 60, 7);
  tl::fault reason;
  const std::string complete = tl::inspect<tl::binary>(small, {}, &reason);
  EXPECT_EQ(reason.code, errc::ok);
  EXPECT_EQ(tl::inspect<tl::binary>(small, {.limits = {.output_size = complete.size()}}), complete);
  const std::string cut =
      tl::inspect<tl::binary>(small, {.limits = {.output_size = complete.size() - 1}}, &reason);
  EXPECT_EQ(reason.code, errc::output_limit);
  const std::size_t end = cut.rfind("! the output exceeds the limit (byte ");
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(cut.substr(0, end), complete.substr(0, end));
  EXPECT_LT(end, complete.size());
  std::size_t size = 0;
  const std::size_t limit = constant + 8 * lots.size();
  // The text, and its previous buffer during the last growth.
  EXPECT_LE(peak_of([&] { size = tl::inspect<tl::binary>(lots, {}, &reason).size(); }),
            2 * limit + limit / 8);
  EXPECT_EQ(reason.code, errc::output_limit);
  EXPECT_LE(size, limit + 100);
  EXPECT_GT(size, limit / 2);
}

TEST(bounds, inspect_of_fields_out_of_order) {
  std::string bytes;
  for (int i = 0; i < 30'000; ++i)
    bytes += std::string{2, static_cast<char>((30'000 - i) >> 8), static_cast<char>(30'000 - i), 1};
  bytes += '\0';
  tl::fault reason;
  std::size_t size = 0;
  const std::size_t peak = peak_of([&] { size = tl::inspect<tl::binary>(bytes, {}, &reason).size(); });
  EXPECT_EQ(reason.code, errc::ok);
  EXPECT_GT(size, bytes.size());
  // The text, its previous buffer during the last growth, and a mark per id.
  EXPECT_LE(peak, 3 * size + std::size_t{64} * 1024);
}

TEST(bounds, comparing_lists_stores_only_differences) {
  const std::string lhs = nested_bools(many, 8, 2);
  std::string rhs = lhs;
  for (char& character : rhs) character = character == '\1' ? '\0' : character;
  rhs.replace(0, lhs.size() - many - 1, lhs.substr(0, lhs.size() - many - 1));
  const tl::view<tl::binary> first(lhs, every()), other(rhs, every());
  std::size_t actual = 0;
  EXPECT_LE(peak_of([&] { actual = tl::try_differences(first, other, {.max_differences = 1})->size(); }),
            10'000u);
  EXPECT_EQ(actual, 1u);
  EXPECT_LE(peak_of([&] { actual = tl::try_differences(first, other, {.max_differences = 40'000})->size(); }),
            40'000u * 300);
  EXPECT_EQ(actual, 40'000u);
}

TEST(bounds, differences_and_their_search) {
  std::string lhs, rhs;
  const int fields = thriftlens_test::cases(300'000);  // out of order, and unknown
  for (int i = 0; i < fields; ++i) {
    const int id = 20'000 - i % 10'000;
    for (std::string* side : {&lhs, &rhs})
      *side += std::string{2, static_cast<char>(id >> 8), static_cast<char>(id), side == &lhs ? '\0' : '\1'};
  }
  lhs += '\0';
  rhs += '\0';
  const tl::view<tl::binary> first(lhs), other(rhs);
  const std::size_t limit = constant + 64 * (lhs.size() + rhs.size());
  EXPECT_LE(
      peak_of([&] { EXPECT_EQ(tl::try_differences(first, other, {.max_differences = 1})->size(), 1u); }),
      limit);
  EXPECT_LE(peak_of([&] { static_cast<void>(tl::try_differences(first, other, {.max_differences = many})); }),
            limit);
  const std::size_t small = thriftlens_test::cases(10'000'000u);
  expect_limit(
      tl::try_differences(first, other, {.limits = {.output_size = small}, .max_differences = many}));
  EXPECT_TRUE(
      tl::try_differences(first, other, {.limits = {.output_size = 2 * small}, .max_differences = 5}));
  const std::string sets = field(tl::ttype::set, 1, list_of(tl::ttype::i8, many, std::string(many, 'x'))),
                    others = field(tl::ttype::set, 1, list_of(tl::ttype::i8, many, std::string(many, 'y')));
  const tl::view<tl::binary> three(sets), four(others);
  const std::size_t most_of_sets = constant + 64 * (sets.size() + others.size());
  EXPECT_LE(peak_of([&] { EXPECT_EQ(tl::try_differences(three, four, {.max_differences = 1})->size(), 1u); }),
            most_of_sets);
}

TEST(bounds, documents) {
  const std::string lots = empties(many), bools = nested_bools(many, 8, 2);
  for (const std::string& bytes : {lots, bools}) {
    const std::size_t limit = constant + 64 * bytes.size();
    tl::document doc;
    EXPECT_LE(
        peak_of([&] { static_cast<void>(doc.try_load_all<tl::binary>(tl::byte_view(bytes), every())); }),
        limit + (1 << 21));
  }
  // One that its caller builds is not bounded by the nothing it was read from.
  tl::document doc;
  doc.start<tl::binary>(every());
  const std::string text(1000, 'x');
  doc.at("$").create("texts");
  for (int i = 0; i < 20'000; ++i) doc["texts"].append(text);
  tl::buffer out;
  EXPECT_TRUE(doc.try_append_to(out));
  EXPECT_GT(out.size(), constant);
}

}  // namespace
