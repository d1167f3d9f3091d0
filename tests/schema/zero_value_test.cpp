#include <thriftlens/schema/zero_value.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/schema/schema.hpp>

namespace {

const tl::schema& idl() {
  static const tl::schema loaded = tl::schema::parse(R"(
enum Color { GREEN = 1 }
union Pick { 1: i32 i }
struct In { 1: required i32 x  2: optional i32 y  3: required string s = "d"  4: required bool b }
struct All {
  1: required bool b  2: required i8 i8  3: required i16 i16  4: required i32 i32  5: required i64 i64  6: required double d
  7: required string s  8: required binary bin  9: required Color color  10: required uuid id  11: required In in
  12: required list<In> ins  13: required set<i32> set  14: required map<string, In> map  15: required Pick pick
}
struct Left { 1: required Right right }
struct Right { 1: optional i32 i  2: required Left left }
struct W0 { 1: required i32 i }
struct W1 { 1: required W0 a  2: required W0 b  3: required W0 c  4: required W0 d }
struct W2 { 1: required W1 a  2: required W1 b  3: required W1 c  4: required W1 d }
)");
  return loaded;
}

template <class P>
struct zero : testing::Test {
  tl::buffer out;
  std::string path;
  tl::errc of(std::string_view type, std::string_view field, std::uint32_t depth = 64,
              std::size_t size = 1 << 20) {
    tl::detail::zero_writer<P> writer(*idl().type(type).image(), out, depth, size);
    const bool done = writer.field(idl().type(type).find_field(field).index());
    path = writer.steps().text() + ' ' + writer.message();
    return done ? tl::errc::ok : writer.code();
  }
};
TYPED_TEST_SUITE(zero, protocols);

}  // namespace

TYPED_TEST(zero, of_every_kind) {
  tl::buffer wanted;
  typename TypeParam::writer to(wanted);
  to.write_bool(false);
  to.write_i8(0);
  to.write_i16(0);
  to.write_i32(0);
  to.write_i64(0);
  to.write_double(0);
  to.write_bytes({});
  to.write_bytes({});
  to.write_i32(0);
  to.write_uuid({});
  for (const char* name : {"b", "i8", "i16", "i32", "i64", "d", "s", "bin", "color", "id"})
    EXPECT_EQ(this->of("All", name), tl::errc::ok) << name;
  EXPECT_EQ(this->out.text(), wanted.text());
}

TYPED_TEST(zero, of_containers_has_no_element_and_of_a_union_no_member) {
  tl::buffer wanted;
  typename TypeParam::writer to(wanted);
  to.write_list({tl::ttype::struct_, 0});
  to.write_set({tl::ttype::i32, 0});
  to.write_map({tl::ttype::string, tl::ttype::struct_, 0});
  to.write_stop();
  for (const char* name : {"ins", "set", "map", "pick"})
    EXPECT_EQ(this->of("All", name), tl::errc::ok) << name;
  EXPECT_EQ(this->out.text(), wanted.text());
}

TYPED_TEST(zero, of_a_struct_is_its_required_fields_with_their_defaults) {
  tl::buffer wanted;
  typename TypeParam::writer to(wanted);
  static_cast<void>(to.begin_struct());
  to.write_field(tl::ttype::i32, 1);
  to.write_i32(0);
  to.write_field(tl::ttype::string, 3);
  to.write_bytes(std::string_view("d"));
  to.write_field(tl::ttype::bool_, 4);
  to.write_bool(false);
  to.write_stop();
  EXPECT_EQ(this->of("All", "in"), tl::errc::ok);
  EXPECT_EQ(this->out.text(), wanted.text());
}

TYPED_TEST(zero, of_a_struct_that_requires_itself_is_an_error_at_once) {
  EXPECT_EQ(this->of("Left", "right", 1024), tl::errc::missing_required);
  EXPECT_EQ(this->path, "$.left.right Right requires itself and has no zero value");
  EXPECT_LT(this->out.size(), 64u);
}

TYPED_TEST(zero, is_bounded) {
  EXPECT_EQ(this->of("W2", "a", 1), tl::errc::depth_limit);
  EXPECT_EQ(this->of("W2", "a", 2), tl::errc::ok);
  EXPECT_EQ(this->of("W2", "a", 64, 8), tl::errc::output_limit);
}
