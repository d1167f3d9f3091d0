#include <thriftlens/rpc/answer.hpp>

#include <thriftlens/rpc/call.hpp>

#include "rpc/shop_service.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;
namespace apache_wire = apache::thrift::protocol;

template <class P>
struct answer_of : testing::Test {};
TYPED_TEST_SUITE(answer_of, protocols);

TYPED_TEST(answer_of, a_call_is_found_in_its_service) {
  const std::string arguments = encode<TypeParam>(structure({{1, i64(5)}}));
  const std::string bytes = apache_message<TypeParam>("find", apache_wire::T_CALL, 3, arguments);
  const std::string frame = in_frame(bytes);
  const auto call = tl::read_call<TypeParam>(shop_service(), frame, tl::transport_id::framed);
  EXPECT_EQ(call.function.name(), "find");
  EXPECT_EQ(call.header.sequence_id, 3);
  EXPECT_EQ(call.arguments["id"].template as<std::int64_t>(), 5);
  const std::string inherited =
      apache_message<TypeParam>("ping", apache_wire::T_CALL, 3, encode<TypeParam>(structure({})));
  EXPECT_EQ(tl::read_call<TypeParam>(shop_service(), inherited).function.name(), "ping");
}

TYPED_TEST(answer_of, invalid_calls) {
  const auto code = [](const char* name, apache_wire::TMessageType kind) {
    const std::string bytes = apache_message<TypeParam>(name, kind, 3, std::string(1, '\0'));
    return tl::try_read_call<TypeParam>(shop_service(), bytes).error().code();
  };
  EXPECT_EQ(code("fund", apache_wire::T_CALL), errc::unknown_name);
  EXPECT_EQ(code("find", apache_wire::T_REPLY), errc::bad_message);
  EXPECT_EQ(code("watch", apache_wire::T_CALL), errc::streaming);
}

TYPED_TEST(answer_of, replies_equal_apaches) {
  const std::string item = encode<TypeParam>(structure({{1, i64(5)}}));
  EXPECT_EQ(tl::write_reply<TypeParam>(shop_function("find"), tl::wire_bytes{item}, 4).str(),
            apache_message<TypeParam>("find", apache_wire::T_REPLY, 4,
                                      encode<TypeParam>(structure({{0, structure({{1, i64(5)}})}}))));
  EXPECT_EQ(tl::write_reply<TypeParam>(shop_function("has"), true, 4).str(),
            apache_message<TypeParam>("has", apache_wire::T_REPLY, 4,
                                      encode<TypeParam>(structure({{0, boolean(true)}}))));
  EXPECT_EQ(tl::write_reply<TypeParam>(shop_function("clear"), tl::no_value{}, 4).str(),
            apache_message<TypeParam>("clear", apache_wire::T_REPLY, 4, std::string(1, '\0')));
  const std::string why = encode<TypeParam>(structure({{1, text("7")}}));
  EXPECT_EQ(tl::write_thrown<TypeParam>(shop_function("find"), "missing", tl::wire_bytes{why}, {4}).str(),
            apache_message<TypeParam>("find", apache_wire::T_REPLY, 4,
                                      encode<TypeParam>(structure({{1, structure({{1, text("7")}})}}))));
  EXPECT_EQ(
      tl::write_exception<TypeParam>("x", {"m", tl::application_error::protocol_error}, {4}).str(),
      apache_exception<TypeParam>("x", 4, {apache::thrift::TApplicationException::PROTOCOL_ERROR, "m"}));
}

TYPED_TEST(answer_of, refusals) {
  const auto code = [](const auto& result) { return result.error().code(); };
  EXPECT_EQ(code(tl::try_write_reply<TypeParam>(shop_function("clear"), true)), errc::value_type);
  EXPECT_EQ(code(tl::try_write_reply<TypeParam>(shop_function("has"), tl::no_value{})), errc::value_type);
  EXPECT_EQ(code(tl::try_write_reply<TypeParam>(shop_function("has"), "x")), errc::value_type);
  EXPECT_EQ(code(tl::try_write_reply<TypeParam>(shop_function("log"), tl::no_value{})), errc::wrong_type);
  const auto& find = shop_function("find");
  EXPECT_EQ(code(tl::try_write_thrown<TypeParam>(find, "success", true)), errc::no_such_field);
  EXPECT_EQ(code(tl::try_write_thrown<TypeParam>(find, "mising", true)), errc::no_such_field);
}

TYPED_TEST(answer_of, calls_of_a_multiplexed_server) {
  static const tl::schema idl =
      tl::schema::parse("service Shop { i32 count() } service Depot { i32 count(), i32 size() }");
  const std::vector<tl::service_info> services{idl.service("Shop"), idl.service("Depot")};
  const auto called = [&](const char* name) {
    const std::string bytes = apache_message<TypeParam>(name, apache_wire::T_CALL, 9, std::string(1, '\0'));
    const auto call = tl::try_read_call<TypeParam>(services, bytes);
    if (!call) return std::string(call.error().detail());
    return call->service.name() + '.' + std::string(call->function.name());
  };
  EXPECT_EQ(called("Depot:count"), "Depot.count");
  EXPECT_EQ(called("Shop:count"), "Shop.count");
  EXPECT_EQ(called("count"), "Shop.count") << "the first that has it";
  EXPECT_EQ(called("size"), "Depot.size");
  EXPECT_EQ(called("Store:count"), "no service 'Store'; expected one of Shop, Depot");
  EXPECT_NE(called("Shop:size").find("no function 'size'"), std::string::npos) << called("Shop:size");
  const tl::function_info count = services[1].function("count");
  const std::int32_t value = 3;
  const std::string body = encode<TypeParam>(structure({{0, i32(3)}}));
  EXPECT_EQ(tl::write_reply<TypeParam>(count, value, 9).str(),
            apache_message<TypeParam>("count", apache_wire::T_REPLY, 9, body));
  EXPECT_EQ(tl::write_reply<TypeParam>(count, value, 9, tl::transport_id::buffered, "Depot").str(),
            apache_message<TypeParam>("Depot:count", apache_wire::T_REPLY, 9, body));
}
