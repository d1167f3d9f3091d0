#include <thriftlens/rpc/call.hpp>

#include "rpc/shop_service.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;
namespace apache_wire = apache::thrift::protocol;

template <class P>
struct call_of : testing::Test {};
TYPED_TEST_SUITE(call_of, protocols);

TYPED_TEST(call_of, equals_apaches_bytes) {
  const std::string arguments = encode<TypeParam>(structure({{1, i64(5)}}));
  const std::string expected = apache_message<TypeParam>("find", apache_wire::T_CALL, 9, arguments);
  const tl::wire_bytes value{arguments};
  EXPECT_EQ(tl::write_call<TypeParam>(shop_function("find"), value, 9).str(), expected);
  EXPECT_EQ(tl::write_call<TypeParam>(shop_function("find"), value, 9, tl::transport_id::framed).str(),
            in_frame(expected));
  EXPECT_EQ(tl::write_call<TypeParam>(shop_function("ping"), tl::no_value{}, -1).str(),
            apache_message<TypeParam>("ping", apache_wire::T_CALL, -1, std::string(1, '\0')));
  const std::string line = encode<TypeParam>(structure({{1, text("x")}}));
  EXPECT_EQ(tl::write_call<TypeParam>(shop_function("log"), tl::wire_bytes{line}).str(),
            apache_message<TypeParam>("log", apache_wire::T_ONEWAY, 0, line));
}

TYPED_TEST(call_of, refusals) {
  const auto streams = tl::try_write_call<TypeParam>(shop_function("watch"), tl::no_value{});
  EXPECT_EQ(streams.error().code(), errc::streaming);
  EXPECT_NE(std::string(streams.error().what()).find("server"), std::string::npos);
  EXPECT_EQ(tl::try_write_call<TypeParam>(shop_function("ping"), tl::no_value{}, 0, tl::transport_id::sasl)
                .error()
                .code(),
            errc::bad_option);
  EXPECT_EQ(tl::try_read_reply<TypeParam>(shop_function("log"), 0, bytes_of("")).error().code(),
            errc::wrong_type);
}

TYPED_TEST(call_of, replies_to_other_calls_are_errors) {
  const tl::function_info find = shop_function("find");
  const std::string body = encode<TypeParam>(structure({{0, structure({{1, i64(5)}})}}));
  const auto fault = [&](const char* name, apache_wire::TMessageType kind, int id) {
    return tl::try_read_reply<TypeParam>(find, 9, bytes_of(apache_message<TypeParam>(name, kind, id, body)))
        .error();
  };
  const auto code = [&](const char* name, apache_wire::TMessageType kind, int id) {
    return fault(name, kind, id).code();
  };
  EXPECT_EQ(fault("find", apache_wire::T_REPLY, 8).detail(), "expected a reply with sequence id 9, found 8");
  EXPECT_EQ(fault("fu\x1bnd", apache_wire::T_REPLY, 9).detail(),
            R"(expected a reply to find, found one to 'fu\u001bnd')");
  EXPECT_EQ(code("find", apache_wire::T_REPLY, 8), errc::bad_sequence_id);
  EXPECT_EQ(code("fund", apache_wire::T_REPLY, 9), errc::wrong_method_name);
  EXPECT_EQ(code("find", apache_wire::T_CALL, 9), errc::bad_message);
  const std::string good = in_frame(apache_message<TypeParam>("find", apache_wire::T_REPLY, 9, body));
  const auto reply = tl::read_reply<TypeParam>(find, 9, good, tl::transport_id::framed);
  EXPECT_EQ(reply.value["id"].template as<std::int64_t>(), 5);
}

TYPED_TEST(call_of, application_exception) {
  const std::string bytes = apache_exception<TypeParam>(
      "find", 9, {apache::thrift::TApplicationException::INTERNAL_ERROR, "broken"});
  const auto reply = tl::read_reply<TypeParam>(shop_function("find"), 9, bytes);
  EXPECT_FALSE(reply);
  EXPECT_EQ(reply.kind, tl::reply_kind::application);
  EXPECT_EQ(reply.refusal, (tl::application_exception{"broken", tl::application_error::internal_error}));
}

TYPED_TEST(call_of, a_multiplexed_server) {
  const tl::function_info find = shop_function("find");
  const std::string arguments = encode<TypeParam>(structure({{1, i64(5)}}));
  const tl::wire_bytes value{arguments};
  EXPECT_EQ(tl::write_call<TypeParam>(find, value, 9, tl::transport_id::buffered, "Depot").str(),
            apache_message<TypeParam>("Depot:find", apache_wire::T_CALL, 9, arguments));
  tl::buffer out;
  tl::append_call<TypeParam>(find, value, {.sequence_id = 9, .service = "Depot"}, out);
  EXPECT_EQ(out.str(), apache_message<TypeParam>("Depot:find", apache_wire::T_CALL, 9, arguments));
  const std::string body = encode<TypeParam>(structure({{0, structure({{1, i64(5)}})}}));
  const auto code = [&](const char* name, std::string_view service) {
    const std::string bytes = apache_message<TypeParam>(name, apache_wire::T_REPLY, 9, body);
    const auto reply = tl::try_read_reply<TypeParam>(find, 9, bytes, tl::transport_id::buffered, service);
    return reply ? errc::ok : reply.error().code();
  };
  EXPECT_EQ(code("find", "Depot"), errc::ok) << "as Apache's servers answer";
  EXPECT_EQ(code("Depot:find", "Depot"), errc::ok);
  EXPECT_EQ(code("Shop:find", "Depot"), errc::wrong_method_name);
  EXPECT_EQ(code("Depot:find", {}), errc::wrong_method_name);
}
