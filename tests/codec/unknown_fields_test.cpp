#include <thriftlens/codec/unknown_fields.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/size.hpp>

namespace {
struct newer {
  std::int32_t known = 0;
  bool yes = false;
  bool no = true;
  std::map<std::string, std::vector<std::int64_t>> map;
  std::string text;
  double number = 0;
};
struct older {
  std::int32_t known = 0;
  tl::unknown_fields rest;
};
}  // namespace
template <>
struct tl::binding<newer>
    : tl::fields<tl::field<5, &newer::known>, tl::field<1, &newer::yes>, tl::field<2, &newer::no>,
                 tl::field<3, &newer::map>, tl::field<40, &newer::text>, tl::field<41, &newer::number>> {};
template <>
struct tl::binding<older> : tl::fields<tl::field<5, &older::known>, tl::keep_unknown<&older::rest>> {};

namespace {

// Through the older struct in one protocol and out of it in another.
template <class In, class Out>
void expect_unknown_fields() {
  const newer sent{1, true, false, {{"k", {1, -2}}}, "text", 2.5};
  tl::buffer first, second;
  tl::append_encoded<In>(sent, first);
  older between = tl::decode<older, In>(first);
  EXPECT_EQ(between.rest.size(), 5u);
  EXPECT_EQ(between.rest.protocol(), In::id);
  between.known = 9;
  tl::append_encoded<Out>(between, second);
  EXPECT_EQ(tl::encoded_size<Out>(between), second.size());
  const newer back = tl::decode<newer, Out>(second);
  EXPECT_EQ(back.known, 9);
  EXPECT_TRUE(back.yes);
  EXPECT_FALSE(back.no);
  EXPECT_EQ(back.map, sent.map);
  EXPECT_EQ(back.text, "text");
  EXPECT_EQ(back.number, 2.5);
  older repeated = between;
  tl::decode_into<In>(first, repeated);
  EXPECT_EQ(repeated.rest, between.rest) << "kept fields do not add up";
}

}  // namespace

TEST(unknown_fields, are_written_back_in_either_protocol) {
  expect_unknown_fields<tl::binary, tl::binary>();
  expect_unknown_fields<tl::compact, tl::compact>();
  expect_unknown_fields<tl::binary, tl::compact>();
  expect_unknown_fields<tl::compact, tl::binary>();
}

TEST(unknown_fields, entries_show_id_type_and_value) {
  tl::unknown_fields retained;
  EXPECT_TRUE(retained.empty());
  retained.add(tl::protocol_id::binary, {tl::ttype::i16, 4}, std::string_view("\x01\x02"));
  ASSERT_EQ(retained.size(), 1u);
  EXPECT_EQ(retained.entries()[0].id, 4);
  EXPECT_EQ(retained.value(retained.entries()[0]).text(), "\x01\x02");
  retained.clear();
  EXPECT_TRUE(retained.empty());
}

TEST(unknown_fields, are_errors_by_option) {
  tl::buffer bytes;
  tl::append_encoded(newer{}, bytes);
  struct nothing {};
  const auto actual = tl::try_decode<older>(bytes, {.unknown = tl::on_unknown::error});
  EXPECT_TRUE(actual) << "kept, so nothing is unknown";
}
