#include <thriftlens/simd/json_escape.hpp>

#include "bodies.hpp"
#include "guarded.hpp"
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;
using thriftlens::byte_view;

namespace {

const std::uint8_t* bytes_of(const std::string& text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

std::string escape(const std::uint8_t* from, std::size_t size, bool* ascii = nullptr) {
  std::string storage(simd::json_escape_capacity(size), '?');
  auto* to = reinterpret_cast<std::uint8_t*>(storage.data());
  const simd::json_escaped actual = simd::escape_json(to, byte_view(from, size));
  if (ascii != nullptr) *ascii = actual.ascii;
  storage.resize(static_cast<std::size_t>(actual.end - to));
  thriftlens_test::for_each_body(simd::detail::escape_json_bodies, [&](auto run, const char* name) {
    std::string other(simd::json_escape_capacity(size), '?');
    auto* start = reinterpret_cast<std::uint8_t*>(other.data());
    const simd::json_escaped by_body = run(start, from, size);
    other.resize(static_cast<std::size_t>(by_body.end - start));
    EXPECT_EQ(other, storage) << name << ' ' << size;
    EXPECT_EQ(by_body.ascii, actual.ascii) << name << ' ' << size;
  });
  return storage;
}
std::string escape_slowly(const std::string& text) {
  std::string storage(simd::json_escape_capacity(text.size()), '?');
  auto* to = reinterpret_cast<std::uint8_t*>(storage.data());
  return storage.substr(0, static_cast<std::size_t>(
                               simd::detail::escape_json_scalar(to, bytes_of(text), text.size()).end - to));
}

}  // namespace

TEST(simd_json_escape, known_escapes) {
  const std::string text("a\"b\\c/\b\f\n\r\t\x01\x1f\x7f\xc3\xa9\0z", 18);
  bool ascii = true;
  EXPECT_EQ(escape(bytes_of(text), text.size(), &ascii),
            "a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\xc3\xa9\\u0000z");
  EXPECT_FALSE(ascii);
}

TEST(simd_json_escape, agrees_with_the_scalar_kernel_for_every_byte_at_every_position) {
  thriftlens_test::guarded memory;
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size)
    for (std::size_t at = 0; at < size; ++at)
      for (unsigned byte : {0u, 1u, 8u, 9u, 10u, 12u, 13u, 31u, 32u, 34u, 92u, 127u, 128u, 255u}) {
        std::string text(size, 'x');
        text[at] = static_cast<char>(byte);
        bool ascii = false;
        ASSERT_EQ(escape(memory.hold(text), size, &ascii), escape_slowly(text))
            << size << ' ' << at << ' ' << byte;
        ASSERT_EQ(ascii, byte < 128);
      }
}

TEST(simd_json_escape, dense_text_agrees_with_the_scalar_body_at_every_length_and_alignment) {
  thriftlens_test::guarded memory;
  std::mt19937 random(5);
  const char plain[] = "\"\\\n\tab c/\x1f\xe2\x82\xac";
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size)
    for (std::size_t round = 0; round < 64; ++round) {
      std::string text(size, ' ');
      for (char& character : text)
        character =
            random() % 3 == 0 ? plain[random() % (sizeof plain - 1)] : static_cast<char>('a' + random() % 26);
      const std::string padding(round, 'p');
      ASSERT_EQ(escape(memory.hold(text + padding), size), escape_slowly(text));
    }
}

TEST(simd_json_escape, specials_are_found_at_every_position) {
  thriftlens_test::guarded memory;
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size) {
    std::string text(size, '\xff');
    EXPECT_EQ(simd::find_json_special(memory.hold(text), memory.storage(0)), memory.storage(0));
    EXPECT_EQ(simd::find_far_json_special(memory.hold(text), memory.storage(0)), memory.storage(0));
    for (std::size_t at = 0; at < size; ++at)
      for (const char special : {'"', '\\', '\0', '\x1f'}) {
        text.assign(size, ' ');
        text[at] = special;
        text.back() = size - 1 == at ? special : '"';
        const std::uint8_t* from = memory.hold(text);
        ASSERT_EQ(simd::find_json_special(from, from + size), from + at) << size << ' ' << at;
        ASSERT_EQ(simd::find_far_json_special(from, from + size), from + at) << size << ' ' << at;
      }
  }
}

TEST(simd_json_escape, worst_case_output_fits_the_capacity) {
  for (std::size_t size : {0u, 1u, 15u, 16u, 17u, 130u}) {
    const std::string text(size, '\x01');
    EXPECT_EQ(escape(bytes_of(text), size).size(), size * 6);
  }
}

TEST(simd_json_escape, every_body_finds_the_first_special_at_every_length_and_alignment) {
  thriftlens_test::guarded memory;
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size)
    for (std::size_t suffix = 0; suffix < thriftlens_test::alignments; ++suffix)
      for (const std::size_t at : {std::size_t{0}, size / 2, size - 1, size}) {
        if (at > size) continue;
        std::string text(size + suffix, ' ');
        for (std::size_t i = size; i < text.size(); ++i) text[i] = '"';  // must not be looked at
        if (at < size) text[at] = at % 2 == 0 ? '\\' : '\x1f';
        const std::uint8_t* from = memory.hold(text);
        thriftlens_test::for_each_body(
            simd::detail::find_json_special_bodies, [&](auto run, const char* name) {
              ASSERT_EQ(run(from, from + size), from + at) << name << ' ' << size << ' ' << suffix;
            });
      }
}

TEST(simd_json_escape, boundary_of_escaped_bytes) {
  thriftlens_test::guarded memory;
  for (std::size_t size = 1; size <= thriftlens_test::longest; ++size)
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1})
      for (const char byte : {'\x1f', ' ', '!', '"', '#', '[', '\\', ']', '\x7f', '\x80'}) {
        std::string text(size, 'x');
        text[at] = byte;
        const std::string escaped = escape(memory.hold(text), size);
        ASSERT_EQ(escaped.size(), size + (byte == '\x1f'                ? 5
                                          : byte == '"' || byte == '\\' ? 1
                                                                        : 0))
            << size << ' ' << at;
      }
}
