#include <thriftlens/json/bound.hpp>

#include "codec/sample.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tl = thriftlens;

namespace {
struct order {
  std::int64_t id = 0;
  std::string user;
  std::vector<std::byte> token;
  std::optional<double> price;
};
}  // namespace
template <>
struct tl::binding<order> : tl::fields<tl::field<1, &order::id, tl::required>, tl::field<4, &order::user, tl::named("user-name")>,
                                       tl::field<2, &order::token>, tl::field<3, &order::price>> {};

TEST(json_bound, a_struct_is_json_without_a_schema_file) {
  const tl::bound_json<order> json;
  EXPECT_EQ(json.to_json({7, "anna", {std::byte{1}, std::byte{2}}, 0.5}).text(), R"({"id":7,"token":"AQI=","price":0.5,"user-name":"anna"})");
  const order back = json.from_json(R"({"user-name": "bob", "id": -1, "token": "", "price": null})");
  EXPECT_EQ(back.id, -1);
  EXPECT_EQ(back.user, "bob");
  EXPECT_FALSE(back.price.has_value());
}

TEST(json_bound, everything_comes_back) {
  const tl::bound_json<sample::tree> json;
  const tl::buffer text = json.to_json(sample::full());
  const tl::buffer again = json.to_json(json.from_json(text));
  EXPECT_EQ(again.text(), text.text());
  EXPECT_NE(text.text().find(R"("either":{"member_2":{"a":6,"b":"six"}})"), std::string::npos) << text.text();
}

TEST(json_bound, errors_are_those_of_reader_and_writer) {
  const tl::bound_json<order> json;
  EXPECT_EQ(json.try_from_json(R"({"id": 1, "idd": 2})").error().code(), tl::errc::unknown_key);
  EXPECT_EQ(json.try_from_json(R"({"user-name": "x"})").error().code(), tl::errc::missing_required);
  EXPECT_EQ(json.try_to_json({1, "\xff", {}, {}}).error().code(), tl::errc::invalid_utf8);
}
