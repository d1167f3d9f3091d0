// Broken and hostile bytes: every question of the lens ends in an answer or a clean error.
#include "edit/edit_scripts.hpp"
#include "support/cases.hpp"
#include "support/order.hpp"
#include "support/random_data.hpp"
#include "support/test.hpp"
#include "support/visit.hpp"

#include "support/shared.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct broken_bytes : testing::Test {
  static const char* extension() { return std::is_same_v<P, tl::binary> ? ".bin" : ".cmp"; }
};
TYPED_TEST_SUITE(broken_bytes, protocols);

TYPED_TEST(broken_bytes, truncated_at_every_byte) {
  lens_questions questions(order_type());
  const std::string& complete = order_bytes<TypeParam>();
  for (std::size_t size = 0; size <= complete.size(); ++size) {
    // Exactly as long as the bytes, so that sanitizers see every byte read past the end.
    std::vector<char> exact(complete.begin(), complete.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_GT(questions.ask<TypeParam>({exact.data(), exact.size()}), 0u);
  }
}

TYPED_TEST(broken_bytes, random_changes) {
  lens_questions questions(order_type());
  randomness random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<char> bytes(order_bytes<TypeParam>().begin(), order_bytes<TypeParam>().end());
    constexpr unsigned char favourites[] = {0, 1, 2, 127, 128, 255};
    for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) {
      bytes[random.below(bytes.size())] =
          static_cast<char>(random.one_in(2) ? favourites[random.below(6)] : random.below(256));
    }
    if (random.one_in(3)) bytes.resize(random.below(bytes.size()));
    EXPECT_GT(questions.ask<TypeParam>({bytes.data(), bytes.size()}), 0u);
  }
}

TYPED_TEST(broken_bytes, garbage) {
  lens_questions questions(order_type());
  randomness random(12);
  for (int round = 0; round < thriftlens_test::cases(2000); ++round) {
    std::vector<char> bytes(random.below(200));
    for (char& byte : bytes)
      byte = static_cast<char>(random.one_in(3) ? random.below(16) : random.below(256));
    EXPECT_GT(questions.ask<TypeParam>({bytes.data(), bytes.size()}), 0u);
  }
}

TYPED_TEST(broken_bytes, batches_of_edits_keep_their_contract) {
  randomness random(14);
  edit_promises<TypeParam> promises;
  for (int round = 0; round < thriftlens_test::cases(20000); ++round) {
    std::string text(20 + random.below(140), '\0');
    for (char& character : text) character = static_cast<char>(random.below(256));
    promises.check(choices(text));
    ASSERT_EQ(promises.broken, "") << "round " << round;
  }
  EXPECT_GT(promises.applied, thriftlens_test::cases(2000u));
  EXPECT_GT(promises.refused, thriftlens_test::cases(2000u));
  EXPECT_GT(promises.in_place, thriftlens_test::cases(200u));
}

TYPED_TEST(broken_bytes, vectors_valid_changed_and_malicious) {
  auto folder = vectors_dir();
  tl::schema schema = tl::schema::load((folder / "open.thrift").string());
  std::vector<lens_questions> items;
  for (const char* name :
       {"Scalars", "Mixed", "Lists", "MapKeys", "MapVals", "StructKeys", "Nested", "Tree", "UniHolder"})
    items.emplace_back(schema.type(name));
  randomness random(13);
  std::size_t files = 0;
  for (const char* kind : {"valid", "malicious"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder / kind)) {
      if (entry.path().extension() != this->extension() || entry.file_size() > 4096) continue;
      std::string bytes = read_file(entry.path());
      ++files;
      const lens_questions& some = items[random.below(items.size())];
      some.ask<TypeParam>(bytes);
      if (bytes.empty()) continue;
      std::string cut = bytes.substr(0, random.below(bytes.size()));
      some.ask<TypeParam>(cut);
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
      items[random.below(items.size())].ask<TypeParam>(bytes);
    }
  }
  EXPECT_GT(files, 100u);
}

TYPED_TEST(broken_bytes, oversized_declared_containers_allocate_nothing) {
  std::string huge = std::is_same_v<TypeParam, tl::binary>
                         ? std::string("\x0f\0\x03\x0c\x7f\xff\xff\xff\0", 9)
                         : std::string("\x39\xfc\xff\xff\xff\xff\x07\0", 8);
  lens_questions questions(order_type());
  EXPECT_GT(questions.ask<TypeParam>(huge), 0u);
  EXPECT_EQ(tl::view<TypeParam>(huge, order_type())["items"].try_size().error().code(), tl::errc::truncated);
}

}  // namespace
