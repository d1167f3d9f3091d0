#include <thriftlens/codec/aggregate.hpp>

#include "support/test.hpp"

#include <variant>

namespace codec = thriftlens::detail::codec;

namespace {
struct none {};
struct many {
  int number;
  std::string text;
  std::optional<std::string> maybe;
  std::vector<many> kids;
  std::unique_ptr<many> next;
  std::array<int, 3> three;
  std::map<int, std::string> map;
  std::variant<std::monostate, int> either;
  bool last = true;
};
struct wide {
  int a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22,
      a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43,
      a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64;
};
}  // namespace

TEST(codec_aggregate, members_are_counted) {
  EXPECT_EQ(codec::member_count<none>, 0u);
  EXPECT_EQ(codec::member_count<many>, 9u);
  EXPECT_EQ(codec::member_count<wide>, 64u);
}

TEST(codec_aggregate, references_refer_to_the_members) {
  many object{};
  std::get<1>(codec::tie_members(object)) = "set";
  EXPECT_EQ(object.text, "set");
  const many& fixed = object;
  EXPECT_EQ(&std::get<8>(codec::tie_members(fixed)), &object.last);
  wide other{};
  std::get<63>(codec::tie_members(other)) = 64;
  EXPECT_EQ(other.a64, 64);
}

TEST(codec_aggregate, names_come_from_the_compiler) {
  EXPECT_EQ((codec::aggregate_member_name<many, 0>), "number");
  EXPECT_EQ((codec::aggregate_member_name<many, 4>), "next");
  EXPECT_EQ((codec::aggregate_member_name<many, 8>), "last");
  EXPECT_EQ((codec::aggregate_member_name<wide, 63>), "a64");
}
