#include <thriftlens/core/repeated_keys.hpp>

#include "support/test.hpp"

#include <thriftlens/core/endian.hpp>

using tl::detail::repeated_keys;

namespace {
// Eight bytes that make hash_text forget the next eight if the seed is known: then keys are sorted.
constexpr std::uint64_t known_seed = 0x1234567890abcdefu;
std::string colliding(std::size_t number) {
  const std::uint64_t zero = 0xe7037ed1a0b428dbu ^ known_seed;
  std::string key(8, '\0');
  tl::detail::store_le(reinterpret_cast<std::uint8_t*>(key.data()), zero);
  return key + std::to_string(10000000 + number) + "same";
}
}  // namespace

TEST(repeated_keys, finds_the_first_key_that_equals_an_earlier_one) {
  for (std::size_t extra : {0u, 1u, 6u, 7u, 8u, 20u, 1000u}) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < extra; ++i) keys.push_back("k" + std::to_string(i));
    keys.insert(keys.end(), {"a", "b"});
    EXPECT_EQ(repeated_keys().first(keys), repeated_keys::none);
    keys.insert(keys.end(), {"a", "b"});
    EXPECT_EQ(repeated_keys().first(keys), extra + 2);
  }
}

TEST(repeated_keys, colliding_keys_need_a_bounded_number_of_probes) {
  for (std::size_t count : {1000u, 2000u, 4000u}) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i) keys.push_back(colliding(i * 7919 % count));
    repeated_keys collided(known_seed), usual;
    EXPECT_EQ(collided.first(keys), repeated_keys::none);
    EXPECT_EQ(collided.probes(), count * 16 + 1024);
    EXPECT_EQ(usual.first(keys), repeated_keys::none);
    EXPECT_LE(usual.probes(), count * 4);
    keys.insert(keys.end(), {colliding(5), colliding(7)});
    EXPECT_EQ(collided.first(keys), count);
    tl::detail::pod_vector<std::uint8_t> earlier;
    collided.find_earlier(keys, earlier);
    for (std::size_t i = 0; i < keys.size(); ++i)
      EXPECT_EQ(earlier[i] != 0, i < count && (keys[i] == colliding(5) || keys[i] == colliding(7)));
  }
}
