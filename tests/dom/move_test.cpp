#include <thriftlens/dom/move.hpp>

#include "dom/sample_document.hpp"

namespace {

using namespace thriftlens_test;
using testing::ElementsAre, tl::errc;

template <class P>
class move : public sample_document<P> {};
TYPED_TEST_SUITE(move, both_protocols);

TYPED_TEST(move, moves_within_a_document_without_copying) {
  const tl::node root = this->doc.root(), leaf = root["leaf"];
  root.create("kids").append(tl::empty_value{});
  root["kids"].append(tl::empty_value{}).set("name", "second");
  const tl::node kid = root["kids"][0];
  kid.set("name", "first");
  leaf.set("number", 7);
  const tl::node number = leaf["number"];
  const tl::node moved = kid.move("leaf", leaf);
  EXPECT_FALSE(root["leaf"]);
  EXPECT_EQ(moved["number"].template as<std::int32_t>(), 7);
  EXPECT_EQ(number.template as<std::int32_t>(), 7);  // a node inside is moved with it
  EXPECT_EQ(number.path(), "$.kids[0].leaf.number");
  number.set(8);
  EXPECT_EQ(root.at("$.kids[0].leaf.number").template as<std::int32_t>(), 8);
  // Elements: in front of an index of the list as it was, also within one list.
  EXPECT_EQ(root["kids"].move(2, root["kids"][0]).path(), "$.kids[1]");
  EXPECT_EQ(root.at("$.kids[1].name").template as<std::string>(), "first");
  EXPECT_EQ(root["kids"].move(0, root["kids"][1]).path(), "$.kids[0]");
  EXPECT_EQ(root.at("$.kids[0].leaf.number").template as<std::int32_t>(), 8);
  EXPECT_EQ(root["kids"].size(), 2u);
  // Entries by another key: the replaced entry disappears.
  root["named"].move("a", root["named"]["b"]);
  EXPECT_THAT(keys_of(root["named"]), ElementsAre("a"));
  root["named"].move("c", root["kids"][1]);
  EXPECT_EQ(root["named"]["c"]["name"].template as<std::string>(), "second");
  EXPECT_EQ(root["kids"].size(), 1u);
  // A child takes the place of its parent.
  root["kids"].move(0, root["named"]["c"]);
  root.move("leaf", root["kids"][1]["leaf"]);
  EXPECT_EQ(root.at("$.leaf.number").template as<std::int32_t>(), 8);
  EXPECT_EQ(root.move("leaf", root["leaf"]).path(), "$.leaf");
  // Written and read again it is the same.
  const std::string out = this->written();
  tl::document second;
  second.load_all<TypeParam>(out, dom_schema().type("Tree"));
  EXPECT_EQ(second.at("$.kids[0].name").template as<std::string>(), "second");
  EXPECT_EQ(second.at("$.leaf.number").template as<std::int32_t>(), 8);
}

TYPED_TEST(move, an_element_moves_into_its_neighbour) {
  const tl::node typed = this->doc.root().create("kids");
  for (const char* name : {"first", "second"}) typed.append(tl::empty_value{}).set("name", name);
  const std::string original = this->written();
  tl::document untyped;
  untyped.load<TypeParam>(original);
  const tl::node kids = untyped.root()[2];
  EXPECT_EQ(kids[1].move(50, kids[0])[10].template as<std::string>(), "first");
  EXPECT_EQ(kids.size(), 1u);
  EXPECT_EQ(kids[0][10].template as<std::string>(), "second");
}

TYPED_TEST(move, between_documents_copies_and_erases) {
  tl::document second;
  second.start<tl::compact>(dom_schema().type("Tree"));
  second.root().move("leaf", this->doc["leaf"]);
  second.root().create("numbers").move(0, this->doc["numbers"][-1]);
  EXPECT_FALSE(this->doc["leaf"]);
  EXPECT_THAT(elements_as<std::int32_t>(this->doc["numbers"]), ElementsAre(30, -10));
  EXPECT_THAT(elements_as<std::int32_t>(second["numbers"]), ElementsAre(20));
  EXPECT_EQ(second["leaf"]["number"].template as<std::int32_t>(), 42);
}

TYPED_TEST(move, rejects_impossible_moves) {
  const tl::node root = this->doc.root();
  root.create("kids").append(tl::empty_value{}).create("kids").append(tl::empty_value{});
  const std::string original = this->written();
  const tl::error cycle = root["kids"][0]["kids"].try_move(0, root["kids"][0]).error();
  EXPECT_EQ(cycle.code(), errc::edit_conflict);
  EXPECT_EQ(cycle.detail(), "a value cannot be moved into itself");
  EXPECT_EQ(root["kids"].try_move(0, root).error().code(), errc::wrong_type);
  EXPECT_EQ(root["kids"].try_move(9, root["kids"][0]).error().code(), errc::bad_index);
  EXPECT_EQ(root.try_move("leaf", root["kids"][0]).error().code(), errc::value_type);
  EXPECT_EQ(root.try_move("leaf", root["nothing"]).error().code(), errc::no_such_field);
  EXPECT_EQ(root.try_move("leaf", root["kids"][5]).error().code(), errc::bad_index);
  EXPECT_EQ(root.try_move("nothing", root["leaf"]).error().code(), errc::no_such_field);
  EXPECT_EQ(this->written(), original);
}

TYPED_TEST(move, keeps_the_limit_of_depth) {
  tl::document deep;
  deep.start<TypeParam>(dom_schema().type("Tree"), {.limits = {.depth = 6}});
  const tl::node root = deep.root();
  const tl::node low =
      root.create("kids").append(tl::empty_value{}).create("kids").append(tl::empty_value{});  // 5 levels
  const tl::node kid = root["kids"].append(tl::empty_value{});
  kid.create("named");
  EXPECT_EQ(low.create("leaf").path(), "$.kids[0].kids[0].leaf");
  EXPECT_EQ(low.create("kids").try_move(0, kid).error().code(), errc::depth_limit);
  EXPECT_TRUE(root["kids"][1]["named"]);
  low.erase("kids");
  root["kids"][0]["kids"].move(0, root["kids"][1]);
  EXPECT_EQ(root["kids"][0]["kids"][0].create("named").size(), 0u);
  EXPECT_EQ(root["kids"][0]["kids"][0]["named"].try_set("k", tl::empty_value{}).error().code(),
            errc::depth_limit);
}

TYPED_TEST(move, the_new_node_is_the_moved_value_also_where_erased_slots_are_removed) {
  const tl::node root = this->doc.root(), named = root["named"];
  tl::node moved = named["a"];
  for (int i = 0; i < 40; ++i) {
    moved = named.move("moved" + std::to_string(i), moved);
    ASSERT_EQ(moved["name"].template as<std::string>(), "inner") << i;
    ASSERT_EQ(moved.path(), "$.named{\"moved" + std::to_string(i) + "\"}");
  }
  EXPECT_EQ(named.size(), 2u);
}

}  // namespace
