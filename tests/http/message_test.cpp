#include <thriftlens/http/message.hpp>

#include "support/test.hpp"

TEST(http_message, cookies_with_blanks_or_commas_are_quoted) {
  EXPECT_EQ(tl::set_cookie({"a", "b"}), "a=b");
  EXPECT_EQ(tl::set_cookie({"a", "b c,d"}), "a=\"b c,d\"");
  EXPECT_EQ(tl::set_cookie({"a", ""}), "a=");
}
