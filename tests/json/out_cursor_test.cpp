#include <thriftlens/json/out_cursor.hpp>

#include "support/test.hpp"

TEST(out_cursor, appends_to_the_buffer) {
  tl::buffer to;
  to.append({"ab", 2});
  tl::detail::out_cursor out(to, 100);
  ASSERT_TRUE(out.need(3));
  out.put('c');
  out.put(std::string_view("de"));
  EXPECT_EQ(out.offset(), 5u);
  EXPECT_TRUE(out.finish());
  EXPECT_EQ(to.text(), "abcde");
}

TEST(out_cursor, works_on_an_unused_buffer) {
  tl::buffer to;
  tl::detail::out_cursor out(to, 10);
  EXPECT_EQ(out.offset(), 0u);
  EXPECT_TRUE(out.finish());
  EXPECT_TRUE(to.empty());
}

TEST(out_cursor, keeps_its_contents_when_it_grows) {
  tl::buffer to;
  tl::detail::out_cursor out(to, 1u << 20);
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(out.need(1));
    out.put(static_cast<char>('a' + i % 26));
    expected += static_cast<char>('a' + i % 26);
  }
  ASSERT_TRUE(out.finish());
  EXPECT_EQ(to.text(), expected);
}

TEST(out_cursor, abandon_restores_the_buffer) {
  tl::buffer to;
  to.append({"ab", 2});
  tl::detail::out_cursor out(to, 1u << 20);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(out.need(8));
    out.put(std::string_view("01234567"));
  }
  out.abandon();
  EXPECT_EQ(to.text(), "ab");
}

TEST(out_cursor, exceeding_the_limit_fails_on_growth_or_at_the_end) {
  tl::buffer to;
  tl::detail::out_cursor growing(to, 100);
  bool allowed = true;
  for (int i = 0; i < 10000 && allowed; ++i) {
    allowed = growing.need(1);
    if (allowed) growing.put('x');
  }
  EXPECT_FALSE(allowed);
  growing.abandon();
  tl::detail::out_cursor ending(to, 3);
  ASSERT_TRUE(ending.need(4));
  ending.put(std::string_view("1234"));
  EXPECT_FALSE(ending.finish());
  EXPECT_TRUE(to.empty());
}

TEST(out_cursor, padded_text_of_any_length) {
  std::string text(200, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('A' + i % 50);
  for (std::size_t size = 0; size < 130; ++size) {
    tl::buffer to;
    tl::detail::out_cursor out(to, 1000);
    ASSERT_TRUE(out.need(size + 32));
    out.put_padded(text.data(), size);
    ASSERT_TRUE(out.finish());
    EXPECT_EQ(to.text(), text.substr(0, size));
  }
}

TEST(out_cursor, truncates_to_an_earlier_position) {
  tl::buffer to;
  tl::detail::out_cursor out(to, 100);
  ASSERT_TRUE(out.need(16));
  out.put_eight("true\0\0\0", 4);
  out.put('!');
  *out.at(0) = 'T';
  out.back_to(4);
  ASSERT_TRUE(out.finish());
  EXPECT_EQ(to.text(), "True");
}

TEST(out_cursor, limit_is_exact) {
  for (const std::size_t previous_size : {std::size_t{0}, std::size_t{5}}) {
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{15}, std::size_t{16},
                                    std::size_t{100}, std::size_t{4096}}) {
      for (const std::size_t count : {limit, limit + 1}) {
        tl::buffer to;
        to.append(std::string_view("01234").substr(0, previous_size));
        tl::detail::out_cursor out(to, limit);
        ASSERT_TRUE(out.need(count));
        if (count != 0) out.put(std::string(count, 'x'));  // without content no space is reserved
        EXPECT_EQ(out.finish(), count == limit) << previous_size << ' ' << limit;
        EXPECT_EQ(to.size(), previous_size + (count == limit ? limit : 0)) << previous_size << ' ' << limit;
      }
    }
  }
}

// Growth checks the limit: it succeeds up to exactly the limit.
TEST(out_cursor, growth_fails_only_beyond_the_limit) {
  for (const std::size_t previous_size : {std::size_t{0}, std::size_t{7}}) {
    for (const int beyond : {-1, 0, 1}) {
      tl::buffer to;
      to.append(std::string_view("0123456").substr(0, previous_size));
      static_cast<void>(to.prepare(64));
      const std::size_t available = to.capacity() - previous_size;
      tl::detail::out_cursor out(to,
                                 static_cast<std::size_t>(static_cast<std::ptrdiff_t>(available) - beyond));
      ASSERT_TRUE(out.need(available));
      out.put(std::string(available, 'x'));  // the buffer is full: more than allowed by `beyond` bytes
      EXPECT_EQ(out.need(1), beyond <= 0) << previous_size << ' ' << beyond;
      out.abandon();
      EXPECT_EQ(to.size(), previous_size);
    }
  }
}
