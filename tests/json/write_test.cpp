#include <thriftlens/json/write/write.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {
// A value read from JSON and written again.
template <class Protocol>
std::string there_and_back(const char* type, std::string_view json, const tl::to_json_options& options = {}) {
  const tl::type of = sample_type(type);
  tl::from_json_options in;
  in.leniency.nonfinite = tl::json_nonfinite::string;
  const tl::buffer bytes = tl::from_json<Protocol>(of, json, in);
  tl::buffer out;
  const tl::limits bounds;
  const tl::result<void> status =
      tl::detail::json_writer<Protocol>(bytes, *of.image(), out, options, bounds).run(of);
  return status ? out.str() : status.error().what();
}
}  // namespace

template <class Protocol>
class json_writer : public testing::Test {};
TYPED_TEST_SUITE(json_writer, protocols);

TYPED_TEST(json_writer, writes_every_type) {
  const std::string_view texts[] = {
      R"({})",
      R"({"b":true,"i8":-128,"i16":-32768,"i32":2147483647,"i64":-9223372036854775808,"d":1.5,"s":"ä\n","bin":"AAECAw==","color":5})",
      R"({"b":false,"id":"00112233-4455-6677-8899-aabbccddeeff","point":{"x":1,"y":-2},"ints":[1,2,3],"names":["a","b"]})",
      R"({"by_name":{"a":1,"b":2},"by_id":{"-1":{"x":1},"10":{}},"by_point":[[{"x":1},"a"],[{"y":2},"b"]],"bits":[[true,false],[]]})",
      R"({"by_bool":{"false":1,"true":2},"by_double":{"-0.0":1,"1.5":2},"by_binary":{"":1,"AA==":2},"by_color":{"0":1,"77":2}})",
      R"({"by_uuid":{"00112233-4455-6677-8899-aabbccddeeff":1},"by_long":{"9223372036854775807":"x"},"pick":{"p":{"x":1}}})",
      R"({"points":[{},{"x":1},{"y":2}],"doubles":[0.1,1e+300],"picks":{"1":[{"i":1},{}],"2":[]},"by_list":[[[1,2],3],[[],4]]})",
      R"({"by_short":{"-5":-6},"blobs":["","AA=="],"colors":[0,1,99]})",
  };
  for (std::string_view text : texts) EXPECT_EQ(there_and_back<TypeParam>("Every", text), text);
}

TYPED_TEST(json_writer, pretty_text_is_indented_by_level) {
  EXPECT_EQ(
      there_and_back<TypeParam>(
          "Every",
          R"({"i32":1,"ints":[1,2],"by_id":{"3":{"x":1},"4":{}},"by_point":[[{"x":1},"a"]],"names":[]})",
          {.format = {.pretty = 2}}),
      R"({
  "i32": 1,
  "ints": [
    1,
    2
  ],
  "by_id": {
    "3": {
      "x": 1
    },
    "4": {}
  },
  "by_point": [
    [
      {
        "x": 1
      },
      "a"
    ]
  ],
  "names": []
})");
}

TYPED_TEST(json_writer, options_change_the_form_of_values) {
  const auto text = [](const char* type, std::string_view json, const tl::to_json_options& options) {
    return there_and_back<TypeParam>(type, json, options);
  };
  EXPECT_EQ(text("Every", R"({"color":5,"by_color":{"1":2,"9":3},"colors":[0,7]})",
                 {.format = {.enums = tl::enum_values::name}}),
            R"({"color":"BLUE","by_color":{"GREEN":2,"9":3},"colors":["RED",7]})");
  EXPECT_EQ(text("Every", R"({"i64":1,"by_long":{"2":"x"},"by_name":{"a":3}})",
                 {.format = {.int64 = tl::json_int64::string}}),
            R"({"i64":"1","by_long":{"2":"x"},"by_name":{"a":"3"}})");
  EXPECT_EQ(text("Every", R"({"d":"NaN","doubles":["Infinity","-Infinity"],"by_double":{"NaN":1}})",
                 {.leniency = {.nonfinite = tl::json_nonfinite::string}}),
            R"({"d":"NaN","doubles":["Infinity","-Infinity"],"by_double":{"NaN":1}})");
  EXPECT_EQ(text("Named", R"({"user_id":1,"plain":"p","other":2})", {.names = tl::json_names::alias}),
            R"({"userId":1,"plain":"p","o":2})");
  EXPECT_EQ(text("Defaults", R"({"b":false,"s":null})", {.defaults = tl::on_absent::write}),
            R"({"b":false,"a":7,"s":"x\"y","l":[1,2],"p":{"x":1}})");
  EXPECT_EQ(text("Defaults", "{}", {}), "{}");
}

TYPED_TEST(json_writer, nonfinite_numbers_are_an_error_with_path) {
  EXPECT_EQ(there_and_back<TypeParam>("Every", R"({"doubles":[1,"NaN"]})").substr(0, 61),
            "JSON has no numbers for NaN and Infinity at $.doubles[1] (byt");
}

// Repeated keys are searched for at 65536 entries and at every doubling.
TYPED_TEST(json_writer, duplicates_are_found_when_a_map_has_grown) {
  const tl::schema schema = tl::schema::parse(
      "struct K { 1: i32 k } struct M { 1: map<i32, bool> numbers, 2: map<K, bool> pairs }");
  const auto bytes_of = [](bool pairs, std::uint32_t count, std::uint32_t keys) {
    tl::buffer out;
    std::int16_t last = 0, inner = 0;
    out.commit(TypeParam::put_field(out.prepare(32), tl::ttype::map, pairs ? 2 : 1, last));
    out.commit(TypeParam::put_map(out.prepare(32),
                                  {pairs ? tl::ttype::struct_ : tl::ttype::i32, tl::ttype::bool_, count}));
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint8_t* at = out.prepare(64);
      inner = 0;
      if (pairs) at = TypeParam::put_field(at, tl::ttype::i32, 1, inner);
      at = TypeParam::put_i32(at, static_cast<std::int32_t>(keys - 1 - i % keys));
      if (pairs) *at++ = 0;
      out.commit(TypeParam::put_bool(at, i >= count - keys));
    }
    out.push_back(0);
    return out;
  };
  const auto write = [&](const tl::buffer& bytes, tl::to_json_options options, const tl::limits& bounds) {
    options.limits = bounds;
    return tl::try_to_json<TypeParam>(schema.type("M"), bytes, options);
  };
  constexpr std::uint32_t look = tl::detail::entry_marks::first_look;
  for (const bool pairs : {false, true}) {
    // The second of two equal keys: the last entry of the first lookup, the next one, one after the second
    // lookup.
    for (const std::uint32_t keys : {look - 1, look, 2 * look}) {
      const tl::buffer bytes = bytes_of(pairs, keys + 1, keys);
      const tl::result<tl::buffer> refused = write(bytes, {}, {});
      ASSERT_EQ(errc_of(refused), tl::errc::duplicate_key) << keys;
      tl::detail::path_builder path;
      path.field(pairs ? "pairs" : "numbers");
      if (pairs) {
        std::uint8_t key[32];
        std::int16_t inner = 0;
        std::uint8_t* end = TypeParam::put_field(key, tl::ttype::i32, 1, inner);
        end = TypeParam::put_i32(end, static_cast<std::int32_t>(keys - 1));
        *end++ = 0;
        path.wire_key({key, static_cast<std::size_t>(end - key)});
      } else {
        path.integer_key(keys - 1);
      }
      EXPECT_EQ(refused.error().path(), path.text());
    }
    EXPECT_TRUE(write(bytes_of(pairs, look + 1, look + 1), {}, {}).has_value());
    // Ten keys repeated 150000 times use memory for few entries at any time.
    tl::limits bounds;
    bounds.output_size = std::size_t{look} * (pairs ? 32 : 16);
    const tl::result<tl::buffer> retained =
        write(bytes_of(pairs, 150000, 10), {.leniency = {.duplicates = tl::on_duplicate::last}}, bounds);
    ASSERT_TRUE(retained.has_value()) << retained.error().what();
    const std::string_view last = pairs ? R"([{"k":0},true]]})" : R"("0":true}})";
    EXPECT_TRUE(retained->text().ends_with(last)) << retained->text();
    EXPECT_EQ(std::count(retained->text().begin(), retained->text().end(), 't'), 10) << retained->text();
    EXPECT_EQ(retained->text().find("false"), std::string_view::npos);
  }
}
