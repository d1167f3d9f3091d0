#include <thriftlens/dom/merge.hpp>

#include "dom/sample_document.hpp"

#include <thriftlens/edit/edit.hpp>

namespace {

using namespace thriftlens_test;
using testing::ElementsAre, tl::errc;

template <class P>
class merge : public sample_document<P> {};
TYPED_TEST_SUITE(merge, both_protocols);

TYPED_TEST(merge, copies_values_of_the_other_document) {
  model other = this->sample();
  other.fields[0].second.fields.clear();
  other.fields[0].second.fields.emplace_back(std::int16_t{3}, model{.wire = tl::ttype::i16, .number = 3});
  other.fields[0].second.fields.emplace_back(std::int16_t{4}, model{.wire = tl::ttype::i32, .number = 43});
  other.fields[1].second.entries[0].first.text = "new";
  other.fields[1].second.entries[1].second.fields[0].second.text = "theirs";
  other.fields[2].second.elements.resize(1);
  const std::string theirs = wire_bytes_of<tl::compact>(other);
  tl::document second;
  second.load<tl::compact>(theirs, dom_schema().type("Tree"));
  const tl::node root = this->doc.root();
  root.merge(second.root());
  EXPECT_EQ(root["leaf"]["number"].template as<std::int32_t>(), 43);
  EXPECT_EQ(root["leaf"]["text"].template as<std::string>(), "text");
  EXPECT_EQ(root["leaf"]["small"].template as<std::int32_t>(), 3);
  EXPECT_THAT(keys_of(root["named"]), ElementsAre("b", "a", "new"));
  EXPECT_EQ(root["named"]["a"]["name"].template as<std::string>(), "theirs");
  EXPECT_THAT(elements_as<std::int32_t>(root["numbers"]), ElementsAre(30));
  root.merge(second.root(),
             {.lists = tl::merge_options::lists_as::append, .maps = tl::merge_options::maps_as::replace});
  EXPECT_THAT(elements_as<std::int32_t>(root["numbers"]), ElementsAre(30, 30));
  EXPECT_THAT(keys_of(root["named"]), ElementsAre("new", "a"));
  root.merge(root);
  EXPECT_EQ(root["leaf"].try_merge(second.root()["named"]).error().code(), errc::value_type);
}

TYPED_TEST(merge, containers_of_other_wire_types_are_replaced) {
  const auto map_of = [](tl::ttype key) {
    model map{.wire = tl::ttype::map, .key = key, .element = tl::ttype::i32};
    map.entries.emplace_back(model{.wire = key, .number = 300},
                             model{.wire = tl::ttype::i32, .number = static_cast<int>(key)});
    model root{.wire = tl::ttype::struct_};
    root.fields.emplace_back(std::int16_t{1}, map);
    return wire_bytes_of<TypeParam>(root);
  };
  const std::string ours = map_of(tl::ttype::i16), theirs = map_of(tl::ttype::i64);
  tl::document first, second;
  first.load<TypeParam>(ours);
  second.load<TypeParam>(theirs);
  first.root().merge(second.root());
  tl::buffer out;
  first.append_to(out);
  EXPECT_EQ(out.str(), theirs);
}

TYPED_TEST(merge, different_structs_are_refused) {
  const char* const text =
      "struct User { 1: i32 age } struct Shop { 1: i32 id } struct W { 1: User u 2: Shop s }";
  const tl::schema schema = tl::schema::parse(text), same = tl::schema::parse(text);
  model number{.wire = tl::ttype::struct_};
  number.fields.emplace_back(std::int16_t{1}, model{.wire = tl::ttype::i32, .number = 7});
  model both{.wire = tl::ttype::struct_};
  for (const std::int16_t id : {std::int16_t{1}, std::int16_t{2}}) both.fields.emplace_back(id, number);
  const std::string wire = wire_bytes_of<TypeParam>(both);
  tl::document own, twin;
  own.load<TypeParam>(wire, schema.type("W"));
  twin.load<TypeParam>(wire, same.type("W"));
  const tl::node u = own["u"], s = own["s"];
  const tl::view<TypeParam> shop(wire, schema.type("W"));
  for (const auto& refused :
       {u.try_merge(s), u.try_merge(twin["s"]), u.try_set(s), u.try_set(shop["s"]), u.try_set(twin["s"])}) {
    ASSERT_FALSE(refused);
    EXPECT_STREQ(refused.error().what(), "expected User, got a Shop at $.u");
    EXPECT_EQ(refused.error().code(), errc::value_type);
  }
  EXPECT_EQ(own.root().try_move("u", s).error().code(), errc::value_type);
  EXPECT_EQ(tl::edit(shop).set("$.u", shop["s"]).try_apply().error().code(), errc::value_type);
  own.root().merge(twin.root());
  EXPECT_TRUE(u.try_set(twin["u"]));
}

TYPED_TEST(merge, a_failed_merge_changes_nothing) {
  model other = this->sample();
  other.fields[0].second.fields[1].second.number = 43;
  other.fields[0].second.fields.insert(other.fields[0].second.fields.begin() + 1,
                                       {std::int16_t{3}, model{.wire = tl::ttype::i16, .number = 3}});
  other.fields[1].second.entries[0].first.text = "new";
  other.fields[3].second =
      model{.wire = tl::ttype::i64, .number = 1};  // the last field is not declared by the type
  const std::string theirs = wire_bytes_of<tl::compact>(other);
  tl::document second;
  second.load<tl::compact>(theirs);
  const tl::node root = this->doc.root(), number = root["leaf"]["number"], entry = root["named"]["b"];
  using lists = tl::merge_options::lists_as;
  EXPECT_EQ(root.try_merge(second.root(), {.lists = lists::append}).error().code(), errc::value_type);
  EXPECT_FALSE(this->doc.changed());
  EXPECT_EQ(this->written(), this->bytes);
  EXPECT_EQ(number.template as<std::int32_t>(), 42);
  EXPECT_EQ(entry["name"].template as<std::string>(), "inner");
  EXPECT_THAT(keys_of(root["named"]), ElementsAre("b", "a"));
  EXPECT_FALSE(root["named"]["new"]);
  EXPECT_THAT(elements_as<std::int32_t>(root["numbers"]), ElementsAre(30, -10, 20));
  // The same with changes of its own, which stay.
  root["leaf"].set("text", "mine");
  root["named"]["b"].erase();
  const std::string original = this->written();
  EXPECT_FALSE(root.try_merge(second.root(), {.lists = lists::append}));
  EXPECT_EQ(this->written(), original);
  second.root().erase(10);
  EXPECT_TRUE(root.try_merge(second.root(), {.lists = lists::append}));
  EXPECT_THAT(keys_of(root["named"]), ElementsAre("a", "new"));
  EXPECT_EQ(number.template as<std::int32_t>(), 43);
}

TYPED_TEST(merge, a_merge_that_exceeds_a_limit_changes_nothing) {
  model other = this->sample();
  other.fields[0].second.fields.emplace_back(std::int16_t{11},
                                             model{.wire = tl::ttype::string, .text = "unknown"});
  other.fields[1].second.entries[0].first.text = "new";
  const std::string theirs = wire_bytes_of<TypeParam>(other);
  tl::document second;
  second.load<TypeParam>(theirs, dom_schema().type("Tree"));
  std::size_t failed = 0;
  for (std::size_t limit = 0; limit < 2000; limit += 8) {
    tl::document mine;
    if (!mine.try_load<TypeParam>(this->bytes, dom_schema().type("Tree"), {.limits = {.output_size = limit}}))
      continue;
    auto status = mine.root().try_merge(second.root(), {.lists = tl::merge_options::lists_as::append});
    if (status) continue;
    ++failed;
    EXPECT_FALSE(mine.changed()) << limit;
    tl::buffer out;
    EXPECT_TRUE(!mine.try_append_to(out) || out.text() == this->bytes) << limit;
  }
  EXPECT_GT(failed, 3u);
}

}  // namespace
