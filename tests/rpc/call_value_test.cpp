#include <thriftlens/rpc/call_value.hpp>

#include <thriftlens/codec/binding.hpp>

#include "rpc/shop_service.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {
struct find_arguments {
  std::int64_t id = 0;
  bool deep = false;
};
struct wrong_arguments {
  std::string id;
};
}  // namespace
template <>
struct thriftlens::binding<find_arguments>
    : fields<field<1, &find_arguments::id>, field<2, &find_arguments::deep>> {};
template <>
struct thriftlens::binding<wrong_arguments> : fields<field<1, &wrong_arguments::id>> {};

template <class P>
struct call_value_of : testing::Test {};
TYPED_TEST_SUITE(call_value_of, protocols);

TYPED_TEST(call_value_of, a_bound_struct_a_view_and_bytes) {
  const tl::type to = shop_function("find").arguments();
  const std::string bytes = encode<TypeParam>(structure({{1, i64(5)}, {2, boolean(true)}}));
  const auto written = [&](const auto& value) {
    tl::buffer out;
    EXPECT_TRUE(tl::detail::append_call_value<TypeParam>(out, to, value));
    return out.str();
  };
  EXPECT_EQ(written(find_arguments{5, true}), bytes);
  EXPECT_EQ(written(tl::view<TypeParam>(bytes, to)), bytes);
  EXPECT_EQ(written(tl::wire_bytes{bytes}), bytes);
  EXPECT_EQ(written(tl::no_value{}), std::string(1, '\0'));
}

TYPED_TEST(call_value_of, values_of_another_type_are_rejected) {
  const tl::type to = shop_function("find").arguments();
  tl::buffer out;
  const auto code = [&](const auto& value) {
    return tl::detail::append_call_value<TypeParam>(out, to, value).error().code();
  };
  EXPECT_EQ(code(wrong_arguments{"x"}), errc::type_mismatch);
  EXPECT_EQ(code(tl::wire_bytes{std::string_view("\xff")}), errc::bad_ttype);
  EXPECT_EQ(code(5), errc::value_type);
}

TYPED_TEST(call_value_of, every_kind_of_value_is_checked_before_it_is_sent) {
  using P = TypeParam;
  const tl::schema idl = tl::schema::parse(R"(
    struct User { 1: required i64 id, 2: string name }
    struct Lax { 1: optional i64 id, 2: string name }
    exception Missing { 1: required i64 id }
    service S { User f(1: User user) throws (1: Missing missing)  void g(1: required i64 id) }
  )");
  const tl::function_info f = idl.service("S").function("f"), g = idl.service("S").function("g");
  tl::buffer stop;
  stop.push_back(0);  // a struct without fields, in both protocols
  const tl::wire_bytes empty{stop};
  const tl::view<P> view(stop, idl.type("User"));
  EXPECT_EQ(tl::try_write_call<P>(g, tl::no_value{}).error().code(), tl::errc::missing_required);
  EXPECT_EQ(tl::try_write_call<P>(g, empty).error().code(), tl::errc::missing_required);
  EXPECT_EQ(tl::try_write_call<P>(g, tl::view<P>(stop, g.arguments())).error().code(),
            tl::errc::missing_required);
  EXPECT_EQ(tl::try_write_reply<P>(f, empty).error().code(), tl::errc::missing_required);
  EXPECT_EQ(tl::try_write_reply<P>(f, view).error().code(), tl::errc::missing_required);
  EXPECT_EQ(tl::try_write_reply<P>(f, tl::view<P>(stop, idl.type("Lax"))).error().code(),
            tl::errc::value_type);
  EXPECT_EQ(tl::try_write_thrown<P>(f, "missing", empty).error().code(), tl::errc::missing_required);
  EXPECT_EQ(tl::try_write_thrown<P>(f, "missing", tl::view<P>(stop, idl.type("Missing"))).error().path(),
            "$.id");
}
