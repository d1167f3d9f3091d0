#include <thriftlens/dom/node.hpp>

#include "dom/model.hpp"

#include <thriftlens/dom/document.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace thriftlens_test;
using testing::ElementsAre;
using tl::errc;

template <class P>
class node : public testing::Test {
 protected:
  // kids[2], named {"a","b"}, numbers, leaf …
  static model sample() {
    model leaf{.wire = tl::ttype::struct_};
    leaf.fields.emplace_back(std::int16_t{1}, model{.wire = tl::ttype::bool_, .number = 1});
    leaf.fields.emplace_back(std::int16_t{4}, model{.wire = tl::ttype::i32, .number = 42});
    leaf.fields.emplace_back(std::int16_t{6}, model{.wire = tl::ttype::double_, .real = 2.5});
    leaf.fields.emplace_back(std::int16_t{7}, model{.wire = tl::ttype::string, .text = "text"});
    leaf.fields.emplace_back(std::int16_t{9}, model{.wire = tl::ttype::i32, .number = 5});
    model inner{.wire = tl::ttype::struct_};
    inner.fields.emplace_back(std::int16_t{10}, model{.wire = tl::ttype::string, .text = "inner"});
    model numbers{.wire = tl::ttype::list, .element = tl::ttype::i32};
    for (int each : {30, -10, 20}) numbers.elements.push_back(model{.wire = tl::ttype::i32, .number = each});
    model named{.wire = tl::ttype::map, .key = tl::ttype::string, .element = tl::ttype::struct_};
    for (const char* key : {"b", "a"})
      named.entries.emplace_back(model{.wire = tl::ttype::string, .text = key}, inner);
    model root{.wire = tl::ttype::struct_};
    root.fields.emplace_back(std::int16_t{1}, leaf);
    root.fields.emplace_back(std::int16_t{3}, named);
    root.fields.emplace_back(std::int16_t{4}, numbers);
    root.fields.emplace_back(std::int16_t{10}, model{.wire = tl::ttype::string, .text = "root"});
    return root;
  }
  node() : bytes(wire_bytes_of<P>(sample())) { doc.load<P>(bytes, dom_schema().type("Tree")); }
  std::string written() const {
    tl::buffer out;
    doc.write(out);
    return out.str();
  }
  std::string bytes;
  tl::document doc;
};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(node, protocols);

template <class T>
std::vector<T> elements_as(const tl::node& of) {
  std::vector<T> made;
  for (const tl::node& each : of.elements()) made.push_back(each.as<T>());
  return made;
}
std::vector<std::string> keys_of(const tl::node& of) {
  std::vector<std::string> made;
  for (const tl::node_entry& each : of.entries()) made.push_back(each.key.as<std::string>());
  return made;
}

TYPED_TEST(node, steps_by_name_id_index_key_and_path) {
  const tl::node root = this->doc.root();
  EXPECT_EQ(root["leaf"]["number"].template as<std::int32_t>(), 42);
  EXPECT_EQ(root[1][4].template as<std::int64_t>(), 42);
  EXPECT_TRUE(root["leaf"]["on"].template as<bool>());
  EXPECT_EQ(root["leaf"]["real"].template as<double>(), 2.5);
  EXPECT_EQ(root["numbers"][-1].template as<std::int32_t>(), 20);
  EXPECT_EQ(root["named"]["a"]["name"].template as<std::string_view>(), "inner");
  EXPECT_EQ(root.at("$.named{\"b\"}.name").template as<std::string>(), "inner");
  EXPECT_EQ(root["leaf"].type().name(), "Leaf");
  EXPECT_EQ(root["named"].size(), 2u);
  EXPECT_EQ(root.size(), 4u);
  EXPECT_EQ(root["named"]["a"].path(), "$.named{\"a\"}");
  EXPECT_EQ(root["numbers"][1].path(), "$.numbers[1]");
  EXPECT_FALSE(this->doc.changed());
}

TYPED_TEST(node, a_uuid_key_stands_in_paths_as_text) {
  const tl::schema ids = tl::schema::parse("struct T { 1: map<uuid, i32> m }");
  std::string wire = std::is_same_v<TypeParam, tl::binary> ? std::string("\x0d\0\x01\x10\x08\0\0\0\x01", 9)
                                                           : std::string("\x1b\x01\xd5", 3);
  wire += std::string(16, '\xab') +
          (std::is_same_v<TypeParam, tl::binary> ? std::string("\0\0\0\x02\0", 5) : std::string("\x04\0", 2));
  tl::document own;
  own.load(tl::view<TypeParam>(wire, ids.type("T")));
  const tl::node found = own.root().at("$.m{\"abababab-abab-abab-abab-abababababab\"}");
  EXPECT_EQ(found.template as<std::int32_t>(), 2);
  EXPECT_EQ(found.path(), "$.m{\"abababab-abab-abab-abab-abababababab\"}");
  tl::uuid_bytes id{};
  id.fill(0xab);
  EXPECT_EQ(own.root()["m"].key(id).template as<std::int32_t>(), 2);
}

TYPED_TEST(node, what_is_not_there_says_so) {
  const tl::node root = this->doc.root();
  EXPECT_EQ(root["yes"].presence(), tl::presence::absent);
  EXPECT_EQ(root["yes"].error().path(), "$.yes");
  EXPECT_EQ(root["numbers"][7].code(), errc::bad_index);
  EXPECT_EQ(root["numbers"][7].error().path(), "$.numbers[7]");
  EXPECT_EQ(root["named"]["zz"].error().path(), "$.named{\"zz\"}");
  EXPECT_EQ(root["named"]["zz"].code(), errc::absent);
  EXPECT_EQ(root["nam"].code(), errc::no_such_field);
  EXPECT_THAT(root["nam"].error().what(), testing::HasSubstr("did you mean"));
  EXPECT_EQ(root["nam"]["more"][3].code(), errc::no_such_field);
  EXPECT_EQ(root["name"]["more"].code(), errc::wrong_type);
  EXPECT_EQ(root["named"][5].code(), errc::value_type);
  EXPECT_EQ(root["yes"].template value_or<bool>(true), true);
  EXPECT_EQ(root["name"].template try_as<std::int32_t>().error().code(), errc::wrong_type);
  EXPECT_STREQ(root["name"].template try_as<std::int32_t>().error().detail().data(),
               "expected i32, found string");
  EXPECT_EQ(root.at("$.leaf.tiny").code(), errc::absent);
  EXPECT_EQ(tl::node().code(), errc::absent);
  EXPECT_EQ(tl::node()["x"].code(), errc::absent);
  EXPECT_EQ(this->written(), this->bytes);
}

TYPED_TEST(node, a_failure_outlives_the_element_that_it_was_about) {
  const tl::node numbers = this->doc.root()["numbers"];
  const tl::node below = numbers[0]["x"];
  const tl::error before = below.error();
  EXPECT_EQ(before.code(), errc::wrong_type);
  numbers.insert(0, 1);
  EXPECT_EQ(below.error().code(), errc::wrong_type);
  EXPECT_EQ(below.error().path(), "$.numbers?");
}

TYPED_TEST(node, an_empty_uuid_is_all_zeros) {
  const tl::node leaf = this->doc.root()["leaf"];
  leaf.set("id", tl::uuid_bytes{1, 2, 3});
  leaf.set("id", tl::empty_value{tl::ttype::uuid});
  EXPECT_EQ(leaf["id"].template as<tl::uuid_bytes>(), tl::uuid_bytes{});
}

TYPED_TEST(node, set_of_scalars_is_checked_against_the_type) {
  const tl::node leaf = this->doc.root()["leaf"];
  leaf["number"].set(-7);
  leaf.set("tiny", 127);
  leaf.set("text", "longer than it was");
  leaf.set("color", "GREEN");
  leaf.set("real", 3);
  leaf.set("raw", tl::byte_view("\x01\x02", 2));
  leaf.set("id", tl::uuid_bytes{1, 2, 3});
  EXPECT_EQ(leaf.try_set("tiny", 128).error().code(), errc::value_range);
  EXPECT_EQ(leaf.try_set("number", "seven").error().code(), errc::value_type);
  EXPECT_EQ(leaf.try_set("color", "PINK").error().code(), errc::unknown_enum_name);
  EXPECT_EQ(leaf.try_set("no such", 1).error().code(), errc::no_such_field);
  EXPECT_EQ(leaf["number"].try_set(1.5).error().code(), errc::value_type);
  EXPECT_EQ(leaf["number"].try_set(1.5).error().path(), "$.leaf.number");
  EXPECT_EQ(leaf["small"].try_set(1).error().code(), errc::absent);
  model expected = this->sample();
  model& want = expected.fields[0].second;
  want.fields.clear();
  want.fields.emplace_back(std::int16_t{1}, model{.wire = tl::ttype::bool_, .number = 1});
  want.fields.emplace_back(std::int16_t{2}, model{.wire = tl::ttype::i8, .number = 127});
  want.fields.emplace_back(std::int16_t{4}, model{.wire = tl::ttype::i32, .number = -7});
  want.fields.emplace_back(std::int16_t{6}, model{.wire = tl::ttype::double_, .real = 3});
  want.fields.emplace_back(std::int16_t{7}, model{.wire = tl::ttype::string, .text = "longer than it was"});
  want.fields.emplace_back(std::int16_t{8}, model{.wire = tl::ttype::string, .text = "\x01\x02"});
  want.fields.emplace_back(std::int16_t{9}, model{.wire = tl::ttype::i32, .number = 1});
  want.fields.emplace_back(std::int16_t{10}, model{.wire = tl::ttype::uuid,
                                                   .text = std::string("\1\2\3", 3) + std::string(13, '\0')});
  EXPECT_EQ(this->written(), wire_bytes_of<TypeParam>(expected));
}

TYPED_TEST(node, lists_insert_append_erase_sort_filter) {
  const tl::node numbers = this->doc.root()["numbers"];
  numbers.append(5);
  numbers.insert(0, 1);
  numbers.insert(-1, 4);
  EXPECT_THAT(elements_as<std::int32_t>(numbers), ElementsAre(1, 30, -10, 20, 4, 5));
  EXPECT_EQ(numbers.try_insert(9, 1).error().code(), errc::bad_index);
  EXPECT_EQ(numbers.try_append("x").error().code(), errc::value_type);
  numbers[1].erase();
  EXPECT_TRUE(numbers.erase(-1));
  EXPECT_FALSE(numbers.erase(99));
  EXPECT_THAT(elements_as<std::int32_t>(numbers), ElementsAre(1, -10, 20, 4));
  numbers.sort();
  EXPECT_THAT(elements_as<std::int32_t>(numbers), ElementsAre(-10, 1, 4, 20));
  numbers.sort([](const tl::node& left, const tl::node& right) {
    return left.as<std::int32_t>() > right.as<std::int32_t>();
  });
  EXPECT_THAT(elements_as<std::int32_t>(numbers), ElementsAre(20, 4, 1, -10));
  EXPECT_EQ(numbers.filter([](const tl::node& each) { return each.as<std::int32_t>() > 0; }), 1u);
  EXPECT_THAT(elements_as<std::int32_t>(numbers), ElementsAre(20, 4, 1));
  EXPECT_EQ(numbers.filter([](const tl::node&) { return true; }), 0u);
}

TYPED_TEST(node, sort_of_any_answers_keeps_the_children) {
  const tl::node numbers = this->doc.root()["numbers"];
  for (int i = 0; i < 40; ++i) numbers.append(i);
  unsigned flip = 0;
  numbers.sort([&flip](const tl::node&, const tl::node&) { return (++flip * 7919) % 3 == 0; });
  std::vector<std::int32_t> all = elements_as<std::int32_t>(numbers);
  EXPECT_EQ(all.size(), 43u);
  numbers.sort();
  std::sort(all.begin(), all.end());
  EXPECT_EQ(elements_as<std::int32_t>(numbers), all);
}

TYPED_TEST(node, maps_set_erase_rename_sort) {
  const tl::node named = this->doc.root()["named"];
  named.create("c").set("name", "third");
  EXPECT_THAT(keys_of(named), ElementsAre("b", "a", "c"));
  named.sort();
  EXPECT_THAT(keys_of(named), ElementsAre("a", "b", "c"));
  named.rename("b", "bb");
  EXPECT_EQ(named.try_rename("a", "c").error().code(), errc::duplicate_key);
  EXPECT_EQ(named.try_rename("zz", "y").error().code(), errc::absent);
  EXPECT_TRUE(named.erase("a"));
  EXPECT_FALSE(named.erase("a"));
  EXPECT_EQ(named["a"].code(), errc::absent);
  EXPECT_THAT(keys_of(named), ElementsAre("bb", "c"));
  named["bb"].erase();
  EXPECT_THAT(keys_of(named), ElementsAre("c"));
  EXPECT_EQ(named["c"]["name"].template as<std::string>(), "third");
  for (const tl::node_entry& each : named.entries())
    EXPECT_EQ(each.key.try_set("other").error().code(), errc::wrong_type);
}

TYPED_TEST(node, large_maps_are_found_by_key_while_they_change) {
  const tl::node flags = this->doc.root().create("flags");
  for (std::int64_t key = 0; key < 3000; ++key) flags.set(key * 3, key % 2 == 0);
  for (std::int64_t key = 0; key < 3000; key += 2) EXPECT_TRUE(flags.erase(key * 3));
  for (std::int64_t key = 0; key < 3000; ++key) {
    ASSERT_EQ(bool(flags[key * 3]), key % 2 == 1) << key;
    ASSERT_FALSE(flags[key * 3 + 1]);
  }
  EXPECT_EQ(flags.size(), 1500u);
  for (std::int64_t key = 1; key < 3000; key += 2) flags.rename(key * 3, -key);
  for (std::int64_t key = 1; key < 3000; key += 2) ASSERT_TRUE(flags[-key]);
}

TYPED_TEST(node, fields_erase_rename_filter_and_unions) {
  const tl::node root = this->doc.root();
  EXPECT_TRUE(root.erase("leaf"));
  EXPECT_EQ(root["leaf"].code(), errc::absent);
  root.create("leaf");
  EXPECT_EQ(root["leaf"].size(), 0u);
  root["leaf"].set("small", 3);
  root["leaf"].erase();
  EXPECT_EQ(root.try_rename("name", "yes").error().code(), errc::value_type);
  EXPECT_EQ(root.try_rename("numbers", "name").error().code(), errc::duplicate_field);
  const tl::node pick = root.create("pick");
  pick.set("number", 5);
  pick.set("text", "now this");
  EXPECT_EQ(pick.size(), 1u);
  EXPECT_EQ(pick["number"].code(), errc::absent);
  EXPECT_EQ(root.filter([](const tl::node& each) { return each.wire() != tl::ttype::list; }), 1u);
  EXPECT_EQ(root["numbers"].code(), errc::absent);
  EXPECT_EQ(root["pick"]["text"].template as<std::string>(), "now this");
}

TYPED_TEST(node, without_a_schema_fields_go_by_id_and_keep_their_width) {
  this->doc.template load<TypeParam>(this->bytes);
  const tl::node root = this->doc.root();
  EXPECT_EQ(root[1][4].template as<std::int32_t>(), 42);
  root[1].set(4, std::int64_t{43});
  EXPECT_EQ(root[1][4].wire(), tl::ttype::i32);
  EXPECT_EQ(root[1].try_set(4, std::int64_t{1} << 40).error().code(), errc::value_range);
  root[1].set(4, "now text");
  EXPECT_EQ(root[1][4].wire(), tl::ttype::string);
  root.rename(10, 11);
  EXPECT_EQ(root[11].template as<std::string_view>(), "root");
  EXPECT_EQ(root["name"].code(), errc::no_such_field);
  EXPECT_EQ(root[4].try_append("text").error().code(), errc::value_type);
  root.set(20, tl::empty_value{tl::ttype::map}).set("key", 1.5);
  EXPECT_EQ(root[20]["key"].template as<double>(), 1.5);
  EXPECT_EQ(root.try_set(21, tl::empty_value{}).error().code(), errc::value_type);
  EXPECT_EQ(root[1].path(), "$.#1");
}

TYPED_TEST(node, nodes_move_between_documents_of_both_protocols) {
  using other = std::conditional_t<std::is_same_v<TypeParam, tl::binary>, tl::compact, tl::binary>;
  std::string expected;
  {
    model from = this->sample();
    from.fields[0].second.fields[1].second.number = 99;
    const std::string theirs = wire_bytes_of<other>(from);
    tl::document second;
    second.load<other>(theirs, dom_schema().type("Tree"));
    second.root()["named"]["b"].set("name", "changed there");
    this->doc.root().set("leaf", second.root()["leaf"]);
    this->doc.root()["named"].set("c", second.root()["named"]["b"]);
    this->doc.root().create("kids").append(second.root());
    EXPECT_EQ(this->doc.root().try_set("leaf", second.root()["named"]).error().code(), errc::value_type);
    EXPECT_EQ(this->doc.root().try_set("leaf", second.root()["named"]["b"]).error().code(),
              errc::type_mismatch);
    EXPECT_EQ(this->doc.root().try_set("leaf", second.root()["yes"]).error().code(), errc::absent);
    model inner{.wire = tl::ttype::struct_};
    inner.fields.emplace_back(std::int16_t{10}, model{.wire = tl::ttype::string, .text = "changed there"});
    model want = this->sample();
    from.fields[1].second.entries[0].second = inner;
    want.fields[0].second.fields[1].second.number = 99;
    want.fields[1].second.entries.emplace_back(model{.wire = tl::ttype::string, .text = "c"}, inner);
    model kids{.wire = tl::ttype::list, .element = tl::ttype::struct_};
    kids.elements.push_back(from);
    want.fields.insert(want.fields.begin() + 1, {std::int16_t{2}, kids});
    expected = wire_bytes_of<TypeParam>(want);
  }
  EXPECT_EQ(this->written(), expected);  // the other document is gone by now
}

TYPED_TEST(node, views_and_wire_bytes_are_checked_before_they_are_put) {
  const model all = this->sample();
  const std::string theirs = wire_bytes_of<tl::compact>(all);
  const tl::view<tl::compact> v(theirs, dom_schema().type("Tree"));
  this->doc.root().create("kids").append(v);
  EXPECT_EQ(this->doc.root()["kids"][0]["leaf"]["number"].template as<std::int32_t>(), 42);
  EXPECT_EQ(this->doc.root().try_set("leaf", v["named"]).error().code(), errc::value_type);
  EXPECT_EQ(this->doc.root().try_set("leaf", v["yes"]).error().code(), errc::absent);
  const std::string leaf = wire_bytes_of<TypeParam>(all.fields[0].second),
                    wrong = wire_bytes_of<TypeParam>(all), cut = leaf.substr(0, leaf.size() - 1);
  this->doc.root().set("leaf", tl::node_value::wire<TypeParam>(leaf, tl::ttype::struct_));
  EXPECT_FALSE(this->doc.root().try_set("leaf", tl::node_value::wire<TypeParam>(wrong, tl::ttype::struct_)));
  EXPECT_EQ((this->doc.root()
                 .try_set("leaf", tl::node_value::wire<TypeParam>(cut, tl::ttype::struct_))
                 .error()
                 .code()),
            errc::truncated);
}

TYPED_TEST(node, a_value_can_be_put_into_itself) {
  const tl::node root = this->doc.root();
  root.create("kids").append(root);
  root["kids"].append(root["kids"][0]);
  EXPECT_EQ(root["kids"][1]["numbers"][0].template as<std::int32_t>(), 30);
  EXPECT_EQ(root["kids"][0]["kids"].size(), 0u);
}

TYPED_TEST(node, merge_takes_over_what_the_other_has) {
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

TYPED_TEST(node, a_merge_that_fails_leaves_everything) {
  model other = this->sample();
  other.fields[0].second.fields[1].second.number = 43;
  other.fields[0].second.fields.insert(other.fields[0].second.fields.begin() + 1,
                                       {std::int16_t{3}, model{.wire = tl::ttype::i16, .number = 3}});
  other.fields[1].second.entries[0].first.text = "new";
  other.fields[3].second = model{.wire = tl::ttype::i64, .number = 1};  // the last field is none of the type
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
  const std::string before = this->written();
  EXPECT_FALSE(root.try_merge(second.root(), {.lists = lists::append}));
  EXPECT_EQ(this->written(), before);
  second.root().erase(10);
  EXPECT_TRUE(root.try_merge(second.root(), {.lists = lists::append}));
  EXPECT_THAT(keys_of(root["named"]), ElementsAre("a", "new"));
  EXPECT_EQ(number.template as<std::int32_t>(), 43);
}

TYPED_TEST(node, a_merge_stopped_by_a_limit_anywhere_leaves_everything) {
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
    if (!mine.try_load<TypeParam>(this->bytes, dom_schema().type("Tree"), {.bounds = {.output_size = limit}}))
      continue;
    auto done = mine.root().try_merge(second.root(), {.lists = tl::merge_options::lists_as::append});
    if (done) continue;
    ++failed;
    EXPECT_FALSE(mine.changed()) << limit;
    tl::buffer out;
    EXPECT_TRUE(!mine.try_write(out) || out.text() == this->bytes) << limit;
  }
  EXPECT_GT(failed, 3u);
}

TYPED_TEST(node, move_links_within_a_document) {
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
  EXPECT_EQ(number.template as<std::int32_t>(), 7);  // a node inside goes along
  EXPECT_EQ(number.path(), "$.kids[0].leaf.number");
  number.set(8);
  EXPECT_EQ(root.at("$.kids[0].leaf.number").template as<std::int32_t>(), 8);
  // Elements: in front of an index of the list as it was, also within one list.
  EXPECT_EQ(root["kids"].move(2, root["kids"][0]).path(), "$.kids[1]");
  EXPECT_EQ(root.at("$.kids[1].name").template as<std::string>(), "first");
  EXPECT_EQ(root["kids"].move(0, root["kids"][1]).path(), "$.kids[0]");
  EXPECT_EQ(root.at("$.kids[0].leaf.number").template as<std::int32_t>(), 8);
  EXPECT_EQ(root["kids"].size(), 2u);
  // Entries, by another key: what stood there goes.
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
  tl::document again;
  again.load_all<TypeParam>(out, dom_schema().type("Tree"));
  EXPECT_EQ(again.at("$.kids[0].name").template as<std::string>(), "second");
  EXPECT_EQ(again.at("$.leaf.number").template as<std::int32_t>(), 8);
}

TYPED_TEST(node, move_between_documents_copies_and_erases) {
  tl::document second;
  second.start<tl::compact>(dom_schema().type("Tree"));
  second.root().move("leaf", this->doc["leaf"]);
  second.root().create("numbers").move(0, this->doc["numbers"][-1]);
  EXPECT_FALSE(this->doc["leaf"]);
  EXPECT_THAT(elements_as<std::int32_t>(this->doc["numbers"]), ElementsAre(30, -10));
  EXPECT_THAT(elements_as<std::int32_t>(second["numbers"]), ElementsAre(20));
  EXPECT_EQ(second["leaf"]["number"].template as<std::int32_t>(), 42);
}

TYPED_TEST(node, move_refuses_what_cannot_be) {
  const tl::node root = this->doc.root();
  root.create("kids").append(tl::empty_value{}).create("kids").append(tl::empty_value{});
  const std::string before = this->written();
  EXPECT_EQ(root["kids"][0]["kids"].try_move(0, root["kids"][0]).error().code(), errc::edit_conflict);
  EXPECT_EQ(root["kids"].try_move(0, root).error().code(), errc::wrong_type);
  EXPECT_EQ(root["kids"].try_move(9, root["kids"][0]).error().code(), errc::bad_index);
  EXPECT_EQ(root.try_move("leaf", root["kids"][0]).error().code(), errc::type_mismatch);
  EXPECT_EQ(root.try_move("leaf", root["nothing"]).error().code(), errc::no_such_field);
  EXPECT_EQ(root.try_move("leaf", root["kids"][5]).error().code(), errc::bad_index);
  EXPECT_EQ(root.try_move("nothing", root["leaf"]).error().code(), errc::no_such_field);
  EXPECT_EQ(this->written(), before);
}

TYPED_TEST(node, move_keeps_the_limit_of_depth) {
  tl::document deep;
  deep.start<TypeParam>(dom_schema().type("Tree"), {.bounds = {.depth = 6}});
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

TYPED_TEST(node, a_node_never_means_another_value_than_it_was_made_for) {
  const tl::node root = this->doc.root(), name = root["name"], numbers = root["numbers"];
  root.create("kids");
  root.create("yes");
  root.erase("leaf");
  EXPECT_EQ(name.template as<std::string>(), "root");
  EXPECT_EQ(numbers.size(), 3u);
  const tl::node last = numbers[2];
  numbers.append(1);
  EXPECT_EQ(last.as<std::int32_t>(), 20);
  numbers.erase(0);
  EXPECT_EQ(last.presence(), tl::presence::absent);
  EXPECT_EQ(last.try_set(1).error().code(), errc::absent);
  root.erase("name");
  EXPECT_EQ(name.code(), errc::absent);
  root.set("name", "again");
  EXPECT_EQ(name.template as<std::string>(), "again");
  const tl::node a = root["named"]["a"];
  root["named"].sort();
  EXPECT_EQ(a.code(), errc::absent);
}

TYPED_TEST(node, errors_leave_everything_as_it_was) {
  const tl::node root = this->doc.root();
  EXPECT_FALSE(root["leaf"].try_set("tiny", 1000));
  EXPECT_FALSE(root["numbers"].try_append("x"));
  EXPECT_FALSE(root["named"].try_set(5, root["named"]["a"]));
  EXPECT_FALSE(root.try_erase());
  EXPECT_FALSE(root["named"].try_set("a", 5));
  EXPECT_FALSE(this->doc.changed());
  EXPECT_EQ(this->written(), this->bytes);
}

#if THRIFTLENS_EXCEPTIONS
TYPED_TEST(node, plain_calls_raise) {
  EXPECT_THROW(this->doc.root()["leaf"].set(5), tl::error);
  EXPECT_THROW(static_cast<void>(this->doc.root()["name"].template as<int>()), tl::error);
  EXPECT_THROW(static_cast<void>(this->doc.root()["name"].elements()), tl::error);
  EXPECT_THROW(static_cast<void>(this->doc.root()["yes"].size()), tl::error);
}
#endif

TYPED_TEST(node, a_refused_value_is_told_with_both_types_and_its_path) {
  const tl::node root = this->doc.root(), leaf = root["leaf"];
  const auto what = [](const auto& done) { return std::string(done.error().what()); };
  EXPECT_EQ(what(leaf["number"].try_set("x")), "expected i32, given the text 'x' at $.leaf.number");
  EXPECT_EQ(what(leaf.try_set("number", 3000000000u)),
            "expected i32, given the integer 3000000000 at $.leaf.number");
  EXPECT_EQ(what(leaf.try_set(4, true)), "expected i32, given the bool true at $.leaf.number");
  EXPECT_EQ(what(root["numbers"].try_set(0, 1.5)), "expected i32, given the double 1.500000 at $.numbers[0]");
  EXPECT_EQ(what(root["numbers"].try_append("x")), "expected i32, given the text 'x' at $.numbers[3]");
  EXPECT_EQ(what(root["named"].try_set("a", 1)),
            "expected " + root["named"]["a"].type().name() + ", given the integer 1 at $.named{\"a\"}");
  EXPECT_EQ(root.try_set("nope", 1).error().path(), "$.nope");
}

}  // namespace
