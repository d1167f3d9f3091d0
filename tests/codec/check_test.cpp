// Code that must compile; tests/codec/wrong has code that must not.
#include <thriftlens/codec/check.hpp>

#include "support/test.hpp"

#include <deque>
#include <list>
#include <memory_resource>
#include <unordered_map>
#include <unordered_set>
#include <variant>

namespace {
enum class small : std::uint8_t { a };
struct node {
  bool flag = false;
  unsigned long number = 0;
  char letter = 0;
  std::byte raw{};
  small choice = small::a;
  std::u8string text;
  std::optional<std::vector<node>> kids;
  std::unique_ptr<node> next;
  std::shared_ptr<std::map<int, node>> named;
  std::unordered_map<std::string, std::unordered_set<short>> sets;
  std::list<std::deque<std::array<double, 3>>> lists;
  std::vector<std::pair<std::string_view, std::span<const std::byte>>> borrowed;
  std::variant<std::monostate, bool, std::string> either;
  std::pmr::vector<std::pmr::string> pooled;
};
struct plain {
  node inside;
};
}  // namespace
template <>
struct tl::binding<node> : tl::numbered {};

TEST(codec_check, every_kind_of_member_passes) {
  static_assert(tl::detail::codec::check_value<node>());
  static_assert(tl::detail::codec::check_value<std::vector<node>>());
  static_assert(tl::detail::codec::check_value<plain, tl::detail::codec::by_name>());
  SUCCEED();
}
