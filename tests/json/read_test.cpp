#include <thriftlens/json/read/read.hpp>

#include "json/samples.hpp"
#include "support/cases.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {

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
    const tl::result<tl::buffer> ours = tl::try_from_json<tl::binary>(empty, text, options);
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

TEST(json_reader, errors_have_a_position) {
  const tl::type every = sample_type("Every");
  const auto bad = tl::try_from_json<tl::compact>(every, "{\"ints\":[1,\n\"2\"]}");
  ASSERT_FALSE(bad.has_value());
  EXPECT_STREQ(bad.error().what(), "expected i32, found string at $.ints[1] (byte 12, line 2 column 1)");
  EXPECT_EQ(tl::try_from_json<tl::binary>(every, "").error().code(), tl::errc::json_syntax);
  EXPECT_EQ(tl::try_from_json<tl::binary>(every, R"({"by_id":{"1":{},"0":{},"1":{}}})").error().offset(),
            24u);
}
