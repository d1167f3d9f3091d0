#include <thriftlens/core/path_builder.hpp>

#include "support/test.hpp"

#include <cmath>

namespace {

using thriftlens::byte_view, thriftlens::detail::path_builder;
using order = path_builder::order;

/// The path of one step.
template <class Step>
std::string path_of(Step step) {
  path_builder outermost, innermost(order::innermost_first);
  EXPECT_FALSE(step(outermost));
  EXPECT_FALSE(step(innermost));
  EXPECT_EQ(outermost.text(), innermost.text());
  return outermost.text();
}
std::string text_key(const std::string& text, const std::string& wire = {}) {
  return path_of([&](path_builder& path) { return path.text_key(text, byte_view(wire)); });
}
std::string real_key(double key) {
  return path_of([&](path_builder& path) { return path.real_key(key); });
}

TEST(path_builder, of_no_steps_is_the_root) {
  path_builder path;
  EXPECT_TRUE(path.empty());
  EXPECT_EQ(path.text(), "$");
  EXPECT_EQ(path.steps(), "");
}

TEST(path_builder, takes_the_steps_from_either_end) {
  path_builder outermost;
  outermost.field("user", 1);
  outermost.field({}, -12);
  outermost.text_key("a\"b");
  outermost.integer_key(-7);
  outermost.index(3);
  EXPECT_EQ(outermost.text(), "$.user.#-12{\"a\\\"b\"}{-7}[3]");
  path_builder innermost(order::innermost_first);
  innermost.index(3);
  innermost.integer_key(-7);
  innermost.text_key("a\"b");
  innermost.field_id(-12);
  innermost.field("user");
  EXPECT_EQ(innermost.text(), outermost.text());
  EXPECT_EQ(innermost.steps(), ".user.#-12{\"a\\\"b\"}{-7}[3]");
  EXPECT_FALSE(innermost.empty());
}

TEST(path_builder, can_be_truncated_to_a_mark) {
  path_builder path;
  path.field("a");
  const std::size_t mark = path.mark();
  path.index(1);
  path.text_key("é");
  path.back_to(mark);
  path.index(2);
  EXPECT_EQ(path.text(), "$.a[2]");
}

TEST(path_builder, writes_keys_as_path_literals) {
  EXPECT_EQ(path_of([](path_builder& path) { return path.boolean_key(true); }), "${true}");
  EXPECT_EQ(path_of([](path_builder& path) { return path.boolean_key(false); }), "${false}");
  EXPECT_EQ(path_of([](path_builder& path) { return path.integer_key(INT64_MIN); }),
            "${-9223372036854775808}");
  EXPECT_EQ(path_of([](path_builder& path) { return path.key_at(4); }), "${key 4}");
  const std::uint8_t id[16] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(path_of([&](path_builder& path) { return path.uuid_key(id); }),
            "${\"01234567-89ab-cdef-0102-030405060708\"}");
}

TEST(path_builder, doubles_have_a_fraction_or_an_exponent) {
  EXPECT_EQ(real_key(1.5), "${1.5}");
  EXPECT_EQ(real_key(2), "${2.0}");
  EXPECT_EQ(real_key(-0.0), "${-0.0}");
  EXPECT_EQ(real_key(1e300), "${1e+300}");
  EXPECT_EQ(real_key(-std::numeric_limits<double>::infinity()), "${-inf}");
  EXPECT_EQ(real_key(std::nan("")), "${nan}");
  const std::string wire = "\x7f\xf8\x01";
  path_builder path;
  path.real_key(std::nan(""), byte_view(wire));
  EXPECT_EQ(path.text(), "${x\"7ff801\"}");
}

TEST(path_builder, long_keys_are_truncated) {
  EXPECT_EQ(text_key(std::string(64, 'k')), "${\"" + std::string(64, 'k') + "\"}");
  EXPECT_EQ(text_key(std::string(65, 'k')), "${\"" + std::string(64, 'k') + "\"…}");
  EXPECT_EQ(text_key(std::string(63, 'k') + "é"), "${\"" + std::string(63, 'k') + "\"…}");
  EXPECT_EQ(text_key(std::string(62, 'k') + "é"), "${\"" + std::string(62, 'k') + "é\"}");
  const std::string wire(33, '\x0a');
  EXPECT_EQ(path_of([&](path_builder& path) { return path.wire_key(byte_view(wire.data(), 32)); }).size(),
            1 + 5 + 64u);
  std::string hex;
  for (int i = 0; i < 32; ++i) hex += "0a";
  EXPECT_EQ(path_of([&](path_builder& path) { return path.wire_key(byte_view(wire)); }),
            "${x\"" + hex + "\"…}");
}

TEST(path_builder, text_that_is_not_utf8_is_written_in_hex) {
  EXPECT_EQ(text_key("a\n\x01"), "${\"a\\n\\u0001\"}");
  EXPECT_EQ(text_key("a\xff", {"\x02"
                               "a\xff",
                               3}),
            "${x\"0261ff\"}");
  EXPECT_EQ(text_key("a\xff"), "${\"a\"…}");
  EXPECT_EQ(text_key("\xff"), "${\"\"…}");
  EXPECT_EQ(text_key(std::string(64, 'k') + "\xc3"), "${\"" + std::string(64, 'k') + "\"…}");
}

}  // namespace
