#include <thriftlens/simd/utf8.hpp>

#include "bodies.hpp"
#include "guarded.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;
using thriftlens::byte_view;

namespace {

// The definition, one code point at a time, written apart from the library's.
bool valid_by_definition(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
    };
    std::uint32_t point = 0;
    std::size_t length = 0;
    if (byte(0) < 0x80) {
      ++i;
      continue;
    }
    if ((byte(0) & 0xe0) == 0xc0)
      length = 2, point = byte(0) & 0x1f;
    else if ((byte(0) & 0xf0) == 0xe0)
      length = 3, point = byte(0) & 0x0f;
    else if ((byte(0) & 0xf8) == 0xf0)
      length = 4, point = byte(0) & 0x07;
    else
      return false;
    for (std::size_t k = 1; k < length; ++k) {
      if ((byte(k) & 0xc0) != 0x80) return false;
      point = point << 6 | (byte(k) & 0x3f);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < least[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return false;
    i += length;
  }
  return true;
}

bool all_bodies(const std::uint8_t* at, std::size_t size, const std::string& text) {
  const bool expected = simd::detail::utf8_valid_scalar(at, size);
  EXPECT_EQ(simd::valid_utf8(byte_view(at, size)), expected) << text;
  thriftlens_test::for_each_body(simd::detail::utf8_valid_bodies, [&](auto run, const char* name) {
    EXPECT_EQ(run(at, size), expected) << name << ' ' << text;
  });
  return expected;
}

}  // namespace

TEST(simd_utf8, every_pair_and_interesting_triple_agrees_with_the_definition) {
  thriftlens_test::guarded memory;
  for (unsigned first = 0; first < 256; ++first)
    for (unsigned second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      ASSERT_EQ(all_bodies(memory.hold(text), 2, text), valid_by_definition(text)) << first << ' ' << second;
    }
  const std::vector<unsigned> edges = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf,
                                       0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
                                       0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff};
  for (unsigned a : edges)
    for (unsigned b : edges)
      for (unsigned c : edges)
        for (unsigned d : edges) {
          const std::string text{static_cast<char>(a), static_cast<char>(b), static_cast<char>(c),
                                 static_cast<char>(d)};
          ASSERT_EQ(all_bodies(memory.hold(text), 4, text), valid_by_definition(text))
              << a << ' ' << b << ' ' << c << ' ' << d;
        }
}

TEST(simd_utf8, every_length_with_one_sequence_at_every_place) {
  thriftlens_test::guarded memory;
  const std::string sequences[] = {"a",
                                   "\xc3\xa9",
                                   "\xe2\x82\xac",
                                   "\xf0\x9f\x98\x80",
                                   "\x80",
                                   "\xc3",
                                   "\xe2\x82",
                                   "\xf0\x9f\x98",
                                   "\xed\xa0\x80",
                                   "\xc0\xaf",
                                   "\xf4\x90\x80\x80"};
  for (const std::string& sequence : sequences)
    for (std::size_t size = sequence.size(); size <= thriftlens_test::longest; ++size)
      for (std::size_t at = 0; at + sequence.size() <= size; ++at) {
        std::string text(size, 'x');
        text.replace(at, sequence.size(), sequence);
        const bool expected = valid_by_definition(text);
        ASSERT_EQ(all_bodies(memory.hold(text), size, text), expected) << size << ' ' << at;
        ASSERT_EQ(simd::valid_utf8_prefix(text), expected ? size : at);
      }
}

TEST(simd_utf8, random_mixtures_agree_at_every_alignment) {
  thriftlens_test::guarded memory;
  std::mt19937 random(7);
  const std::string pieces[] = {
      "a", "bcdefgh", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf"};
  for (int round = 0; round < thriftlens_test::cases(20000); ++round) {
    std::string text;
    while (text.size() < 100) text += pieces[random() % 7];
    if (round % 2 == 1) text[random() % text.size()] = static_cast<char>(random());
    const std::size_t skip = random() % 40;
    ASSERT_EQ(all_bodies(memory.hold(text) + skip, text.size() - skip, text),
              valid_by_definition(text.substr(skip)));
  }
}

TEST(simd_utf8, is_ascii_detects_a_high_byte_at_every_position) {
  thriftlens_test::guarded memory;
  EXPECT_TRUE(simd::is_ascii(byte_view()));
  for (std::size_t size = 1; size <= thriftlens_test::longest; ++size) {
    std::string text(size, '\x7f');
    EXPECT_TRUE(simd::is_ascii(byte_view(memory.hold(text), size)));
    for (std::size_t at = 0; at < size; ++at) {
      text[at] = '\x80';
      EXPECT_FALSE(simd::is_ascii(byte_view(memory.hold(text), size))) << size << ' ' << at;
      text[at] = 'a';
    }
  }
}

TEST(simd_utf8, an_ill_formed_sequence_has_the_length_of_its_valid_prefix) {
  const unsigned edges[] = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2,
                            0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf3, 0xf4, 0xf5, 0xff};
  const auto begins = [](const std::string& start) {
    std::vector<std::string> tails{""};
    for (int more = 0; more < 3; ++more) {
      std::vector<std::string> longer;
      for (const std::string& tail : tails)
        for (const char character : {'\x80', '\x90', '\xa0', '\xbf'}) longer.push_back(tail + character);
      for (const std::string& tail : longer)
        if (valid_by_definition(start + tail)) return true;
      tails = longer;
    }
    return false;
  };
  for (unsigned a : edges)
    for (unsigned b : edges)
      for (unsigned c : edges) {
        const std::string text{static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)};
        if (simd::valid_utf8_prefix(text) != 0) continue;
        std::size_t expected = 1;
        while (expected < 3 && begins(text.substr(0, expected + 1))) ++expected;
        ASSERT_EQ(simd::ill_formed_utf8_size(text), expected) << a << ' ' << b << ' ' << c;
      }
}

TEST(simd_utf8, every_body_at_every_length_and_alignment) {
  thriftlens_test::guarded memory;
  const std::string sequences[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf0\x9f\x98", "\xe2\x82",
                                   "\xc3",     "\x80"};
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size)
    for (std::size_t suffix = 0; suffix < thriftlens_test::alignments; ++suffix)
      for (const std::string& sequence : sequences) {
        if (sequence.size() > size) continue;
        // At the end, with continuation bytes after it that must not be read.
        const std::string text = std::string(size - sequence.size(), 'x') + sequence;
        const std::uint8_t* at = memory.hold(text + std::string(suffix, '\x80'));
        const bool expected = valid_by_definition(text);
        thriftlens_test::for_each_body(simd::detail::utf8_valid_bodies, [&](auto run, const char* name) {
          ASSERT_EQ(run(at, size), expected) << name << ' ' << size << ' ' << suffix;
        });
      }
}

TEST(simd_utf8, every_body_of_is_ascii_at_every_length_and_alignment) {
  thriftlens_test::guarded memory;
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size)
    for (std::size_t suffix = 0; suffix < thriftlens_test::alignments; ++suffix)
      for (std::size_t high = 0; high <= size; high += 1 + size / 8) {
        std::string text(size, '\x7f');
        if (high != size) text[high] = '\x80';
        const std::uint8_t* at = memory.hold(text + std::string(suffix, '\xff'));
        thriftlens_test::for_each_body(simd::detail::is_ascii_bodies, [&](auto run, const char* name) {
          ASSERT_EQ(run(at, size), high == size) << name << ' ' << size << ' ' << high;
        });
      }
}
