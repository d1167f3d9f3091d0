#include <thriftlens/protocol/converter.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/compact.hpp>

TEST(converter, stops_at_an_error_with_its_path) {
  const std::string list("\x0f\0\3\x0b\0\0\0\2\0\0\0\1a\0\0\0\5b", 18);
  tl::binary::reader in(list);
  tl::buffer out;
  tl::compact::writer to(out);
  tl::detail::converter<tl::binary, tl::compact> step(in, to);
  EXPECT_FALSE(step.value(tl::ttype::struct_));
  EXPECT_EQ(in.fault().code, tl::errc::truncated);
  EXPECT_EQ(step.path(), "$.#3[1]");
  EXPECT_EQ(out.text(),
            "\x39\x28\x01"
            "a");
}
