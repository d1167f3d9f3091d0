#include "places/places.hpp"

#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/to_json.hpp>

namespace {

using namespace thriftlens_test::places;

template <class P>
struct json_places : testing::Test {};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(json_places, protocols);

TYPED_TEST(json_places, to_json) {
  expect_places<TypeParam>(
      "to_json",
      [](const sample& of) {
        const tl::result<tl::buffer> outcome = tl::try_to_json<TypeParam>(box_type(), of.bytes);
        return outcome ? tl::error() : outcome.error();
      },
      sees_all);
}

// Values that a selection omits are skipped: an error in them has the same location.
TYPED_TEST(json_places, to_json_of_another_field) {
  const tl::selection selected = tl::selection::compile(box_type(), "{ n }");
  expect_places<TypeParam>(
      "to_json with a selection",
      [&](const sample& of) {
        const tl::result<tl::buffer> outcome =
            tl::try_to_json<TypeParam>(box_type(), of.bytes, {.select = &selected});
        return outcome ? tl::error() : outcome.error();
      },
      is_of_bytes);
}

/// The valid value of a sample as text, made invalid where its bytes are.
struct wrong_text {
  fault which;
  std::string_view sound, wrong;  // replaces the last `sound` in the text with `wrong`
  std::size_t at;                 // of the fault, from the begin of that
  errc code;
  std::string_view
      steps;  // below the path of the error in the bytes; the number of a key instead of its last step
};
constexpr wrong_text wrong_texts[] = {
    {fault::wrong_type, R"("n":7)", R"("n":"seven")", 4, errc::json_type, ""},
    {fault::wrong_elements, "[7]", "[[]]", 1, errc::json_type, "[0]"},
    {fault::wrong_set, "[7]", "[8,true]", 3, errc::json_type, "[1]"},
    {fault::wrong_values, R"({"k":7})", R"({"k":{}})", 5, errc::json_type, R"({"k"})"},
    {fault::truncated_text, R"("abcdef")", R"("abc\q")", 4, errc::json_syntax, ""},
    {fault::truncated_number, "300", "3e99", 0, errc::integer_range, ""},
    {fault::truncated_element, R"("second")", "true", 0, errc::json_type, ""},
    {fault::truncated_value, "300", "0.5", 0, errc::json_type, ""},
    {fault::truncated_value, R"("second":)", R"("\q":)", 1, errc::json_syntax, R"({key 1})"},
    {fault::duplicate_field, R"("n":1)", R"("n":1,"n":2)", 6, errc::duplicate_key, ""},
};

// The path is that of the bytes; the byte is one of the text.
TYPED_TEST(json_places, from_json) {
  for (const sample& item : samples<TypeParam>()) {
    for (const wrong_text& output : wrong_texts) {
      if (fault_of(item) != output.which) continue;
      std::string text = tl::to_json<TypeParam>(box_type(), item.sound).str();
      const std::size_t at = text.rfind(output.sound);
      ASSERT_NE(at, std::string::npos) << item.name << ": " << text;
      text.replace(at, output.sound.size(), output.wrong);
      const tl::result<tl::buffer> read = tl::try_from_json<TypeParam>(box_type(), text);
      ASSERT_FALSE(read) << item.name << ": " << text;
      const tl::error& log = read.error();
      const bool in_key = output.steps.starts_with("{key");
      const std::string path = in_key ? item.path.substr(0, item.path.rfind('{')) : item.path;
      EXPECT_EQ(log.code(), output.code) << item.name << ": " << log.what();
      EXPECT_EQ(log.path(), path + std::string(output.steps)) << item.name << ": " << text;
      EXPECT_EQ(log.source(), tl::error_source::json) << item.name;
      EXPECT_EQ(log.offset(), at + output.at) << item.name << ": " << text;
    }
  }
}

}  // namespace
