// The sample vectors, as JSON in both directions, at every SIMD level of this processor.
#include <thriftlens/json.hpp>
#include <thriftlens/schema/schema.hpp>

#include "simd/bodies.hpp"
#include "support/shared.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"

#include <iterator>

namespace {

struct outcome {
  tl::errc code = tl::errc::ok;
  std::size_t offset = 0;
  std::string text;
  friend bool operator==(const outcome&, const outcome&) = default;
};
outcome outcome_of(const tl::result<tl::buffer>& output) {
  if (!output) return {output.error().code(), output.error().offset(), {}};
  return {tl::errc::ok, 0, std::string(output->text())};
}

// A vector as JSON and, if possible, its JSON as bytes again.
struct both_ways {
  outcome json, bytes;
};
both_ways run(tl::protocol_id protocol, tl::type type, const std::string& raw) {
  tl::to_json_options out;
  out.leniency.nonfinite = tl::json_nonfinite::string;
  tl::from_json_options in;
  in.leniency.nonfinite = tl::json_nonfinite::string;
  both_ways full;
  full.json = outcome_of(tl::try_to_json(protocol, type, raw, out));
  if (full.json.code == tl::errc::ok)
    full.bytes = outcome_of(tl::try_from_json(protocol, type, full.json.text, in));
  return full;
}

// Calls use(name, protocol, type, bytes) for vectors below 64 KiB.
template <class Use>
void for_each_vector(Use use) {
  std::map<std::string, tl::schema> schemas;
  for (const char* name : {"open", "uuids"})
    schemas.emplace(
        name, tl::schema::load((thriftlens_test::vectors_dir() / (std::string(name) + ".thrift")).string()));
  for (const auto& single : thriftlens_test::valid_vectors()) {
    const tl::type type = schemas.at(single.schema).type(single.structure);
    if (single.binary.size() >= 65536) continue;
    use(single.id, tl::protocol_id::binary, type, single.binary);
    use(single.id, tl::protocol_id::compact, type, single.compact);
  }
  for (const auto& single : thriftlens_test::malicious_vectors())
    if (single.bytes.size() < 65536)
      use(single.id, *tl::detail::find_protocol(single.protocol),
          schemas.at(single.schema).type(single.structure), single.bytes);
}

}  // namespace

TEST(json_levels, all_instruction_sets_agree_on_vectors) {
  int vectors = 0, levels = 0;
  thriftlens_test::for_each_level([&](const char*) { ++levels; });
  for_each_vector(
      [&](const std::string& id, tl::protocol_id protocol, tl::type type, const std::string& raw) {
        ++vectors;
        const both_ways expected = run(protocol, type, raw);
        thriftlens_test::for_each_level([&](const char* level) {
          const both_ways actual = run(protocol, type, raw);
          EXPECT_TRUE(actual.json == expected.json) << id << " at " << level << ": JSON";
          EXPECT_TRUE(actual.bytes == expected.bytes) << id << " at " << level << ": bytes";
        });
      });
  EXPECT_GT(vectors, 600);
  EXPECT_GE(levels, 1);
}

// Strings and blobs of every length at every instruction set, in a struct with other fields.
TEST(json_levels, all_instruction_sets_agree_on_strings_of_every_length) {
  const tl::schema schema =
      tl::schema::parse("struct T { 1: string s, 2: binary b, 3: list<i64> l, 4: double d }");
  const tl::type type = schema.type("T");
  const std::string pieces[] = {"x",   "\\\"", "\\u0001",          "\xc3\xa9",
                                "\\n", "\\\\", "\xf0\x9f\x98\x80", "plain text without end "};
  for (std::size_t size = 0; size <= 130; ++size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += pieces[(i * 7 + size) % std::size(pieces)];
    const std::string json = "{\"s\":\"" + text + "\",\"l\":[" + std::string(size % 5, '1') +
                             "1,-9223372036854775808],\"d\":-12.5}";
    const tl::result<tl::buffer> expected = tl::try_from_json(tl::protocol_id::compact, type, json);
    ASSERT_TRUE(expected.has_value()) << expected.error().what();
    thriftlens_test::for_each_level([&](const char* level) {
      const tl::result<tl::buffer> bytes = tl::try_from_json(tl::protocol_id::compact, type, json);
      ASSERT_TRUE(bytes.has_value()) << level;
      ASSERT_EQ(bytes->text(), expected->text()) << level << ' ' << size;
      ASSERT_EQ(tl::to_json<tl::compact>(type, bytes->text()).str(), json) << level << ' ' << size;
    });
  }
}

// A point or an exponent at every byte of a block, in values that are read and in one that is skipped.
TEST(json_levels, all_instruction_sets_agree_on_numbers_of_every_length) {
  const tl::schema schema = tl::schema::parse("struct T { 1: double d, 2: i64 n }");
  const tl::type type = schema.type("T");
  for (std::size_t size = 1; size <= 100; ++size) {
    const std::string digits = "1000000000000000019884624838656" + std::string(100, '7');
    for (const char* suffix : {"", ".0", ".", ".5e1", "e0", "e", "e-90", "-"}) {
      for (const char* key : {"d", "n", "skipped"}) {
        const std::string json = std::string("{\"") + key + "\":" + digits.substr(0, size) + suffix + "}";
        const bool is_number = std::string_view(suffix) != "." && std::string_view(suffix) != "e" &&
                               std::string_view(suffix) != "-";
        outcome first;
        bool is_first = true;
        thriftlens_test::for_each_level([&](const char* level) {
          const outcome actual = outcome_of(
              tl::try_from_json<tl::binary>(type, json, {.leniency = {.unknown = tl::on_unknown::drop}}));
          ASSERT_EQ(actual.code != tl::errc::json_syntax, is_number) << level << ' ' << json;
          if (std::exchange(is_first, false)) first = actual;
          ASSERT_TRUE(actual == first) << level << ' ' << json;
        });
        if (HasFatalFailure()) return;
      }
    }
  }
}
