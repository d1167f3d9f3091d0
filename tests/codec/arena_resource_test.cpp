#include <thriftlens/codec/arena_resource.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <memory_resource>

namespace {
struct stored_order {
  std::pmr::string name;
  std::pmr::vector<std::pmr::string> lines;
  std::pmr::map<std::pmr::string, std::pmr::vector<std::int64_t>> amounts;
};
}  // namespace
template <>
struct tl::binding<stored_order> : tl::numbered {};

TEST(codec_arena_resource, decoded_objects_are_allocated_in_the_arena) {
  const std::string text(40, 't');
  const stored_order sent{
      std::pmr::string(text), {std::pmr::string(text), "short"}, {{std::pmr::string(text), {1, 2, 3}}}};
  tl::buffer bytes;
  tl::append_encoded(sent, bytes);

  // With the default resource out of reach, whatever does not use the arena fails.
  std::pmr::memory_resource* previous = std::pmr::set_default_resource(std::pmr::null_memory_resource());
  {
    tl::arena memory;
    tl::arena_resource resource(memory);
    stored_order received{std::pmr::string(&resource), std::pmr::vector<std::pmr::string>(&resource),
                          std::pmr::map<std::pmr::string, std::pmr::vector<std::int64_t>>(&resource)};
    tl::decode_into(bytes, received);
    EXPECT_EQ(received.name, std::string_view(text));
    ASSERT_EQ(received.lines.size(), 2u);
    EXPECT_EQ(received.lines[1], "short");
    ASSERT_EQ(received.amounts.size(), 1u);
    EXPECT_EQ(received.amounts.begin()->second, (std::pmr::vector<std::int64_t>({1, 2, 3}, &resource)));
    EXPECT_GT(memory.reserved(), 0u);
    EXPECT_TRUE(resource.is_equal(resource));
  }
  std::pmr::set_default_resource(previous);
}
