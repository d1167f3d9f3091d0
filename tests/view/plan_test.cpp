#include <thriftlens/view/plan.hpp>

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/trim.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> allocations = 0;
}

// Counts allocations by all forms of new. Not inlined: gcc would warn about free() paired with new.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* block = operator new(size, std::nothrow)) return block;
  std::abort();
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return operator new(size, std::nothrow);
}
[[gnu::noinline]] void* operator new[](std::size_t size) { return operator new(size); }
[[gnu::noinline]] void operator delete(void* at) noexcept { std::free(at); }
[[gnu::noinline]] void operator delete[](void* at) noexcept { std::free(at); }
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept { std::free(at); }
[[gnu::noinline]] void operator delete[](void* at, std::size_t) noexcept { std::free(at); }
[[gnu::noinline]] void operator delete(void* at, const std::nothrow_t&) noexcept { std::free(at); }
[[gnu::noinline]] void operator delete[](void* at, const std::nothrow_t&) noexcept { std::free(at); }

using tl::errc, tl::presence;
using namespace thriftlens_test;

namespace {

template <class P>
struct plan_of : testing::Test {
  using V = tl::view<P>;
  static std::vector<V> run(const tl::plan& compiled, std::string_view bytes) {
    std::vector<V> actual(compiled.size());
    get_many(V(bytes, compiled.from()), compiled, std::span<V>(actual));
    return actual;
  }
};
TYPED_TEST_SUITE(plan_of, protocols);

const std::vector<std::string_view> every_path = paths_in(R"(
    $.id $.user.name $.user $.items[0].sku $.items[-1].sku $.items[2].price $.items[1].part.price
    $.items[7].sku $.items[-4] $.items[1] $.by_sku{"k1"}.sku $.by_sku{"none"} $.by_sku{"k\"2"}
    $.notes{300} $.notes{-3} $.colors{BLUE} $.colors{5} $.rates{2} $.flags{true} $.groups[0][1].id
    $.groups[-1][0].id $.debug $.payment.card $.payment.voucher $.numbers[2] $.numbers[-1]
    $.deep{"d"}[0]{7}.name $.user.secret $ $.items)");

/// How often `work` allocates.
template <class Work>
std::size_t counted(Work work) {
  const std::size_t previous_size = allocations;
  work();
  return allocations - previous_size;
}

TYPED_TEST(plan_of, nothing_is_allocated_by_get_get_many_skip_and_iteration) {
  using value = tl::view<TypeParam>;
  const std::string& bytes = order_bytes<TypeParam>();
  tree shuffled = sample_order();
  std::reverse(shuffled.fields.begin(), shuffled.fields.end());
  const std::string out_of_order = encode<TypeParam>(shuffled);
  const tl::plan compiled = tl::plan::compile(order_type(), every_path);
  std::vector<value> actual(compiled.size());
  EXPECT_NE(counted([] { static_cast<void>(std::make_unique<int>(1)); }), 0u);
  for (const std::string* text : {&bytes, &out_of_order}) {
    const value v(*text, order_type());
    EXPECT_EQ(counted([&] { get_many(v, compiled, std::span<value>(actual)); }), 0u);
    for (std::size_t i = 0; i < compiled.size(); ++i)
      EXPECT_EQ(counted([&] { static_cast<void>(v.at(compiled[i]).presence()); }), 0u) << every_path[i];
    EXPECT_EQ(counted([&] { static_cast<void>(v["user"]["name"].presence()); }), 0u);
    EXPECT_EQ(counted([&] {
                typename TypeParam::reader in(tl::byte_view(*text), tl::limits{});
                static_cast<void>(in.skip(ttype::struct_));
              }),
              0u);
    EXPECT_EQ(counted([&] {
                std::size_t sum = 0;
                for (const auto& field : v.fields()) sum += field.value.offset();
                for (const auto& item : v["items"].elements()) sum += item["sku"].offset();
                for (const auto& [key, entry] : v["by_sku"].entries()) sum += key.offset() + entry.offset();
                static_cast<void>(sum);
              }),
              0u);
  }
}

TYPED_TEST(plan_of, nothing_is_allocated_by_trims_and_kept_edits_into_a_used_buffer) {
  using value = tl::view<TypeParam>;
  const value v(order_bytes<TypeParam>(), order_type());
  const tl::selection selected =
      tl::selection::compile(order_type(), "{ id items { sku } by_sku { price } }");
  const tl::path name = tl::path::compile(order_type(), "$.user.name"),
                 sku = tl::path::compile(order_type(), "$.items[1].sku");
  tl::edit<TypeParam> reusable(v);
  reusable.set(name, "Bo").set(sku, "other");
  tl::buffer out;
  static_cast<void>(out.prepare(4096));
  const std::uint8_t* position = out.data();
  EXPECT_EQ(counted([&] {
              for (int i = 0; i < 3; ++i) {
                out.clear();
                static_cast<void>(tl::try_append_trimmed(v, selected, out));
                out.clear();
                static_cast<void>(reusable.try_append_to(v, out));
              }
            }),
            0u);
  EXPECT_EQ(counted([&] {
              out.clear();
              tl::edit<TypeParam> result(v);
              result.set(name, "Bo").set(sku, "other");
              static_cast<void>(result.try_append_to(out));
            }),
            0u);
  EXPECT_EQ(out.data(), position);
  EXPECT_EQ(value(out, order_type())["user"]["name"].template as<std::string_view>(), "Bo");
}

TYPED_TEST(plan_of, agrees_with_views) {
  tl::plan compiled = tl::plan::compile(order_type(), every_path);
  auto actual = this->run(compiled, order_bytes<TypeParam>());
  tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  for (std::size_t i = 0; i < every_path.size(); ++i) {
    auto single = v.at(compiled[i]);
    EXPECT_EQ(actual[i].code(), single.code()) << every_path[i];
    EXPECT_EQ(actual[i].location().at.at, single.location().at.at) << every_path[i];
    EXPECT_EQ(actual[i].location().at.depth_left, single.location().at.depth_left) << every_path[i];
    if (single) {
      EXPECT_EQ(actual[i].bytes(), single.bytes()) << every_path[i];
    }
    if (single) {
      EXPECT_EQ(actual[i].type(), single.type()) << every_path[i];
    }
  }
}

TYPED_TEST(plan_of, agrees_with_views_on_malformed_bytes) {
  tl::plan compiled = tl::plan::compile(order_type(), every_path);
  const std::string& complete = order_bytes<TypeParam>();
  for (std::size_t size = 0; size < complete.size(); ++size) {
    std::string cut = complete.substr(0, size);
    auto actual = this->run(compiled, cut);
    tl::view<TypeParam> v(cut, order_type());
    for (std::size_t i = 0; i < every_path.size(); ++i) {
      auto single = v.at(compiled[i]);
      // One pass stops at the first fault; a single get may end before it.
      if (actual[i].code() == errc::truncated) continue;
      ASSERT_EQ(actual[i].code(), single.code()) << every_path[i] << ' ' << size;
      ASSERT_EQ(actual[i].location().at.at, single.location().at.at) << every_path[i] << ' ' << size;
    }
  }
}

TYPED_TEST(plan_of, returns_the_number_found_and_shares_slots_for_equal_paths) {
  tl::plan compiled = tl::plan::compile(order_type(), {"$.id", "$.#1", "$.payment.card"});
  std::vector<tl::view<TypeParam>> actual;
  EXPECT_EQ(get_many(tl::view<TypeParam>(order_bytes<TypeParam>(), order_type()), compiled, actual), 2u);
  EXPECT_EQ(actual[1].template as<std::int64_t>(), 77);
  EXPECT_EQ(actual[2].presence(), presence::absent);
}

TYPED_TEST(plan_of, stops_after_the_last_requested_value) {
  const std::string& complete = order_bytes<TypeParam>();
  std::string cut = complete.substr(0, complete.find("s3cret"));
  tl::plan compiled = tl::plan::compile(order_type(), {"$.id", "$.user.name"});
  EXPECT_EQ(this->run(compiled, cut)[1].template as<std::string_view>(), "Ann");
}

TYPED_TEST(plan_of, fields_out_of_order_and_duplicated) {
  std::string bytes = encode<TypeParam>(
      structure({{10, text("d")}, {2, structure({{2, text("Bo")}, {1, i64(3)}})}, {1, i64(5)}, {1, i64(6)}}));
  tl::plan compiled =
      tl::plan::compile(order_type(), {"$.id", "$.user.id", "$.user.name", "$.debug", "$.payment"});
  auto actual = this->run(compiled, bytes);
  EXPECT_EQ(actual[0].template as<std::int64_t>(), 5);
  EXPECT_EQ(actual[1].template as<std::int64_t>(), 3);
  EXPECT_EQ(actual[2].template as<std::string_view>(), "Bo");
  EXPECT_EQ(actual[3].template as<std::string_view>(), "d");
  EXPECT_EQ(actual[4].code(), errc::absent);
}

TYPED_TEST(plan_of, a_wire_type_mismatch_fails_only_its_branch) {
  std::string bytes = encode<TypeParam>(structure({{1, text("no number")},
                                                   {2, structure({{1, i32(3)}, {2, text("Bo")}})},
                                                   {3, list(ttype::i32, {i32(1)})},
                                                   {10, text("d")}}));
  tl::plan compiled =
      tl::plan::compile(order_type(), {"$.id", "$.user.id", "$.user.name", "$.items[0].sku", "$.debug"});
  auto actual = this->run(compiled, bytes);
  EXPECT_EQ(actual[0].code(), errc::type_mismatch);
  EXPECT_EQ(actual[0].error().path(), "$.id");
  EXPECT_EQ(actual[1].code(), errc::type_mismatch);
  EXPECT_EQ(actual[2].template as<std::string_view>(), "Bo");
  EXPECT_EQ(actual[3].code(), errc::type_mismatch);
  EXPECT_EQ(actual[4].template as<std::string_view>(), "d");
}

TYPED_TEST(plan_of, one_struct_with_hundreds_of_fields) {
  std::string idl = "struct Wide {";
  tree value = structure({});
  std::vector<std::string> texts;
  for (int i = 1; i <= 300; ++i) {
    idl += std::to_string(i) + ": i32 f" + std::to_string(i) + " ";
    if (i % 3 != 0) value.fields.push_back({static_cast<std::int16_t>(i), i32(i * 10)});
    texts.push_back("$.f" + std::to_string(i));
  }
  value.fields.push_back({1, i32(-1)});
  tl::schema schema = tl::schema::parse(idl + "}");
  std::vector<std::string_view> views(texts.begin(), texts.end());
  tl::plan compiled = tl::plan::compile(schema.type("Wide"), views);
  std::string bytes = encode<TypeParam>(value);
  auto actual = this->run(compiled, bytes);
  for (int i = 1; i <= 300; ++i) {
    auto at = static_cast<std::size_t>(i - 1);
    if (i % 3 == 0)
      EXPECT_EQ(actual[at].code(), errc::absent);
    else
      EXPECT_EQ(actual[at].template as<int>(), i * 10);
  }
}

TYPED_TEST(plan_of, struct_keys_by_wire_bytes) {
  std::string key = encode<TypeParam>(structure({{1, i64(5)}}));
  std::string hex;
  for (char c : key) {
    constexpr char digits[] = "0123456789abcdef";
    hex += digits[static_cast<unsigned char>(c) >> 4];
    hex += digits[static_cast<unsigned char>(c) & 15];
  }
  std::string text = "$.by_user{x\"" + hex + "\"}";
  tl::plan compiled = tl::plan::compile(order_type(), {text, "$.by_user{x\"00\"}"});
  auto actual = this->run(compiled, order_bytes<TypeParam>());
  EXPECT_EQ(actual[0].template as<int>(), 55);
  EXPECT_EQ(actual[1].code(), errc::absent);
}

TYPED_TEST(plan_of, without_a_schema) {
  tl::plan compiled = tl::plan::compile(tl::type(), {"$#2.#2", "$#3[1].#1", "$#200", "$#2.#77"});
  auto actual = this->run(compiled, order_bytes<TypeParam>());
  EXPECT_EQ(actual[0].template as<std::string_view>(), "Ann");
  EXPECT_EQ(actual[1].template as<std::string_view>(), "b");
  EXPECT_TRUE(actual[2].template as<bool>());
  EXPECT_EQ(actual[3].code(), errc::absent);
}

TEST(plan, rejects_paths_to_many_values_and_contradictions) {
  std::string_view many[] = {"$.items[*]"};
  EXPECT_EQ(tl::plan::try_compile(order_type(), many).error().code(), errc::wrong_type);
  std::string_view contradict[] = {"$#1[0]", "$#1.#2"};
  EXPECT_EQ(tl::plan::try_compile(tl::type(), contradict).error().code(), errc::wrong_type);
  std::string_view unknown[] = {"$.id", "$.nope"};
  EXPECT_EQ(tl::plan::try_compile(order_type(), unknown).error().code(), errc::no_such_field);
}

TYPED_TEST(plan_of, of_another_type_returns_wrong_type_for_every_path) {
  const tl::plan compiled = tl::plan::compile(order_type(), {"$.id", "$.user.name", "$.items[0]"});
  const typename TestFixture::V complete(order_bytes<TypeParam>(), order_type());
  const auto ask = [&](const typename TestFixture::V& from) {
    std::vector<typename TestFixture::V> actual(compiled.size());
    EXPECT_EQ(get_many(from, compiled, std::span<typename TestFixture::V>(actual)), 0u);
    return actual;
  };
  for (const auto& item : ask(complete["user"])) {
    EXPECT_EQ(item.code(), errc::wrong_type);
    EXPECT_EQ(item.presence(), presence::error);
  }
  for (const auto& item : ask(complete["id"])) EXPECT_EQ(item.code(), errc::wrong_type);
  for (const auto& item : ask(typename TestFixture::V(order_bytes<TypeParam>())))
    EXPECT_EQ(item.code(), errc::wrong_type);
  for (const auto& item : ask(complete["nonsense"])) EXPECT_EQ(item.code(), errc::no_such_field);
  for (const auto& item : ask(complete["payment"]["card"])) EXPECT_EQ(item.code(), errc::absent);
}

TEST(plan, get_many_takes_texts) {
  const tl::view<tl::binary> v(order_bytes<tl::binary>(), order_type());
  const auto actual = tl::get_many(v, {"$.id", "$.user.name", "$.items[9]"});
  ASSERT_EQ(actual.size(), 3u);
  EXPECT_EQ(actual[0].as<std::int64_t>(), 77);
  EXPECT_EQ(actual[1].as<std::string_view>(), "Ann");
  EXPECT_EQ(actual[2].presence(), tl::presence::absent);
  EXPECT_EQ(tl::try_get_many(v, {"$.id", "$.usr"}).error().code(), tl::errc::no_such_field);
  EXPECT_EQ(tl::try_get_many(v["nope"], {"$.id"}).error().code(), tl::errc::no_such_field);
}

TEST(plan, get_takes_one_path_or_its_text) {
  const tl::view<tl::binary> v(order_bytes<tl::binary>(), order_type());
  EXPECT_EQ(tl::get(v, "$.user.name").as<std::string_view>(), "Ann");
  EXPECT_EQ(tl::get(v, tl::path::compile(order_type(), "$.id")).as<std::int64_t>(), 77);
  EXPECT_EQ(tl::get(v, "$.items[9]").presence(), tl::presence::absent);
  EXPECT_THROW(static_cast<void>(tl::get(v, "$.usr")), tl::error);
  EXPECT_EQ(tl::try_get(v, "$.usr").error().code(), tl::errc::no_such_field);
  const auto id = tl::try_get(v, "$.id").and_then([](const auto& at) { return at.template try_as<int>(); });
  EXPECT_EQ(id.error().code(), tl::errc::wrong_type);
  EXPECT_EQ(tl::try_get(v, "$.id").transform(&tl::view<tl::binary>::offset), v["id"].offset());
}

TEST(plan, texts_are_accepted_by_get_many_and_try_get_many) {
  EXPECT_EQ(tl::plan::try_compile(order_type(), {"$.id", "$.user.name"})->size(), 2u);
  const tl::error typo = tl::plan::try_compile(order_type(), {"$.id", "$.user.nmae"}).error();
  EXPECT_EQ(typo.code(), tl::errc::no_such_field);
  EXPECT_EQ(typo.offset(), 6u);
  EXPECT_NE(typo.detail().find("did you mean 'name'?"), std::string_view::npos) << typo.what();
}

TEST(plan, get_many_into_another_number_of_views_writes_no_value) {
  const tl::view<tl::binary> v(order_bytes<tl::binary>(), order_type());
  const tl::plan compiled = tl::plan::compile(order_type(), {"$.id", "$.user"});
  std::vector<tl::view<tl::binary>> small(1), many(3);
  for (auto* item : {&small, &many}) {
    EXPECT_EQ(tl::get_many(v, compiled, std::span<tl::view<tl::binary>>(*item)), 0u);
    for (const auto& single : *item) EXPECT_EQ(single.code(), tl::errc::buffer_too_small);
  }
}

template <class Plan>
concept gives_steps_when_temporary = requires(Plan&& of) { std::forward<Plan>(of)[0]; };
static_assert(gives_steps_when_temporary<const tl::plan&> && !gives_steps_when_temporary<tl::plan>);

}  // namespace
