// Containers without elements and with any byte as their types, which Apache Thrift's reader accepts.
#include "support/test.hpp"
#include "support/tree.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/stream_trim.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/struct_skip.hpp>
#include <thriftlens/schema/schema.hpp>

#include <exception>

using namespace thriftlens_test;

namespace {

enum class position { list, set, key, value };

tl::type type() {
  static const tl::schema schema = tl::schema::parse(
      "struct T { 1: optional i32 n, 2: optional string s (pii = \"blank\"), 3: list<i32> l, "
      "4: set<i32> e, 5: map<i32, i32> m }");
  return schema.type("T");
}
/// A field with an undeclared (or declared) id and an empty container, then a number and a string.
std::string record(tl::binary /*protocol*/, position at, int code, bool is_declared) {
  const auto byte = [](int value) { return std::string(1, static_cast<char>(value)); };
  const std::string size(4, '\0');
  const int id = !is_declared ? 7 : at == position::list ? 3 : at == position::set ? 4 : 5;
  std::string bytes = byte(at == position::list ? 15 : at == position::set ? 14 : 13) + byte(0) + byte(id);
  if (at == position::key)
    bytes += byte(code) + byte(8);
  else if (at == position::value)
    bytes += byte(8) + byte(code);
  else
    bytes += byte(code);
  return bytes + size + std::string("\x08\x00\x01\x00\x00\x00\x05\x0b\x00\x02\x00\x00\x00\x01x\x00", 16);
}
/// Types of empty maps have no bytes in Compact, and an element type has four bits.
std::string record(tl::compact /*protocol*/, position at, int code, bool is_declared) {
  const auto byte = [](int value) { return std::string(1, static_cast<char>(value)); };
  const int id = !is_declared ? 7 : at == position::list ? 3 : at == position::set ? 4 : 5;
  const bool is_map = at == position::key || at == position::value;
  const int wire = at == position::list ? 9 : at == position::set ? 10 : 11;
  return byte(id << 4 | wire) + byte(is_map ? 0 : code & 15) + byte(5) + byte(2) + byte(10) + byte(8) +
         byte(4) + byte(1) + "x" + byte(0);
}

/// Whether Apache's reader accepts the bytes. It reads values only by their wire types.
template <class P>
bool reads(std::string_view bytes) {
  try {
    static_cast<void>(decode<P>(bytes));
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// The results of all operations on the bytes; nothing if they are rejected.
template <class P>
std::vector<std::pair<const char*, std::string>> answers(const std::string& bytes) {
  std::vector<std::pair<const char*, std::string>> items;
  const tl::view<P> root(bytes, type());
  const auto add = [&](const char* name, const auto& answer) {
    if (answer) items.emplace_back(name, answer->str());
  };
  typename P::reader skipping{tl::byte_view(bytes)};
  if (skipping.skip(ttype::struct_)) items.emplace_back("skip", bytes);
  tl::detail::struct_skip parts;
  parts.start(P::id, 64, 1000);
  parts.feed(bytes);
  if (parts.at_end()) items.emplace_back("skip in parts", bytes);
  if (tl::try_validate(tl::view<P>(bytes, type()))) items.emplace_back("validate", bytes);
  add("edit", tl::edit<P>(root).set("$.n", 6).try_apply());
  add("erase", tl::edit<P>(root).erase("$.s").try_apply());
  const tl::selection selected = tl::selection::compile(type(), "{ * -s }");
  add("trim", tl::try_trim(root, selected));
  tl::stream_trimmer<P> trimmer(selected);
  tl::buffer out;
  if (trimmer.try_feed(bytes, out) && trimmer.try_finish()) items.emplace_back("trim in parts", out.str());
  add("redact", tl::try_redact(root, tl::redaction::compile(type(), {.annotation = "pii"})));
  return items;
}

// Apache's reader loads the byte as an enum, which is undefined from 32 on: UBSan stops the program there.
constexpr int codes_that_apache_may_load() {
#if defined(__has_feature)
#if __has_feature(undefined_behavior_sanitizer)
  return 32;
#endif
#endif
  return 256;
}

template <class P>
struct empty_containers : testing::Test {};
TYPED_TEST_SUITE(empty_containers, protocols);

TYPED_TEST(empty_containers, rewritten_empty_containers_are_readable_by_apache) {
  for (const position at : {position::list, position::set, position::key, position::value}) {
    for (int code = 0; code < codes_that_apache_may_load(); ++code) {
      // Apache's libraries know uuids since 0.21.
      const int uuid = TypeParam::id == tl::protocol_id::binary ? 16 : 13;
      if ((TypeParam::id == tl::protocol_id::binary ? code : code & 15) == uuid) continue;
      for (const bool is_declared : {false, true}) {
        const std::string bytes = record(TypeParam(), at, code, is_declared);
        const bool is_read = reads<TypeParam>(bytes);
        const auto actual = answers<TypeParam>(bytes);
        for (const auto& [operation, written] : actual) {
          EXPECT_TRUE(is_read) << operation << " accepts type " << code << " at " << static_cast<int>(at);
          EXPECT_TRUE(reads<TypeParam>(written)) << operation << ' ' << code;
        }
        if (is_read && !is_declared) {
          EXPECT_EQ(actual.size(), 8u) << code << " at " << static_cast<int>(at) << " is refused";
        }
      }
    }
  }
}

}  // namespace
