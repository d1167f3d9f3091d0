// Decodes values located by a path in a view, in both protocols.
#include <thriftlens/codec/decode.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/encode.hpp>
#include <thriftlens/schema/schema.hpp>
#include <thriftlens/view/view.hpp>

namespace {

struct item {
  std::string sku;
  std::int64_t cents = 0;
  bool operator==(const item&) const = default;
};
struct order {
  std::int32_t id = 0;
  bool paid = false;
  std::vector<item> items;
  std::map<std::string, item> by_name;
  std::string note;
};

const order sample_order{7, true, {{"a-1", 100}, {"b-22", -5}}, {{"gift", {"c-333", 1LL << 40}}}, "note"};

tl::type order_type() {
  static const tl::schema schema = tl::schema::parse(R"(
    struct Item { 1: string sku, 2: i64 cents }
    struct Order { 1: i32 id, 2: bool paid, 3: list<Item> items, 4: map<string, Item> by_name, 5: string note })");
  return schema.type("Order");
}

template <class Protocol>
struct codec_located : testing::Test {
  tl::buffer bytes = [] {
    tl::buffer out;
    tl::append_encoded<Protocol>(sample_order, out);
    return out;
  }();
  [[nodiscard]] tl::view<Protocol> root() const { return {bytes, order_type()}; }
  // The offset of a text that occurs once in the message.
  [[nodiscard]] std::size_t place(std::string_view text) const { return bytes.text().find(text); }
};
using both_protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(codec_located, both_protocols);

template <class T, class View>
tl::error error_of(const View& at) {
  const auto actual = tl::try_decode<T>(at);
  EXPECT_FALSE(actual);
  return actual ? tl::error() : actual.error();
}

}  // namespace

template <>
struct tl::binding<item> : tl::numbered {};
template <>
struct tl::binding<order> : tl::numbered {};

TYPED_TEST(codec_located, located_values_of_every_kind_are_decoded) {
  const auto root = this->root();
  EXPECT_EQ(tl::decode<item>(root.at("$.items[1]")), sample_order.items[1]);
  EXPECT_EQ(tl::decode<item>(root.at(R"($.by_name{"gift"})")), sample_order.by_name.at("gift"));
  EXPECT_EQ(tl::decode<std::vector<item>>(root["items"]), sample_order.items);
  EXPECT_EQ((tl::decode<std::map<std::string, item>>(root["by_name"])), sample_order.by_name);
  EXPECT_EQ(tl::decode<std::string>(root["note"]), "note");
  EXPECT_EQ(tl::decode<std::int32_t>(root["id"]), 7);
  EXPECT_TRUE(tl::decode<bool>(root["paid"]));
  EXPECT_EQ(tl::decode<order>(root).items, sample_order.items);
  EXPECT_EQ(tl::decode<std::string_view>(root.at("$.items[0].sku")).data(),
            this->bytes.text().data() + this->place("a-1"));
}

TYPED_TEST(codec_located, errors_name_offset_and_path_in_the_whole_message) {
  // The sku of the second item claims more than there is.
  this->bytes.data()[this->place("b-22") - 1] = 0x7f;
  const tl::error cut = error_of<item>(this->root().at("$.items[1]"));
  EXPECT_EQ(cut.code(), tl::errc::truncated);
  EXPECT_EQ(cut.path(), "$.items[1].sku");
  EXPECT_EQ(cut.offset(), this->place("b-22") - (std::is_same_v<TypeParam, tl::binary> ? 4 : 1));
  EXPECT_EQ(tl::decode<item>(this->root().at("$.items[0]")), sample_order.items[0]);
}

TYPED_TEST(codec_located, lookup_errors_are_reported) {
  const tl::error other = error_of<std::int64_t>(this->root()["note"]);
  EXPECT_EQ(other.code(), tl::errc::wrong_type);
  EXPECT_EQ(other.path(), "$.note");
  EXPECT_EQ(other.offset(), this->root()["note"].offset());
  EXPECT_EQ(error_of<item>(this->root().at("$.items[2]")).code(), tl::errc::bad_index);
  EXPECT_EQ(error_of<item>(this->root()["nothing"]).code(), tl::errc::no_such_field);
  EXPECT_THROW(static_cast<void>(tl::decode<item>(this->root().at("$.items[2]"))), tl::error);
}

TYPED_TEST(codec_located, the_root_includes_all_bytes) {
  this->bytes.append(std::string_view("more"));
  const tl::error longer = error_of<order>(this->root());
  EXPECT_EQ(longer.code(), tl::errc::trailing_bytes);
  EXPECT_EQ(longer.offset(), this->bytes.size() - 4);
  EXPECT_EQ(tl::decode<item>(this->root().at("$.items[1]")), sample_order.items[1]);
}
