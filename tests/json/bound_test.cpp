#include <thriftlens/json/bound.hpp>

#include "codec/sample.hpp"
#include "support/test.hpp"

namespace {
struct order {
  std::int64_t id = 0;
  std::string user;
  std::vector<std::byte> token;
  std::optional<double> price;
};
struct counter {
  std::uint32_t hits = 0;
  std::vector<std::uint64_t> more;
};
}  // namespace
template <>
struct tl::binding<counter> : tl::numbered {};
template <>
struct tl::binding<order>
    : tl::fields<tl::field<1, &order::id, tl::required>, tl::field<4, &order::user, tl::named("user-name")>,
                 tl::field<2, &order::token>, tl::field<3, &order::price>> {};

TEST(json_bound, a_struct_is_json_without_a_schema_file) {
  const tl::bound_json<order> json;
  EXPECT_EQ(json.to_json({7, "anna", {std::byte{1}, std::byte{2}}, 0.5}).str(),
            R"({"id":7,"token":"AQI=","price":0.5,"user-name":"anna"})");
  const order back = json.from_json(R"({"user-name": "bob", "id": -1, "token": "", "price": null})");
  EXPECT_EQ(back.id, -1);
  EXPECT_EQ(back.user, "bob");
  EXPECT_FALSE(back.price.has_value());
}

TEST(json_bound, everything_round_trips) {
  const tl::bound_json<sample::tree> json;
  const tl::buffer text = json.to_json(sample::full());
  const tl::buffer second = json.to_json(json.from_json(text));
  EXPECT_EQ(second.text(), text.text());
  EXPECT_NE(text.text().find(R"("either":{"member_2":{"a":6,"b":"six"}})"), std::string::npos) << text.text();
}

TEST(json_bound, errors_are_those_of_reader_and_writer) {
  const tl::bound_json<order> json;
  EXPECT_EQ(json.try_from_json(R"({"id": 1, "idd": 2})").error().code(), tl::errc::unknown_key);
  EXPECT_EQ(json.try_from_json(R"({"user-name": "x"})").error().code(), tl::errc::missing_required);
  EXPECT_EQ(json.try_to_json({1, "\xff", {}, {}}).error().code(), tl::errc::invalid_utf8);
}

TEST(json_bound, an_unsigned_number_keeps_its_value_or_is_refused) {
  const tl::bound_json<counter> json;
  EXPECT_EQ(json.to_json({0x7fffffffu, {1}}).str(), R"({"hits":2147483647,"more":[1]})");
  for (const counter& beyond : {counter{3000000000u, {}}, counter{0, {0x8000000000000000u}}}) {
    const tl::result<tl::buffer> text = json.try_to_json(beyond);
    ASSERT_EQ(errc_of(text), tl::errc::value_range) << text->text();
    EXPECT_EQ(text.error().path(), beyond.hits != 0 ? "$.hits" : "$.more[0]");
  }
  EXPECT_EQ(json.from_json(R"({"hits":2147483647})").hits, 0x7fffffffu);
  EXPECT_EQ(json.try_from_json(R"({"hits":3000000000})").error().code(), tl::errc::integer_range);
  const tl::error negative = json.try_from_json(R"({"hits":-1294967296})").error();
  EXPECT_EQ(negative.code(), tl::errc::unfit_value);
  EXPECT_EQ(negative.path(), "$.hits");
}

template <class Json>
concept gives_its_type = requires(Json&& of) { std::forward<Json>(of).idl(); };
static_assert(gives_its_type<const tl::bound_json<counter>&> && !gives_its_type<tl::bound_json<counter>>);
