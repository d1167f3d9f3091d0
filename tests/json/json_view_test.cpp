#include <thriftlens/json.hpp>
#include <thriftlens/view/view.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

template <class Protocol>
class to_json_of_a_view : public testing::Test {};
TYPED_TEST_SUITE(to_json_of_a_view, protocols);

TYPED_TEST(to_json_of_a_view, writes_the_viewed_part) {
  const tl::type every = thriftlens_test::sample_type("Every");
  const tl::buffer bytes =
      tl::from_json<TypeParam>(every, R"({"b":true,"points":[{"x":1},{"y":2}],"by_name":{"a":5}})");
  const tl::view<TypeParam> complete(bytes, every);
  EXPECT_EQ(tl::to_json(complete).str(), R"({"b":true,"points":[{"x":1},{"y":2}],"by_name":{"a":5}})");
  EXPECT_EQ(tl::to_json(complete["points"][1]).str(), R"({"y":2})");
  EXPECT_EQ(tl::to_json(complete["by_name"]).str(), R"({"a":5})");
  EXPECT_EQ(tl::to_json(complete["b"]).str(), "true");
  EXPECT_FALSE(tl::try_to_json(complete["d"]).has_value());
}

TYPED_TEST(to_json_of_a_view, the_root_includes_all_bytes) {
  const tl::type point = thriftlens_test::sample_type("Point");
  const tl::buffer bytes = tl::from_json<TypeParam>(point, R"({"x":70000})");
  const std::string longer = bytes.str() + "more",
                    framed = std::string("\0\0\0", 3) + static_cast<char>(bytes.size()) + bytes.str();
  EXPECT_EQ(tl::try_to_json(tl::view<TypeParam>(longer, point)).error().code(), tl::errc::trailing_bytes);
  const tl::error fault = tl::try_to_json(tl::view<TypeParam>(framed, point)).error();
  EXPECT_EQ(fault.code(), tl::errc::trailing_bytes);
  EXPECT_NE(std::string_view(fault.what()).find("; the data looks like a 32-bit frame length before "),
            std::string_view::npos)
      << fault.what();
  using other = std::conditional_t<TypeParam::id == tl::protocol_id::binary, tl::compact, tl::binary>;
  const tl::error crossed = tl::try_to_json<other>(point, bytes).error();
  EXPECT_NE(std::string_view(crossed.what()).find("; the data looks like "), std::string_view::npos)
      << crossed.what();
}
