// sample: a struct with something of everything, for tests of the codec.
#pragma once

#include <thriftlens/codec/binding.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace sample {

enum class level : std::uint8_t { low = 1, high = 200 };
struct leaf {
  std::int16_t a = 0;
  std::string b;
  bool operator==(const leaf&) const = default;
};
struct tree {
  bool flag = false;
  std::int64_t number = 0;
  double real = 0;
  std::string text;
  level grade = level::low;
  std::array<std::uint8_t, 16> id{};
  std::optional<leaf> maybe;
  std::vector<leaf> leaves;
  std::map<std::string, leaf> named;
  std::unordered_map<std::int32_t, std::vector<std::int64_t>> numbers;
  std::variant<std::monostate, std::int32_t, leaf> either;
  std::unique_ptr<tree> next;
};

inline tree full() {
  tree result;
  result.flag = true;
  result.number = -5;
  result.real = 0.25;
  result.text = "some text of length 25 ..";
  result.grade = level::high;
  result.id[15] = 0xff;
  result.maybe = leaf{1, "maybe"};
  result.leaves = {{2, "two"}, {3, ""}};
  result.named = {{"k", {4, "four"}}};
  result.numbers = {{7, {1, -1, INT64_MAX}}};
  result.either = leaf{6, "six"};
  result.next = std::make_unique<tree>();
  result.next->number = 77;
  return result;
}

inline void chain(tree& first, int length) {
  tree* last = &first;
  for (int i = 0; i < length; ++i) {
    last->next = std::make_unique<tree>();
    last = last->next.get();
  }
}

}  // namespace sample

template <>
struct thriftlens::binding<sample::leaf> : thriftlens::numbered {};
template <>
struct thriftlens::binding<sample::tree> : thriftlens::numbered {};
