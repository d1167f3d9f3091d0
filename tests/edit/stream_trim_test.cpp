#include <thriftlens/edit/stream_trim.hpp>

#include "support/order.hpp"
#include "support/random_data.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

/// What a trim came to, in one piece or in many.
struct outcome {
  errc code = errc::ok;
  std::string bytes;       ///< or the path of the error
  std::size_t number = 0;  ///< dropped fields, or the offset of the error

  friend bool operator==(const outcome&, const outcome&) = default;
  friend std::ostream& operator<<(std::ostream& out, const outcome& of) {
    return out << tl::to_string(of.code) << " " << testing::PrintToString(of.bytes) << " " << of.number;
  }
};
outcome of_error(const tl::error& fault) { return {fault.code(), fault.path(), fault.offset()}; }

template <class P>
outcome at_once(std::string_view bytes, const tl::selection& selected, const tl::trim_options& options = {}) {
  tl::trim_report report;
  auto out = tl::try_trim(tl::view<P>(bytes, selected.from(), options.limits), selected, options, &report);
  if (!out) return of_error(out.error());
  return {errc::ok, out->str(), report.dropped_fields};
}

/// Feeds parts of the sizes that `next_size` returns.
template <class P, class NextSize>
outcome in_parts(std::string_view bytes, const tl::selection& selected, NextSize next_size,
                 const tl::trim_options& options = {}) {
  tl::stream_trimmer<P> trimmer(selected, options);
  tl::buffer out;
  std::size_t at = 0;
  while (at < bytes.size() && !trimmer.done()) {
    const std::size_t size = std::min(bytes.size() - at, std::max<std::size_t>(next_size(), 1));
    const std::string part(bytes.substr(at, size));  // sanitizers detect reads past its end
    const auto used = trimmer.try_feed(part, out);
    if (!used) return of_error(used.error());
    EXPECT_TRUE(*used == size || trimmer.done());
    at += *used;
    EXPECT_EQ(trimmer.offset(), at);
  }
  const auto report = trimmer.try_finish();
  if (!report) return of_error(report.error());
  if (at != bytes.size()) return {errc::trailing_bytes, "$", at};
  return {errc::ok, out.str(), report->dropped_fields};
}

template <class P>
struct stream_trim_of : testing::Test {};
TYPED_TEST_SUITE(stream_trim_of, protocols);

const char* const selections[] = {"{ id user { name } items { sku price } }",
                                  "{ groups { id } deep { name } by_sku { price } }",
                                  "{ numbers debug }",
                                  "{ -debug -user }",
                                  "{ user { -secret } }",
                                  "{ * }",
                                  "{ items { tags } }"};

tl::byte_view byte_prefix(std::string_view bytes, std::size_t size) { return bytes.substr(0, size); }

std::vector<tl::selection> order_selections() {
  std::vector<tl::selection> items{tl::selection::all(order_type())};
  for (const char* text : selections) {
    if (auto result = tl::selection::try_compile(order_type(), text)) items.push_back(*result);
  }
  return items;
}

TYPED_TEST(stream_trim_of, same_bytes_for_every_size_of_part) {
  const std::string bytes = order_bytes<TypeParam>();
  for (const tl::selection& selected : order_selections()) {
    const outcome expected = at_once<TypeParam>(bytes, selected);
    ASSERT_EQ(expected.code, errc::ok);
    for (std::size_t size = 1; size <= bytes.size(); size += size < 40 ? 1 : 37)
      EXPECT_EQ(in_parts<TypeParam>(bytes, selected, [&] { return size; }), expected)
          << selected.to_string() << " by " << size;
  }
}

TYPED_TEST(stream_trim_of, every_truncation_fails_as_trim_does) {
  const std::string bytes = order_bytes<TypeParam>();
  for (const tl::selection& selected : order_selections()) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::string_view cut = std::string_view(bytes).substr(0, size);
      const outcome expected = at_once<TypeParam>(cut, selected);
      for (std::size_t part : {std::size_t{1}, std::size_t{7}, bytes.size()})
        ASSERT_EQ(in_parts<TypeParam>(cut, selected, [&] { return part; }), expected)
            << selected.to_string() << " cut at " << size << " by " << part;
    }
  }
}

TYPED_TEST(stream_trim_of, truncations_of_too_deeply_nested_values) {
  const std::string bytes = order_bytes<TypeParam>();
  std::size_t too_deep = 0;
  for (const tl::selection& selected : order_selections()) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::string_view cut = std::string_view(bytes).substr(0, size);
      for (const std::uint32_t depth : {1u, 2u, 3u}) {
        const tl::trim_options options{.limits = {.depth = depth}};
        const outcome complete = at_once<TypeParam>(cut, selected, options);
        const outcome parts = in_parts<TypeParam>(
            cut, selected, [] { return std::size_t{1}; }, options);
        too_deep += complete.code == errc::depth_limit;
        if (complete.code != errc::truncated || parts.code == errc::truncated) {
          ASSERT_EQ(parts, complete) << selected.to_string() << " cut at " << size << ", depth " << depth;
        }
      }
    }
  }
  EXPECT_GT(too_deep, 100u);
}

TYPED_TEST(stream_trim_of, random_values_in_random_parts) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    randomness random(seed);
    const tl::schema schema = tl::schema::parse(random_idl(random));
    const tl::type type = schema.type("S0");
    const std::string bytes = encode<TypeParam>(random_value(random, type, 4));
    for (int i = 0; i < 4; ++i) {
      const tl::selection selected = random_selection(random, type);
      const auto next_size = [&] { return random.one_in(3) ? random.below(400) : random.below(9); };
      ASSERT_EQ(in_parts<TypeParam>(bytes, selected, next_size), at_once<TypeParam>(bytes, selected))
          << "seed " << seed << " " << selected.to_string();
    }
  }
}

/// Whether the error may differ for the complete input: a size that exceeds it is detected immediately.
bool foresees_end(const outcome& complete, const outcome& parts) {
  return complete.code == errc::truncated && parts.number >= complete.number;
}

TYPED_TEST(stream_trim_of, the_same_faults) {
  std::size_t faults = 0, others = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    randomness random(seed);
    const tl::schema schema = tl::schema::parse(random_idl(random));
    const tl::type type = schema.type("S0");
    std::string bytes = encode<TypeParam>(random_value(random, type, 3));
    for (int i = 0; i < 20; ++i) {
      std::string changed = bytes;
      for (std::size_t n = 1 + random.below(3); n != 0; --n)
        changed[random.below(changed.size())] = static_cast<char>(random.bits(random.one_in(2) ? 8 : 4));
      const tl::selection selected = random_selection(random, type);
      const tl::trim_options options{
          .limits = {.depth = random.one_in(3) ? 3u : 64u},
          .defaults = random.one_in(4) ? tl::on_absent::write : tl::on_absent::omit};
      const outcome complete = at_once<TypeParam>(changed, selected, options);
      const outcome parts = in_parts<TypeParam>(
          changed, selected, [&] { return random.one_in(2) ? random.below(300) : random.below(5); }, options);
      faults += complete.code != errc::ok;
      if (complete.code != errc::ok && parts.code != errc::ok && foresees_end(complete, parts)) {
        ++others;
        continue;
      }
      ASSERT_EQ(parts, complete) << "seed " << seed << " " << selected.to_string();
    }
  }
  EXPECT_GT(faults, 500u);
  EXPECT_LT(others, faults);
}

tree wide_order(randomness& random) {
  std::vector<tree> items;
  std::vector<tree_entry> named;
  for (int i = 0; i < 400; ++i) {
    items.push_back(item("sku" + std::to_string(i), 0.5 * i, {text(std::string(random.below(90), 'x'))}));
    if (random.one_in(9)) std::swap(items.back().fields[0], items.back().fields[1]);
    named.push_back({text("k" + std::to_string(i)), item("m", i)});
  }
  return structure({{3, list(ttype::struct_, items)},
                    {4, map(ttype::string, ttype::struct_, named)},
                    {2, structure({{2, text(std::string(50000, 'n'))}})}});
}

TYPED_TEST(stream_trim_of, many_elements_and_long_strings) {
  randomness random(7);
  const std::string bytes = encode<TypeParam>(wide_order(random));
  for (const tl::selection& selected : order_selections()) {
    const outcome expected = at_once<TypeParam>(bytes, selected);
    ASSERT_EQ(expected.code, errc::ok);
    for (const std::size_t size : {std::size_t{61}, std::size_t{1000}, std::size_t{16384}, bytes.size()}) {
      EXPECT_EQ(in_parts<TypeParam>(bytes, selected, [&] { return size; }), expected)
          << selected.to_string() << " by " << size;
    }
    for (std::size_t end = 1; end < bytes.size(); end += 1 + random.below(12000)) {
      const std::string_view cut = std::string_view(bytes).substr(0, end);
      ASSERT_EQ(in_parts<TypeParam>(cut, selected, [&] { return random.below(5000); }),
                at_once<TypeParam>(cut, selected))
          << selected.to_string() << " cut at " << end;
    }
  }
}

TYPED_TEST(stream_trim_of, keys_in_the_path_of_an_error) {
  std::vector<tree> keys;
  for (const std::size_t size : {1u, 60u, 63u, 64u, 65u, 80u, 95u, 96u, 97u, 120u, 300u}) {
    keys.push_back(text(std::string(size, 'k')));
    keys.push_back(text(std::string(size - 1, 'k') + "\xff"));
    keys.push_back(text(std::string(size % 2, 'k') + [&] {
      std::string joined;
      while (joined.size() < size) joined += "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
      return joined;
    }()));
  }
  const tl::selection selected = tl::selection::compile(order_type(), "{ by_sku { price } }");
  const tl::selection other = tl::selection::compile(order_type(), "{ -by_sku }");
  for (const tree& key : keys) {
    tree broken = item("m", 1);
    broken.fields.push_back({1, text("twice")});
    const std::string bytes =
        encode<TypeParam>(structure({{4, map(ttype::string, ttype::struct_, {{key, broken}})}}));
    const outcome expected = at_once<TypeParam>(bytes, selected);
    EXPECT_EQ(expected.code, errc::duplicate_field);
    const std::string_view cut = std::string_view(bytes).substr(0, bytes.size() - 4);
    for (const std::size_t part : {1u, 5u, 50u, 1000u}) {
      EXPECT_EQ(in_parts<TypeParam>(bytes, selected, [&] { return part; }), expected);
      EXPECT_EQ(in_parts<TypeParam>(cut, other, [&] { return part; }), at_once<TypeParam>(cut, other));
    }
  }
}

TYPED_TEST(stream_trim_of, an_error_is_permanent_and_leaves_the_output_unchanged) {
  const std::string bytes = order_bytes<TypeParam>();
  tl::stream_trimmer<TypeParam> trimmer(tl::selection::compile(order_type(), "{ -debug }"));
  tl::buffer out;
  trimmer.feed(byte_prefix(bytes, 11), out);
  const std::string original = out.str();
  const std::string garbage(5000, '\xff');
  const auto failed = trimmer.try_feed(garbage, out);
  ASSERT_FALSE(failed);
  EXPECT_EQ(out.str(), original);
  EXPECT_EQ(trimmer.try_feed(bytes, out).error(), failed.error());
  EXPECT_EQ(trimmer.try_finish().error(), failed.error());
}

/// Trims until `drop_at` or an error, then drops the rest. Returns the end, or the error in the bytes.
template <class P, class NextSize>
outcome dropped_from(std::string_view bytes, const tl::selection& selected, std::size_t drop_at,
                     NextSize next_size) {
  tl::stream_trimmer<P> trimmer(selected);
  tl::buffer out;
  bool is_dropped = false;
  std::uint64_t claimed = 0;
  while (trimmer.offset() < bytes.size() && !trimmer.done()) {
    const std::size_t at = trimmer.offset();
    if (at >= drop_at && !is_dropped) {
      trimmer.drop_rest();
      is_dropped = true;
    }
    const std::string part(bytes.substr(at, std::max<std::size_t>(next_size(), 1)));
    const std::size_t previous_size = out.size();
    const auto used = trimmer.try_feed(part, out);
    if (!used && is_dropped) return of_error(used.error());
    EXPECT_TRUE(!is_dropped || out.size() == previous_size);
    if (!used) {
      EXPECT_LE(trimmer.offset(), at + part.size());
      trimmer.drop_rest();
      is_dropped = true;
    }
    EXPECT_EQ(trimmer.least_left() == 0, trimmer.done());
    claimed = std::max<std::uint64_t>(claimed, trimmer.offset() + trimmer.least_left());
  }
  if (trimmer.done()) {
    EXPECT_EQ(claimed, trimmer.offset());
  }
  return trimmer.done() ? outcome{errc::ok, "", trimmer.offset()} : outcome{errc::truncated, "", 0};
}

TYPED_TEST(stream_trim_of, the_rest_may_be_dropped_at_any_byte) {
  const std::string bytes = order_bytes<TypeParam>();
  const std::string longer = bytes + "more";
  const outcome expected{errc::ok, "", bytes.size()};
  for (const tl::selection& selected : order_selections()) {
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      const auto by_byte = [] { return std::size_t{1}; };
      EXPECT_EQ(dropped_from<TypeParam>(longer, selected, at, by_byte), expected);
      bool is_first = true;
      const auto in_two = [&] { return std::exchange(is_first, false) ? at : bytes.size(); };
      EXPECT_EQ(dropped_from<TypeParam>(longer, selected, at, in_two), expected);
    }
  }
}

TYPED_TEST(stream_trim_of, the_end_is_found_after_an_error_in_the_selection) {
  std::size_t wrong = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    randomness random(seed);
    const tl::schema schema = tl::schema::parse(random_idl(random));
    const tl::type type = schema.type("S0"), other = schema.type("S1");
    std::string bytes = encode<TypeParam>(random_value(random, other, 3));
    if (random.one_in(2)) bytes[random.below(bytes.size())] = static_cast<char>(random.bits(8));
    typename TypeParam::skipper skipper(tl::byte_view(bytes).end());
    const tl::byte_ptr next = skipper.skip_struct(tl::byte_view(bytes).begin(), 64);
    const tl::selection selected = random_selection(random, type);
    wrong += at_once<TypeParam>(bytes, selected).code != errc::ok && next != nullptr;
    for (int i = 0; i < 4; ++i) {
      const outcome actual = dropped_from<TypeParam>(bytes, selected, bytes.size(), [&] {
        return i == 0 ? std::size_t{1} : random.below(1 + bytes.size());
      });
      ASSERT_EQ(actual.code == errc::ok, next != nullptr) << "seed " << seed << " " << selected.to_string();
      if (next == nullptr) continue;
      ASSERT_EQ(actual.number, static_cast<std::size_t>(next - tl::byte_view(bytes).begin())) << seed;
    }
  }
  EXPECT_GT(wrong, 30u);
}

TYPED_TEST(stream_trim_of, minimum_remaining_sizes) {
  using P = TypeParam;
  const std::string bytes = encode<P>(structure({{2, structure({{2, text(std::string(500, 'n'))}})}}));
  for (const char* selection : {"{ id }", "{ user { name } }"}) {
    tl::stream_trimmer<P> trimmer(tl::selection::compile(order_type(), selection));
    tl::buffer out;
    EXPECT_EQ(trimmer.least_left(), 1u);
    trimmer.feed(byte_prefix(bytes, bytes.size() - 400), out);
    EXPECT_EQ(trimmer.least_left(), 400u);
    trimmer.feed(tl::byte_view(bytes).part(bytes.size() - 400, 399), out);
    EXPECT_EQ(trimmer.least_left(), 1u);
    trimmer.feed(tl::byte_view(bytes).part(bytes.size() - 1, 1), out);
    EXPECT_EQ(trimmer.least_left(), 0u);
  }
}

TYPED_TEST(stream_trim_of, bytes_after_the_value_are_not_consumed) {
  const std::string bytes = order_bytes<TypeParam>();
  const tl::selection selected = tl::selection::compile(order_type(), "{ id }");
  tl::stream_trimmer<TypeParam> trimmer(selected);
  tl::buffer out;
  const std::string two = bytes + bytes;
  EXPECT_EQ(trimmer.feed(two, out), bytes.size());
  EXPECT_TRUE(trimmer.done());
  EXPECT_EQ(trimmer.feed(two, out), 0u);
  EXPECT_EQ(out.str(), at_once<TypeParam>(bytes, selected).bytes);
}

TYPED_TEST(stream_trim_of, output_that_is_too_long) {
  const std::string bytes = order_bytes<TypeParam>();
  const tl::selection selected = tl::selection::all(order_type());
  EXPECT_EQ(in_parts<TypeParam>(bytes, selected, [] { return 50; }, {.limits = {.output_size = 100}}).code,
            errc::output_limit);
}

TYPED_TEST(stream_trim_of, required_fields_of_the_target) {
  const tl::schema schema = tl::schema::parse(
      "struct A { 1: optional i32 a, 2: i32 b, 3: list<A> more } "
      "struct B { 1: required i32 a, 3: list<B> more }");
  const tl::selection selected = tl::selection::compile(schema.type("A"), schema.type("B"));
  const tree good = structure({{1, i32(1)}, {2, i32(2)}}), bad = structure({{2, i32(2)}});
  for (const tree& last : {good, bad}) {
    const std::string bytes =
        encode<TypeParam>(structure({{1, i32(1)}, {3, list(ttype::struct_, {good, last})}}));
    const outcome expected = at_once<TypeParam>(bytes, selected);
    for (std::size_t size : {1u, 3u, 100u})
      EXPECT_EQ(in_parts<TypeParam>(bytes, selected, [&] { return size; }), expected);
  }
}

}  // namespace
