#include <thriftlens/json/read/read.hpp>

#include "json/samples.hpp"
#include "support/cases.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {

using stage = tl::detail::text_source::stage;

template <class Protocol>
tl::result<tl::buffer> read(stage use, tl::type type, std::string_view json,
                            const tl::from_json_options& options) {
  tl::buffer out;
  const tl::limits bounds;
  const tl::result<void> status =
      tl::detail::json_reader<Protocol>(json, *type.image(), out, options, bounds).run(type, use);
  if (!status) return status.error();
  return out;
}

const char* const seeds[] = {
    R"({"b":true,"i8":-128,"i16":-32768,"i32":2147483647,"i64":-9223372036854775808,"d":1.5e-3,"s":"ä\n\u0041","bin":"AAECAw==","color":5})",
    R"({ "by_name" : {"a":1,"b":2} , "by_id":{"-1":{"x":1},"10":{}},"by_point":[[{"x":1},"a"],[{"y":2},"b"]],"bits":[[true,false],[]]})",
    R"({"unknown":{"a":[1,2.5,{"b":null},"\ud83d\ude00"],"c":{}},"points":[{"x":1},{"y":-2}],"pick":{"s":"x"},"id":"00112233-4455-6677-8899-aabbccddeeff"})",
    R"({"by_double":{"1.5":1},"by_bool":{"true":2},"by_binary":{"AA==":3},"by_color":{"RED":4},"by_list":{"[1,2]":3},"doubles":[1,2.25,1e300]})",
};

// A few bytes changed, dropped, duplicated or moved; JSON's special characters are likely.
std::string mutated(std::string text, std::mt19937& random) {
  constexpr std::string_view likely = "{}[],:\"\\ \n0123456789-+.eEtfn/u\xc3\xa9\x01";
  for (auto changes = 1 + random() % 3; changes != 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size();
    const char fresh = likely[random() % likely.size()];
    switch (random() % 5) {
      case 0:
        text[at] = fresh;
        break;
      case 1:
        text.erase(at, 1 + random() % 3);
        break;
      case 2:
        text.insert(at, 1, fresh);
        break;
      case 3:
        text.insert(at, text.substr(random() % text.size(), random() % 12));
        break;
      default:
        text[at] = static_cast<char>(random());
        break;
    }
  }
  return text;
}

// Integers beyond 64 bits and exponents beyond double, which simdjson's tree refuses and JSON does not.
bool has_extreme_number(std::string_view text) {
  std::size_t digits = 0;
  char previous = 0;
  for (char character : text) {
    const bool digit = character >= '0' && character <= '9';
    if (digit && ++digits >= (previous == 'e' ? 3u : 19u)) return true;
    if (!digit && character != '+' && character != '-') previous = static_cast<char>(character | 0x20);
    if (!digit) digits = 0;
  }
  return false;
}

}  // namespace

// Both readers, with and without simdjson's first stage, accept the same texts with the same bytes and
// errors.
TEST(json_reader, results_do_not_depend_on_the_first_stage) {
  std::mt19937 random(7);
  const tl::type every = sample_type("Every");
  tl::from_json_options options;
  options.leniency.unknown = tl::on_unknown::drop;
  // simdjson's portable kernel validates UTF-8 in strings; elsewhere no value begins with such a byte.
  const bool in_strings_alone = simdjson::get_active_implementation()->name() == "fallback";
  std::size_t taken = 0;
  for (std::size_t i = 0; i < thriftlens_test::cases(60000u); ++i) {
    options.leniency.duplicates = i % 2 == 0 ? tl::on_duplicate::error : tl::on_duplicate::last;
    const std::string text = mutated(seeds[i % std::size(seeds)], random);
    const thriftlens_test::at_page_end page(text);
    const tl::result<tl::buffer> walked = read<tl::binary>(stage::never, every, page.text(), options);
    const tl::result<tl::buffer> staged = read<tl::binary>(stage::always, every, page.text(), options);
    if (in_strings_alone && !walked && walked.error().code() == tl::errc::invalid_utf8) {
      ASSERT_FALSE(staged) << text;
      continue;
    }
    ASSERT_EQ(walked ? "" : walked.error().what(), std::string(staged ? "" : staged.error().what())) << text;
    if (!walked) continue;
    ++taken;
    ASSERT_EQ(walked->text(), staged->text()) << text;
  }
  EXPECT_GT(taken, thriftlens_test::cases(500u));
}

// Our reader and simdjson's parser accept the same texts; unknown keys only, so that only syntax matters.
// Except numbers that simdjson's tree cannot represent.
TEST(json_reader, accepts_what_simdjson_accepts) {
  std::mt19937 random(8);
  simdjson::dom::parser parser;
  const tl::type empty = sample_type("Strict");
  const tl::from_json_options options{.leniency = {.unknown = tl::on_unknown::drop}};
  std::size_t taken = 0;
  for (std::size_t i = 0; i < thriftlens_test::cases(60000u); ++i) {
    const std::string inner = mutated(seeds[i % std::size(seeds)], random);
    const std::string text = R"({"must":1,"also":"","skipped":)" + inner + '}';
    const simdjson::error_code theirs = parser.parse(simdjson::padded_string(text)).error();
    const tl::result<tl::buffer> ours = read<tl::binary>(stage::always, empty, text, options);
    const bool known_key = !ours && (ours.error().code() != tl::errc::json_syntax &&
                                     ours.error().code() != tl::errc::invalid_utf8);
    if (known_key) continue;  // the change turned "must" or "also" into a known key
    if (theirs != simdjson::SUCCESS && ours && has_extreme_number(text)) continue;
    ASSERT_EQ(ours.has_value(), theirs == simdjson::SUCCESS) << text << '\n'
                                                             << (ours ? "" : ours.error().what()) << '\n'
                                                             << simdjson::error_message(theirs);
    taken += ours.has_value();
  }
  EXPECT_GT(taken, 500u);
}

class json_stages : public testing::TestWithParam<stage> {};
INSTANTIATE_TEST_SUITE_P(all, json_stages,
                         testing::Values(stage::from_256_bytes, stage::always, stage::never));

TEST_P(json_stages, have_the_same_bytes_and_errors) {
  const tl::type every = sample_type("Every");
  const auto good = read<tl::compact>(GetParam(), every, seeds[1], {});
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(good->text(), (read<tl::compact>(stage::never, every, seeds[1], {})->text()));
  const auto bad = read<tl::compact>(GetParam(), every, "{\"ints\":[1,\n\"2\"]}", {});
  ASSERT_FALSE(bad.has_value());
  EXPECT_STREQ(bad.error().what(), "expected i32, found string at $.ints[1] (byte 12, line 2 column 1)");
  EXPECT_EQ((read<tl::binary>(GetParam(), every, "{\"s\":\"\xff\"}", {}).error().code()),
            tl::errc::invalid_utf8);
  EXPECT_EQ((read<tl::binary>(GetParam(), every, "", {}).error().code()), tl::errc::json_syntax);
  EXPECT_EQ((read<tl::binary>(GetParam(), every, R"({"by_id":{"1":{},"0":{},"1":{}}})", {}).error().offset()),
            24u);
}
