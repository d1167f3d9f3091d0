#include <thriftlens/transport/sasl.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::string_literals;
using state = detail::sasl_answer::state;

TEST(sasl, a_client_sends_its_credentials) {
  detail::sasl_negotiation client;
  EXPECT_FALSE(client.has_begun());
  buffer out;
  client.begin_client({.user = "me", .password = "pw"}, out);
  EXPECT_TRUE(client.has_begun());
  EXPECT_EQ(out.str(), "\1\0\0\0\5PLAIN\2\0\0\0\6\0me\0pw"s);
  out.clear();
  client.begin_client({}, out);
  EXPECT_EQ(out.str(), "\1\0\0\0\5PLAIN\2\0\0\0\x14\0anonymous\0anonymous"s);
  EXPECT_EQ(client.take_as_client(5, "").status, state::complete);
  EXPECT_EQ(client.take_as_client(2, "").status, state::pending);
  EXPECT_EQ(client.take_as_client(3, "no").message, "the server refuses: no");
  EXPECT_EQ(client.take_as_client(4, "no").status, state::refused);
  EXPECT_EQ(client.take_as_client(1, "PLAIN").status, state::unexpected);
}

TEST(sasl, a_server_checks_credentials) {
  const auto outcome = [](const sasl_credentials& demanded, const std::string& response) {
    detail::sasl_negotiation server;
    server.begin_server(demanded);
    buffer out;
    EXPECT_EQ(server.take_as_server(1, "PLAIN", out).status, state::pending);
    EXPECT_TRUE(out.empty());
    const detail::sasl_answer answer = server.take_as_server(2, response, out);
    if (answer.status == state::complete) {
      EXPECT_EQ(out.str(), "\5\0\0\0\0"s);
      return std::string(server.user()) + "/" + std::string(server.password());
    }
    EXPECT_EQ(out.str().substr(0, 1), "\3");
    return answer.message;
  };
  EXPECT_EQ(outcome({.anyone = true}, "\0me\0pw"s), "me/pw");
  EXPECT_EQ(outcome({.anyone = true}, "other\0me\0"s), "me/");
  EXPECT_EQ(outcome({}, "\0me\0pw"s), "wrong user or password");
  EXPECT_EQ(outcome({.user = "", .password = "pw"}, "\0me\0pw"s), "wrong user or password");
  EXPECT_EQ(outcome({.user = "me", .password = "pw"}, "\0me\0pw"s), "me/pw");
  EXPECT_EQ(outcome({.user = "me", .password = "pw"}, "\0me\0pv"s), "wrong user or password");
  EXPECT_EQ(outcome({.user = "me", .password = ""}, "\0me\0x"s), "wrong user or password");
  EXPECT_EQ(outcome({}, "\0me"s), "invalid PLAIN response");
  EXPECT_EQ(outcome({}, "\0\0pw"s), "invalid PLAIN response");
  EXPECT_EQ(outcome({}, "\0me\0pw\0"s), "invalid PLAIN response");

  detail::sasl_negotiation server;
  buffer out;
  EXPECT_EQ(server.take_as_server(2, "", out).status, state::unexpected);
  EXPECT_EQ(server.take_as_server(1, "KERBEROS", out).message, "unsupported mechanism KERBEROS");
}
