#include <thriftlens/json/write/write_state.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

// Punctuation that all containers share, at every level.
TEST(json_write_state, brackets_commas_and_indentation) {
  const tl::type every = sample_type("Every");
  const char* const plain = R"({"ints":[],"bits":[[],[true]],"by_id":{},"by_point":[[{},"a"]]})";
  const tl::buffer bytes = tl::from_json<tl::compact>(every, plain);
  EXPECT_EQ(tl::to_json<tl::compact>(every, bytes).str(), plain);
  EXPECT_EQ(tl::to_json<tl::compact>(every, bytes, {.format = {.pretty = 1}}).str(),
            "{\n \"ints\": [],\n \"bits\": [\n  [],\n  [\n   true\n  ]\n ],\n \"by_id\": {},\n \"by_point\": "
            "[\n  [\n"
            "   {},\n   \"a\"\n  ]\n ]\n}");
}

TEST(json_write_state, an_error_leaves_the_buffer_unchanged) {
  const tl::type point = sample_type("Point");
  tl::buffer out(tl::byte_view("before", 6));
  const std::string cut("\x08\x00\x01\x00\x00", 5);
  const tl::result<void> status = tl::try_append_json<tl::binary>(point, cut, out);
  ASSERT_EQ(errc_of(status), tl::errc::truncated);
  EXPECT_EQ(status.error().path(), "$.x");
  EXPECT_EQ(out.str(), "before");
}
