// Stack that nested input uses: at most 1.5 KiB a level without optimization (docs/hostile-input.md).
#include <thriftlens/json.hpp>

#include <thriftlens/json/tjson.hpp>
#include <thriftlens/thriftlens.hpp>
#include "support/test.hpp"

#include <pthread.h>
#include <sys/mman.h>

namespace stack_test {

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr std::size_t level_limit = 16384;  // the sanitizer pads each variable
#else
constexpr std::size_t level_limit = 1536;
#endif
constexpr std::size_t stack_size = level_limit * 1280;
constexpr std::size_t page_size = 256;
constexpr unsigned char untouched = 0xa5;

/// Bytes of a fresh thread's stack that `run` writes to.
inline std::size_t stack_used(const std::function<void()>& run) {
  void* const stack = mmap(nullptr, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(stack, MAP_FAILED);
  std::memset(stack, untouched, stack_size);
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, stack_size);
  const auto start = [](void* function) {
    return (*static_cast<const std::function<void()>*>(function))(), static_cast<void*>(nullptr);
  };
  EXPECT_EQ(pthread_create(&thread, &attributes, start, const_cast<std::function<void()>*>(&run)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  std::size_t lowest = 0;
  const std::vector<unsigned char> page(page_size, untouched);
  while (lowest < stack_size && std::memcmp(static_cast<char*>(stack) + lowest, page.data(), page_size) == 0)
    lowest += page_size;
  munmap(stack, stack_size);
  return stack_size - lowest;
}

struct chain {
  std::unique_ptr<chain> next;
  std::vector<chain> list;
  std::optional<std::int32_t> number;
};

}  // namespace stack_test

template <>
struct thriftlens::binding<stack_test::chain> : thriftlens::numbered {};

namespace stack_test {

inline const tl::schema& recursive() {
  static const tl::schema schema = tl::schema::parse(R"idl(
    struct Chain {
      1: optional Chain next
      2: optional list<Chain> list
      3: optional i32 number (pii = "x")
      4: optional map<string, Chain> map
    })idl");
  return schema;
}
inline tl::type chain_type() { return recursive().type("Chain"); }

constexpr tl::limits deep{.depth = tl::limits::max_depth};

/// `levels` structs and containers, one inside the other. Field 9 is unknown to the IDL.
template <class P>
tl::buffer nested(int field, std::uint32_t levels) {
  tl::buffer out;
  typename P::writer writer(out);
  const bool in_list = field == 2, in_map = field == 4;
  const std::uint32_t structs = in_list || in_map ? (levels + 1) / 2 : levels;
  std::vector<decltype(writer.begin_struct())> open;
  for (std::uint32_t i = 0; i < structs; ++i) {
    open.push_back(writer.begin_struct());
    if (i + 1 == structs) break;
    writer.write_field(in_list  ? tl::ttype::list
                       : in_map ? tl::ttype::map
                                : tl::ttype::struct_,
                       static_cast<std::int16_t>(field));
    if (in_list) writer.write_list({tl::ttype::struct_, 1});
    if (in_map) {
      writer.write_map({tl::ttype::string, tl::ttype::struct_, 1});
      writer.write_bytes(tl::byte_view(std::string_view("k")));
    }
  }
  while (!open.empty()) {
    writer.write_stop();
    writer.end_struct(open.back());
    open.pop_back();
  }
  return out;
}

struct sample {
  tl::buffer bytes;
  std::string json;
};

struct operation {
  const char* name;
  std::function<void(const sample&)> run;
};

template <class P>
std::vector<operation> operations() {
  using other = std::conditional_t<std::is_same_v<P, tl::binary>, tl::compact, tl::binary>;
  const auto view_of = [](const sample& in) { return tl::view<P>(in.bytes, chain_type(), deep); };
  return {
      {"validate", [=](const sample& in) { tl::validate(view_of(in), {.limits = deep}); }},
      {"to_json",
       [=](const sample& in) { ASSERT_FALSE(tl::to_json(view_of(in), {.limits = deep}).empty()); }},
      {"from_json",
       [=](const sample& in) {
         ASSERT_FALSE(tl::from_json<P>(chain_type(), in.json, {.limits = deep}).empty());
       }},
      {"tjson",
       [=](const sample& in) {
         const tl::buffer text = tl::convert<P, tl::tjson>(in.bytes, {.limits = deep});
         const tl::buffer back = tl::convert<tl::tjson, P>(text.text(), {.limits = deep, .of = chain_type()});
         ASSERT_FALSE(back.empty());
       }},
      {"convert", [=](const sample& in) { ASSERT_FALSE((tl::convert<P, other>(in.bytes, deep).empty())); }},
      {"document",
       [=](const sample& in) {
         tl::document document;
         document.load_all<P>(in.bytes, chain_type(), {.limits = deep});
         tl::buffer out;
         document.append_to<other>(out);
         ASSERT_FALSE(out.empty());
       }},
      {"decode and encode",
       [=](const sample& in) {
         const chain value = tl::decode<chain, P>(in.bytes, {.limits = deep});
         ASSERT_FALSE(tl::encode<P>(value, {.limits = deep}).empty());
       }},
      {"trim",
       [=](const sample& in) { ASSERT_FALSE(tl::trim(view_of(in), "{ * }", {.limits = deep}).empty()); }},
      {"trim to a type",
       [=](const sample& in) {
         ASSERT_FALSE(tl::trim(view_of(in), chain_type(), {.limits = deep}).empty());
       }},
      {"edit",
       [=](const sample& in) { ASSERT_FALSE(tl::edit(view_of(in)).set("$.number", 7).apply().empty()); }},
      {"redact",
       [=](const sample& in) {
         const auto rules = tl::redaction::compile(chain_type(), {.annotation = "pii"});
         ASSERT_FALSE(tl::redact(view_of(in), rules).empty());
       }},
      {"equal", [=](const sample& in) { ASSERT_TRUE(tl::equal(view_of(in), view_of(in))); }},
      {"differences",
       [=](const sample& in) { ASSERT_TRUE(tl::differences(view_of(in), view_of(in)).empty()); }},
      {"inspect",
       [=](const sample& in) {
         ASSERT_FALSE(tl::inspect<P>(in.bytes, {.limits = deep, .of = chain_type()}).empty());
       }},
      {"identify",
       [=](const sample& in) {
         const tl::type types[] = {chain_type()};
         ASSERT_EQ(tl::identify<P>(in.bytes, types, {.limits = deep}).size(), 1U);
       }},
      {"infer",
       [=](const sample& in) {
         tl::inference draft({.limits = deep});
         draft.add<P>(in.bytes);
         ASSERT_FALSE(draft.idl().empty());
       }},
  };
}

constexpr struct {
  const char* name;
  int field;
} shapes[] = {{"structs", 1}, {"lists", 2}, {"maps", 4}, {"unknown structs", 9}};

/// Stack per level, from two depths, so that constant usage cancels out.
template <class P>
std::size_t stack_per_level(const operation& op, int field) {
  constexpr std::uint32_t depths[] = {100, tl::limits::max_depth - 1};
  std::size_t used[2] = {};
  for (int i = 0; i < 2; ++i) {
    sample in{nested<P>(field, depths[i]), {}};
    if (op.name == std::string_view("from_json"))
      in.json = tl::to_json(tl::view<P>(in.bytes, chain_type(), deep), {.limits = deep}).str();
    used[i] = stack_used([&] { op.run(in); });
  }
  return (std::max(used[1], used[0]) - used[0]) / (depths[1] - depths[0]);
}

template <class P>
void check_stack() {
  for (const auto& [shape, field] : shapes) {
    for (const operation& op : operations<P>()) {
      const std::size_t bytes = stack_per_level<P>(op, field);
      testing::Test::RecordProperty(std::string(op.name) + ", " + shape, static_cast<int>(bytes));
      EXPECT_LE(bytes, level_limit) << op.name << " of " << shape;
    }
  }
}

TEST(stack, a_level_of_binary_is_bounded) { check_stack<tl::binary>(); }
TEST(stack, a_level_of_compact_is_bounded) { check_stack<tl::compact>(); }

}  // namespace stack_test
