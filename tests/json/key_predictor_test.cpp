#include <thriftlens/json/read/key_predictor.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {

// Names of the fields whose keys the predictor matches, "?" for others; values have one digit.
std::string predicted(tl::detail::key_predictor& predictor, const tl::type& type,
                      const std::string& members) {
  const std::string text = members + "," + std::string(40, ' ');
  tl::detail::text_source in;
  const std::uint8_t* at = nullptr;
  EXPECT_EQ(in.open(text, at), tl::errc::ok);
  const tl::schema_image& image = *type.image();
  auto keys = predictor.keys_of(image.structs[type.node().first]);
  std::string names;
  predictor.expect_next(keys);
  bool known = predictor.take_any(in, at, keys);
  for (;;) {
    if (!known) return names + "?";
    names += std::string(image.view(image.field_texts[keys.field].name)) + " ";
    ++at;
    predictor.expect_next(keys);
    known = predictor.take_expected(in, at, keys);
    if (known) continue;
    if (*at != ',' || at[1] == ' ') return names;
    ++at;
    known = predictor.take_any(in, at, keys);
  }
}

}  // namespace

TEST(key_predictor, finds_keys_in_any_order) {
  const tl::type type = sample_type("Every");
  tl::detail::key_predictor predictor(*type.image(), tl::json_names::field);
  EXPECT_EQ(predicted(predictor, type, R"("b":1,"i8":2,"i16":3)"), "b i8 i16 ");
  for (int round = 0; round < 3; ++round)
    EXPECT_EQ(predicted(predictor, type, R"("i64":1,"b":2,"d":3,"i8":4)"), "i64 b d i8 ");
}

TEST(key_predictor, declines_keys_with_other_spellings) {
  const tl::type type = sample_type("Every");
  tl::detail::key_predictor predictor(*type.image(), tl::json_names::field);
  EXPECT_EQ(predicted(predictor, type, R"("b" :1)"), "?");
  EXPECT_EQ(predicted(predictor, type, R"("\u0062":1)"), "?");
  EXPECT_EQ(predicted(predictor, type, R"("b":1,"nobody":1)"), "b ?");
  EXPECT_EQ(predicted(predictor, type, R"("")"), "?");
}

TEST(key_predictor, uses_aliases_by_option) {
  const tl::type type = sample_type("Named");
  const tl::schema_image& image = *type.image();
  tl::detail::key_predictor predictor(image, tl::json_names::alias);
  EXPECT_EQ(predicted(predictor, type, R"("o":1,"userId":2,"plain":3)"), "other user_id plain ");
  EXPECT_EQ(predicted(predictor, type, R"("user_id":1)"), "?");
  const tl::detail::image::struct_node& node = image.structs[type.node().first];
  tl::detail::key_predictor both(image, tl::json_names::both);
  EXPECT_EQ(both.find(node, "userId"), node.fields.begin);
  EXPECT_EQ(both.find(node, "user_id"), node.fields.begin);
  EXPECT_EQ(predictor.find(node, "user_id"), tl::detail::image::none);
}
