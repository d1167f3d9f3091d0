#include <thriftlens/core/uuid.hpp>

#include "support/test.hpp"

#include <unordered_set>

namespace {

const tl::uuid_bytes sample{0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                            0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
constexpr std::string_view text = "00112233-4455-6677-8899-aabbccddeeff";

std::string printed(const tl::uuid_bytes& id) {
  std::string into(tl::detail::uuid_text_size, ' ');
  EXPECT_EQ(tl::detail::put_uuid_text(into.data(), id.data()), into.data() + into.size());
  return into;
}

}  // namespace

TEST(parse_uuid, reads_digits_of_either_case) {
  tl::uuid_bytes id{};
  EXPECT_TRUE(tl::detail::parse_uuid(text, id));
  EXPECT_EQ(id, sample);
  id = {};
  EXPECT_TRUE(tl::detail::parse_uuid("00112233-4455-6677-8899-AABBccDDEEFF", id));
  EXPECT_EQ(id, sample);
}

TEST(parse_uuid, rejects_every_other_character_at_every_position) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int letter = 0; letter < 256; ++letter) {
      std::string changed(text);
      changed[at] = static_cast<char>(letter);
      const bool hyphen = text[at] == '-';
      const bool digit = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') ||
                         (letter >= 'A' && letter <= 'F');
      tl::uuid_bytes id{};
      EXPECT_EQ(tl::detail::parse_uuid(changed, id), hyphen ? letter == '-' : digit) << changed;
    }
  }
}

TEST(parse_uuid, refuses_other_lengths_and_braces) {
  tl::uuid_bytes id{};
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(tl::detail::parse_uuid(text.substr(0, size), id)) << size;
  EXPECT_FALSE(tl::detail::parse_uuid(std::string(text) + '0', id));
  EXPECT_FALSE(tl::detail::parse_uuid('{' + std::string(text) + '}', id));
  EXPECT_FALSE(tl::detail::parse_uuid("00112233445566778899aabbccddeeff0000", id));
}

TEST(put_uuid_text, round_trips) {
  EXPECT_EQ(printed(sample), text);
  EXPECT_EQ(printed({}), "00000000-0000-0000-0000-000000000000");
}

TEST(uuid, is_a_key_of_unordered_containers) {
  tl::uuid_bytes first{}, other{};
  other[15] = 1;
  std::unordered_set<tl::uuid_bytes, tl::uuid_hash> seen{first, other, first};
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_NE(tl::uuid_hash()(first), tl::uuid_hash()(other));
}
