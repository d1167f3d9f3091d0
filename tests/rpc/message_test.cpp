#include <thriftlens/rpc/message.hpp>

#include "rpc/shop_service.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;
namespace apache_wire = apache::thrift::protocol;

template <class P>
struct message_of : testing::Test {};
TYPED_TEST_SUITE(message_of, protocols);

TYPED_TEST(message_of, header_and_body) {
  const std::string body = encode<TypeParam>(structure({{1, i64(5)}}));
  const std::string bytes = apache_message<TypeParam>("find", apache_wire::T_REPLY, -7, body);
  const tl::message read = tl::read_message<TypeParam>(bytes);
  EXPECT_EQ(read.header.name, "find");
  EXPECT_EQ(read.header.type, tl::message_type::reply);
  EXPECT_EQ(read.header.sequence_id, -7);
  EXPECT_EQ(read.body.text(), body);
  EXPECT_EQ(tl::try_read_message<TypeParam>(bytes_of(bytes + "x")).error().code(), errc::trailing_bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(tl::try_read_message<TypeParam>(std::string_view(bytes).substr(0, size)).error().code(),
              errc::truncated)
        << size;
}
