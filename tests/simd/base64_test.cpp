#include <thriftlens/simd/base64.hpp>

#include "bodies.hpp"
#include "guarded.hpp"
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;
using simd::base64_form, thriftlens::byte_view;

namespace {

std::string encode(const std::string& bytes) {
  static thriftlens_test::guarded in, out;
  const std::size_t size = simd::base64_text_size(bytes.size());
  std::uint8_t* to = out.storage(simd::base64_text_capacity(bytes.size()));
  const std::uint8_t* end = simd::encode_base64(to, byte_view(in.hold(bytes), bytes.size()));
  EXPECT_EQ(end, to + size);
  const std::string text(reinterpret_cast<char*>(to), size);
  thriftlens_test::for_each_body(simd::detail::encode_base64_bodies, [&](auto run, const char* name) {
    EXPECT_EQ(run(to, in.hold(bytes), bytes.size()), to + size) << name;
    EXPECT_EQ(std::string(reinterpret_cast<char*>(to), size), text) << name;
  });
  return text;
}

struct decoded {
  bool ok;
  std::string bytes;
};
decoded decode(const std::string& text, base64_form form = base64_form::strict) {
  static thriftlens_test::guarded in, out;
  std::uint8_t* to = out.storage(simd::base64_bytes_capacity(text.size()));
  const std::uint8_t* end = simd::decode_base64(to, byte_view(in.hold(text), text.size()), form);
  const std::string actual = end == nullptr ? "" : std::string(to, const_cast<std::uint8_t*>(end));
  thriftlens_test::for_each_body(simd::detail::decode_base64_bodies, [&](auto run, const char* name) {
    const std::uint8_t* by_body = run(to, in.hold(text), text.size(), form);
    EXPECT_EQ(by_body == nullptr, end == nullptr) << name << ' ' << text;
    if (by_body == nullptr || end == nullptr) return;
    EXPECT_EQ(std::string(to, const_cast<std::uint8_t*>(by_body)), actual) << name << ' ' << text;
  });
  return {end != nullptr, actual};
}
bool strict(const std::string& text) { return decode(text).ok; }
bool lenient(const std::string& text) { return decode(text, base64_form::lenient).ok; }

}  // namespace

TEST(simd_base64, rfc4648_examples) {
  const char* const pairs[][2] = {{"", ""},
                                  {"f", "Zg=="},
                                  {"fo", "Zm8="},
                                  {"foo", "Zm9v"},
                                  {"foob", "Zm9vYg=="},
                                  {"fooba", "Zm9vYmE="},
                                  {"foobar", "Zm9vYmFy"}};
  for (const auto& pair : pairs) {
    EXPECT_EQ(encode(pair[0]), pair[1]);
    EXPECT_EQ(decode(pair[1]).bytes, pair[0]);
  }
}

TEST(simd_base64, goes_both_ways_at_every_length) {
  std::mt19937 random(3);
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size)
    for (int round = 0; round < 50; ++round) {
      std::string bytes(size, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random());
      const std::string text = encode(bytes);
      std::string slow(text.size(), '?');
      const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
      simd::detail::encode_base64_scalar(reinterpret_cast<std::uint8_t*>(slow.data()), from, size);
      ASSERT_EQ(text, slow);
#if THRIFTLENS_X86
      if (simd::best_level() >= simd::level::ssse3) {
        std::string storage(simd::base64_text_capacity(size), '?');
        auto* to = reinterpret_cast<std::uint8_t*>(storage.data());
        ASSERT_EQ(simd::detail::encode_base64_ssse3(to, from, size), to + text.size());
        ASSERT_EQ(storage.substr(0, text.size()), text);
      }
#endif
      ASSERT_EQ(decode(text).bytes, bytes);
      ASSERT_EQ(decode(text, base64_form::lenient).bytes, bytes);
      std::string url = text.substr(0, text.find('='));
      for (char& byte : url) byte = byte == '+' ? '-' : byte == '/' ? '_' : byte;
      ASSERT_EQ(decode(url, base64_form::lenient).bytes, bytes);
      if (url != text) {
        ASSERT_FALSE(strict(url));
      }
    }
}

TEST(simd_base64, every_invalid_byte_is_rejected_at_every_position) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t at = 0; at < 80; ++at)
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::string text(80, 'A');
      text[at] = static_cast<char>(byte);
      const bool known = alphabet.find(static_cast<char>(byte)) != std::string::npos;
      const bool padding = byte == '=' && at == 79;
      ASSERT_EQ(strict(text), known || padding) << at << ' ' << byte;
      ASSERT_EQ(lenient(text), known || padding || byte == '-' || byte == '_') << at << ' ' << byte;
    }
}

TEST(simd_base64, padding_and_spare_bits) {
  EXPECT_FALSE(strict("AA"));
  EXPECT_TRUE(lenient("AA"));
  EXPECT_TRUE(lenient("AAA"));
  for (const char* text : {"A", "A===", "AAA==", "====", "=", "==", "A=AA", "AA=A",
                           "AAAA=", "AAAA==", "AAAA====", "AA=", "AA A", "AA\nAA", "\xc3\xa9"}) {
    EXPECT_FALSE(strict(text)) << text;
    EXPECT_FALSE(lenient(text)) << text;
  }
  EXPECT_FALSE(strict("AB==")) << "bits that no byte takes";
  EXPECT_FALSE(strict("AAB="));
  EXPECT_EQ(decode("AB==", base64_form::lenient).bytes, std::string(1, '\0'));
}

TEST(simd_base64, every_body_at_every_length_and_alignment) {
  thriftlens_test::guarded memory;
  std::mt19937 random(8);
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size)
    for (std::size_t suffix = 0; suffix < thriftlens_test::alignments; ++suffix) {
      std::string bytes(size + suffix, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random());
      const std::uint8_t* from = memory.hold(bytes);
      std::string expected(simd::base64_text_size(size), '?');
      simd::detail::encode_base64_scalar(reinterpret_cast<std::uint8_t*>(expected.data()), from, size);
      thriftlens_test::for_each_body(simd::detail::encode_base64_bodies, [&](auto run, const char* name) {
        std::uint8_t storage[simd::base64_text_capacity(thriftlens_test::longest) + 64];
        std::uint8_t* to = storage + suffix;
        ASSERT_EQ(std::string(to, run(to, from, size)), expected) << name << ' ' << size << ' ' << suffix;
      });
      const std::string text = expected + std::string(suffix, '?');
      for (const base64_form form : {base64_form::strict, base64_form::lenient})
        thriftlens_test::for_each_body(simd::detail::decode_base64_bodies, [&](auto run, const char* name) {
          std::uint8_t
              storage[simd::base64_bytes_capacity(simd::base64_text_size(thriftlens_test::longest)) + 64];
          std::uint8_t* to = storage + suffix;
          std::uint8_t* end =
              run(to, reinterpret_cast<const std::uint8_t*>(text.data()), expected.size(), form);
          ASSERT_NE(end, nullptr) << name << ' ' << size;
          ASSERT_EQ(std::string(to, end), bytes.substr(0, size)) << name << ' ' << size << ' ' << suffix;
        });
    }
}
