#include <thriftlens/core/siphash.hpp>

#include "support/test.hpp"

// The published test vectors of SipHash-2-4: key 00 01 … 0f, messages 00, 00 01, …
TEST(redact_hash, gives_the_published_values_of_siphash_2_4) {
  tl::redact_hash::key_bytes key{};
  std::uint8_t message[16];
  for (std::uint8_t i = 0; i < 16; ++i) key[i] = message[i] = i;
  const tl::redact_hash hash(key);
  EXPECT_EQ(hash({}), 0x726fdb47dd0e0e31u);
  EXPECT_EQ(hash({message, 1}), 0x74f839c593dc67fdu);
  EXPECT_EQ(hash({message, 8}), 0x93f5f5799a932462u);
  EXPECT_EQ(hash({message, 15}), 0xa129ca6149be45e5u);
}

TEST(redact_hash, depends_on_the_key) {
  tl::redact_hash::key_bytes key{};
  key[15] = 1;
  constexpr std::string_view name = "name";
  EXPECT_NE(tl::redact_hash()(name), tl::redact_hash(key)(name));
  EXPECT_EQ(tl::redact_hash(key)(name), tl::redact_hash(key)(name));
}
