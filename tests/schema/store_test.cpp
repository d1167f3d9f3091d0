#include <thriftlens/schema/store.hpp>

#include "support/test.hpp"

#include <atomic>
#include <thread>

TEST(schema_store, swaps_a_version_in_while_readers_keep_theirs) {
  tl::schema_store store(tl::schema::parse("struct S { 1: i32 a }"));
  const tl::schema old = store.current();
  const tl::type old_type = old.type("S");
  EXPECT_EQ(store.version(), 1u);
  store.store(tl::schema::parse("struct S { 1: i32 a, 2: i32 b }"));
  EXPECT_EQ(store.version(), 2u);
  EXPECT_EQ(old_type.fields().size(), 1u);
  const tl::schema now = store.current();
  EXPECT_EQ(now.type("S").fields().size(), 2u);
}

TEST(schema_store, frees_a_version_with_its_last_reader) {
  tl::schema_store store(tl::schema::parse("struct S { 1: i32 a }"));
  std::optional<tl::schema> first = store.current(), second = first;
  const std::weak_ptr<const tl::schema_image> image = first->image();
  store.store(tl::schema::parse("struct S {}"));
  first.reset();
  EXPECT_FALSE(image.expired());
  EXPECT_EQ(second->type("S").fields().size(), 1u);
  second.reset();
  EXPECT_TRUE(image.expired());
}

TEST(schema_store, keeps_the_old_version_when_a_reload_fails) {
  tl::schema_store store(tl::schema::parse("struct S { 1: i32 a }"));
  EXPECT_FALSE(store.try_reload("/nonexistent/x.thrift"));
  EXPECT_EQ(store.version(), 1u);
  EXPECT_THROW(store.reload("/nonexistent/x.thrift"), tl::error);
  const tl::schema still = store.current();
  EXPECT_TRUE(still.try_type("S"));
}

TEST(schema_store, a_cached_copy_is_never_older_than_its_version) {
  tl::schema_store store(tl::schema::parse("struct S { 1: i32 a }"));
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::thread reader([&] {
    while (!stop) {
      const std::uint64_t version = store.version();
      const tl::schema now = store.current();
      wrong += static_cast<std::uint64_t>(now.type("S").find_field("a").id()) < version;
    }
  });
  for (int i = 2; i < 100; ++i)
    store.store(tl::schema::parse("struct S { " + std::to_string(i) + ": i32 a }"));
  stop = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
}

TEST(schema_store, serves_readers_during_swaps) {
  tl::schema_store store(tl::schema::parse("struct S { 1: i32 a }"));
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      while (!stop) {
        const tl::schema now = store.current();
        wrong += now.type("S").find_field("a").id() != 1;
      }
    });
  }
  for (int i = 0; i < 200; ++i) store.store(tl::schema::parse("struct S { 1: i32 a, 2: string b }"));
  stop = true;
  for (std::thread& each : readers) each.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(store.version(), 201u);
}
