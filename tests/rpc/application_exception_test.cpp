#include <thriftlens/rpc/application_exception.hpp>

#include "rpc/shop_service.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

template <class P>
struct application_exception_of : testing::Test {};
TYPED_TEST_SUITE(application_exception_of, protocols);

TYPED_TEST(application_exception_of, equals_apaches_bytes) {
  const apache::thrift::TApplicationException theirs(apache::thrift::TApplicationException::UNKNOWN_METHOD,
                                                     "no such");
  const std::string message = apache_exception<TypeParam>("x", 1, theirs);
  tl::buffer ours;
  tl::append_application_exception<TypeParam>("no such", tl::application_error::unknown_method, ours);
  EXPECT_TRUE(message.ends_with(ours.text()));
  const tl::application_exception read = tl::read_application_exception<TypeParam>(ours);
  EXPECT_EQ(read, (tl::application_exception{"no such", tl::application_error::unknown_method}));
  tl::append_application_exception<TypeParam>(ours.text(), tl::application_error::unknown_method, ours);
  EXPECT_NE(ours.text().rfind("no such"), ours.text().find("no such"));  // the message lay in the output
}

TYPED_TEST(application_exception_of, other_fields_are_skipped) {
  const std::string bytes = encode<TypeParam>(
      structure({{1, i64(1)}, {9, text("x")}, {2, i32(77)}, {3, structure({{1, boolean(true)}})}}));
  const tl::application_exception read = tl::read_application_exception<TypeParam>(bytes);
  EXPECT_EQ(read.message, "");
  EXPECT_EQ(static_cast<int>(read.code), 77);
  EXPECT_EQ(tl::to_string(read.code), "unknown");
  EXPECT_EQ(tl::try_read_application_exception<TypeParam>(bytes_of(bytes + "x")).error().code(),
            errc::trailing_bytes);
  EXPECT_EQ(tl::try_read_application_exception<TypeParam>(bytes_of("")).error().code(), errc::truncated);
}
