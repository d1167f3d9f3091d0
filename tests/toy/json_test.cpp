// JSON from and to a protocol of a program's own is the JSON of Binary.
#include "toy/vectors.hpp"

#include <thriftlens/json.hpp>

namespace tl = thriftlens;
using namespace thriftlens_test;

TEST(toy_json, both_ways_as_binary) {
  int texts = 0;
  for_each_toy_vector([&](const toy_vector& vector) {
    for (const tl::to_json_options& options :
         {tl::to_json_options{}, tl::to_json_options{.format = {.enums = tl::enum_values::name}},
          tl::to_json_options{.defaults = tl::on_absent::write}}) {
      const auto expected = tl::try_to_json<tl::binary>(vector.type, vector.binary, options);
      const auto text = tl::try_to_json<toy>(vector.type, vector.bytes, options);
      ASSERT_EQ(static_cast<bool>(text), static_cast<bool>(expected));
      if (!text) {
        EXPECT_EQ(text.error().code(), expected.error().code());
        EXPECT_EQ(text.error().path(), expected.error().path());
        continue;
      }
      EXPECT_EQ(text->text(), expected->text());
      const auto bytes = tl::try_from_json<toy>(vector.type, text->text());
      const auto known = tl::try_from_json<tl::binary>(vector.type, text->text());
      ASSERT_EQ(static_cast<bool>(bytes), static_cast<bool>(known));
      if (!bytes) continue;
      EXPECT_EQ(as_binary(*bytes), known->str());
      ++texts;
    }
  });
  EXPECT_GT(texts, 500);
}
