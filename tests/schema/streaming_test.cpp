#include <thriftlens/schema/streaming.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/describe.hpp>
#include <thriftlens/schema/schema.hpp>
#include <thriftlens/schema/service.hpp>

using tl::streaming_mode;

namespace {

TEST(streaming, values_of_the_annotation) {
  streaming_mode mode{};
  for (const streaming_mode each :
       {streaming_mode::client, streaming_mode::server, streaming_mode::bidirectional}) {
    EXPECT_TRUE(tl::detail::parse_streaming(tl::to_string(each), mode));
    EXPECT_EQ(mode, each);
  }
  EXPECT_TRUE(tl::detail::parse_streaming("unary", mode));
  EXPECT_EQ(mode, streaming_mode::none);
  EXPECT_FALSE(tl::detail::parse_streaming("Client", mode));
  EXPECT_EQ(mode, streaming_mode::bidirectional);
}

TEST(streaming, of_functions) {
  const tl::schema schema = tl::schema::parse(R"(
    struct M { 1: string text }
    service Echo {
      M both(1: M m) (streaming.mode = "bidirectional")
      M up(1: M m) (streaming.mode = "client")
      M down(1: M m) (streaming.mode = "server")
      M one(1: M m) (streaming.mode = "unary")
      M plain(1: M m)
      M odd(1: M m) (streaming.mode = "duplex")
    }
  )");
  const tl::service_info echo = schema.service("Echo");
  EXPECT_EQ(echo.function("both").streaming(), streaming_mode::bidirectional);
  EXPECT_EQ(echo.function("up").streaming(), streaming_mode::client);
  EXPECT_EQ(echo.function("down").streaming(), streaming_mode::server);
  EXPECT_EQ(echo.function("one").streaming(), streaming_mode::none);
  EXPECT_EQ(echo.function("plain").streaming(), streaming_mode::none);
  EXPECT_EQ(echo.function("odd").streaming(), streaming_mode::bidirectional);
  ASSERT_EQ(schema.warnings().size(), 1u);
  EXPECT_EQ(schema.warnings()[0].kind, "streaming-mode");
  EXPECT_EQ(schema.warnings()[0].line, 9u);
  const std::string json = tl::describe_json(schema);
  EXPECT_NE(json.find(R"("name":"up","oneway":false,"streaming":"client")"), std::string::npos) << json;
}

}  // namespace
