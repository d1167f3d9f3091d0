#include <thriftlens/schema/type.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

#include <ranges>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace {
const tl::schema& orders() {
  static const tl::schema schema = tl::schema::parse(R"(
    /** The states. */
    enum State { NEW = 1, PAID = 5 (label = "paid up"), ALIAS = 1 }
    typedef string Email (pii = "email")
    typedef map<string, list<Email>> Book
    struct Order {
      9: required i64 id (api.key = "order_id")
      /** Who ordered. */
      2: optional Email email (go.tag = 'json:"mail,omitempty"')
      3: Book book
      4: State state = State.PAID
      5: set<uuid> ids
      6: binary (secret) raw
    } (table = "orders", table = "second")
    union U { 1: i32 a, 2: string b }
    exception E { 1: string why }
  )");
  return schema;
}
}  // namespace

TEST(type, has_kind_wire_type_and_name_with_resolved_typedefs) {
  const tl::type order = orders().type("Order");
  EXPECT_EQ(order.kind(), tl::type_kind::struct_);
  EXPECT_EQ(order.name(), "Order");
  EXPECT_EQ(orders().type("U").kind(), tl::type_kind::union_);
  EXPECT_EQ(orders().type("E").kind(), tl::type_kind::exception_);
  EXPECT_EQ(orders().type("Email").kind(), tl::type_kind::string);
  const tl::type book = order.find_field("book").type();
  EXPECT_EQ(book.kind(), tl::type_kind::map);
  EXPECT_EQ(book.wire(), tl::ttype::map);
  EXPECT_EQ(book.name(), "map<string, list<string>>");
  EXPECT_EQ(book, orders().type("Book"));
  EXPECT_EQ(book.value().element().kind(), tl::type_kind::string);
  EXPECT_EQ(order.find_field("ids").type().element().kind(), tl::type_kind::uuid);
  EXPECT_EQ(order.find_field("raw").type().kind(), tl::type_kind::binary);
  EXPECT_EQ(order.find_field("raw").type().wire(), tl::ttype::string);
  EXPECT_FALSE(tl::type());
}

TEST(type, lists_fields_in_source_order_and_finds_them_by_id_name_and_alias) {
  const tl::type order = orders().type("Order");
  std::vector<std::string_view> names;
  for (tl::field_info field : order.fields()) names.push_back(field.name());
  EXPECT_EQ(names, (std::vector<std::string_view>{"id", "email", "book", "state", "ids", "raw"}));
  EXPECT_EQ(order.find_field(std::int16_t{9}).name(), "id");
  EXPECT_EQ(order.find_field("email").id(), 2);
  EXPECT_FALSE(order.find_field("nothing"));
  EXPECT_EQ(order.find_field("id").alias(), "order_id");
  EXPECT_EQ(order.find_field("email").alias(), "mail");
  EXPECT_EQ(order.find_field("book").alias(), "book");
  EXPECT_EQ(order.field_by_alias("mail").id(), 2);
  EXPECT_EQ(order.field_by_alias("book").id(), 3);
  EXPECT_FALSE(order.field_by_alias("email"));
}

TEST(type, has_requiredness_defaults_docs_and_annotations) {
  const tl::type order = orders().type("Order");
  EXPECT_EQ(order.find_field("id").requiredness(), tl::field_requiredness::required);
  EXPECT_EQ(order.find_field("email").requiredness(), tl::field_requiredness::optional);
  EXPECT_EQ(order.find_field("book").requiredness(), tl::field_requiredness::default_);
  EXPECT_EQ(orders().type("U").find_field("a").requiredness(), tl::field_requiredness::optional);
  EXPECT_TRUE(order.find_field("state").has_default());
  EXPECT_EQ(order.find_field("state").default_binary().text(), std::string_view("\0\0\0\5", 4));
  EXPECT_EQ(order.find_field("state").default_compact().text(), "\x0a");
  EXPECT_FALSE(order.find_field("id").has_default());
  EXPECT_EQ(order.find_field("email").doc(), "Who ordered.");
  EXPECT_EQ(order.annotations().find("table"), "orders");
  EXPECT_EQ(order.annotations().size(), 2u);
  EXPECT_EQ(order.find_field("email").type_annotations().find("pii"), "email");
  EXPECT_EQ(order.find_field("raw").type_annotations().find("secret"), "1");
  EXPECT_EQ(order.find_field("id").annotations().find("nothing"), std::nullopt);
}

TEST(type, enum_lookups_prefer_the_first_name_of_a_number) {
  const tl::type state = orders().type("State");
  EXPECT_TRUE(state.is_enum());
  EXPECT_EQ(state.doc(), "The states.");
  EXPECT_EQ(state.members().size(), 3u);
  EXPECT_EQ(state.member_name(1), "NEW");
  EXPECT_EQ(state.member_name(5), "PAID");
  EXPECT_EQ(state.member_name(2), "");
  EXPECT_EQ(state.member_value("ALIAS"), 1);
  EXPECT_EQ(state.member_value("nothing"), std::nullopt);
  EXPECT_EQ(state.members()[1].annotations().find("label"), "paid up");
}

template <class Range>
constexpr bool is_forward_view =
    std::ranges::forward_range<Range> && std::ranges::view<Range> && std::ranges::borrowed_range<Range> &&
    std::ranges::sized_range<Range> && std::ranges::common_range<Range>;
static_assert(is_forward_view<tl::handle_range<tl::field_info>> && is_forward_view<tl::annotation_range>);
static_assert(is_forward_view<tl::handle_range<tl::enum_member_info>>);

TEST(type, ranges_work_with_adaptors_and_algorithms) {
  const tl::type order = orders().type("Order");
  std::vector<std::string_view> names;
  for (std::string_view name : order.fields() | std::views::filter(&tl::field_info::has_default) |
                                   std::views::transform(&tl::field_info::name) | std::views::take(3))
    names.push_back(name);
  EXPECT_EQ(names, std::vector<std::string_view>{"state"});
  const auto found = std::ranges::find(order.fields(), "book", &tl::field_info::name);
  EXPECT_EQ((*found).id(), 3);
  EXPECT_EQ(std::ranges::count(orders().type("State").members(), 1, &tl::enum_member_info::value), 2);
  EXPECT_EQ(std::ranges::distance(order.annotations()), 2);
}

TEST(type, handles_are_keys_of_unordered_containers) {
  const tl::type order = orders().type("Order");
  std::unordered_map<tl::type, int> types{{order, 1}, {orders().type("State"), 2}};
  ++types[orders().type("Order")];
  EXPECT_EQ(types.size(), 2u);
  EXPECT_EQ(types[order], 2);
  EXPECT_EQ(types.count(tl::type()), 0u);
  const tl::schema other = tl::schema::parse("struct Order {}");
  EXPECT_FALSE(types.contains(other.type("Order")));
  std::unordered_set<tl::field_info> fields;
  for (int pass = 0; pass < 2; ++pass) {
    for (tl::field_info each : order.fields()) fields.insert(each);
  }
  EXPECT_EQ(fields.size(), order.fields().size());
  const auto members = orders().type("State").members();
  EXPECT_EQ(members[1], members[1]);
  EXPECT_EQ((std::unordered_set<tl::enum_member_info>{members[0], members[1], members[0]}.size()), 2u);
  EXPECT_NE(order.annotations()[0], order.annotations()[1]);
  EXPECT_EQ((std::unordered_set<tl::annotation_info>{order.annotations()[0], order.annotations()[0]}.size()),
            1u);
}

TEST(type, handles_are_printed_by_name) {
  const tl::type order = orders().type("Order");
  std::ostringstream out;
  out << order << ' ' << order.find_field("book").type() << ' ' << order.find_field("book") << ' '
      << tl::type() << ' ' << order.find_field("nothing") << ' ' << orders().type("State").members()[1] << ' '
      << order.kind() << ' ' << order.wire();
  EXPECT_EQ(out.str(), "Order map<string, list<string>> book (none) (none) PAID struct struct");
}
