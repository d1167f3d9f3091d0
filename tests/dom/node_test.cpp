#include <thriftlens/dom/node.hpp>

#include "dom/sample_document.hpp"

namespace {

using namespace thriftlens_test;
using testing::ElementsAre, tl::errc;

template <class P>
class node : public sample_document<P> {};
TYPED_TEST_SUITE(node, both_protocols);

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

TYPED_TEST(node, an_invalid_path_text_is_an_error) {
  const tl::node root = this->doc.root();
  EXPECT_EQ(root.try_at("$.leaf.number")->template as<std::int32_t>(), 42);
  EXPECT_EQ(this->doc.try_at("$.leaf.number")->template as<std::int32_t>(), 42);
  const tl::error typo = root.try_at("$.leaf.numbr").error();
  EXPECT_EQ(typo.code(), errc::no_such_field);
  EXPECT_EQ(typo.offset(), 6u);
  EXPECT_THAT(typo.what(), testing::HasSubstr("did you mean 'number'"));
  EXPECT_EQ(this->doc.try_at("$.leaf.").error().code(), errc::path_syntax);
  EXPECT_EQ(root["numbers"][7].try_at("$.x")->code(), errc::bad_index);
  EXPECT_EQ(root["nam"].at("$.leaf").code(), errc::no_such_field);
  EXPECT_EQ(tl::node().at("$.x").code(), errc::absent);
  EXPECT_STREQ(tl::node()["x"].error().what(), "no value is loaded");
  EXPECT_EQ(root["leaf"]["number"].try_sort().error().detail(), "the operation does not apply to an i32");
  const tl::schema same = tl::schema::parse(dom_idl);
  EXPECT_EQ(root.at(tl::path::compile(same.type("Tree"), "$.leaf")).error().detail(),
            "the path is for a different type");
}

TYPED_TEST(node, uuid_keys_are_text_in_paths) {
  const tl::schema ids = tl::schema::parse("struct T { 1: map<uuid, i32> m }");
  std::string wire = std::is_same_v<TypeParam, tl::binary> ? std::string("\x0d\0\x01\x10\x08\0\0\0\x01", 9)
                                                           : std::string("\x1b\x01\xd5", 3);
  wire += std::string(16, '\xab') +
          (std::is_same_v<TypeParam, tl::binary> ? std::string("\0\0\0\x02\0", 5) : std::string("\x04\0", 2));
  tl::document own;
  own.load(tl::view<TypeParam>(wire, ids.type("T")));
  const tl::node actual = own.root().at("$.m{\"abababab-abab-abab-abab-abababababab\"}");
  EXPECT_EQ(actual.template as<std::int32_t>(), 2);
  EXPECT_EQ(actual.path(), "$.m{\"abababab-abab-abab-abab-abababababab\"}");
  tl::uuid_bytes id{};
  id.fill(0xab);
  EXPECT_EQ(own.root()["m"].key(id).template as<std::int32_t>(), 2);
}

TYPED_TEST(node, absent_values_return_an_error) {
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

TYPED_TEST(node, an_error_outlives_its_element) {
  const tl::node numbers = this->doc.root()["numbers"];
  const tl::node below = numbers[0]["x"];
  const tl::error previous = below.error();
  EXPECT_EQ(previous.code(), errc::wrong_type);
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
  numbers.sort([](const tl::node& lhs, const tl::node& rhs) {
    return lhs.as<std::int32_t>() > rhs.as<std::int32_t>();
  });
  EXPECT_THAT(elements_as<std::int32_t>(numbers), ElementsAre(20, 4, 1, -10));
  EXPECT_EQ(numbers.filter([](const tl::node& item) { return item.as<std::int32_t>() > 0; }), 1u);
  EXPECT_THAT(elements_as<std::int32_t>(numbers), ElementsAre(20, 4, 1));
  EXPECT_EQ(numbers.filter([](const tl::node&) { return true; }), 0u);
}

TYPED_TEST(node, sort_with_any_comparison_keeps_the_children) {
  const tl::node numbers = this->doc.root()["numbers"];
  for (int i = 0; i < 40; ++i) numbers.append(i);
  unsigned flip = 0;
  numbers.sort([&flip](const tl::node&, const tl::node&) { return (++flip * 7919) % 3 == 0; });
  std::vector<std::int32_t> items = elements_as<std::int32_t>(numbers);
  EXPECT_EQ(items.size(), 43u);
  numbers.sort();
  std::sort(items.begin(), items.end());
  EXPECT_EQ(elements_as<std::int32_t>(numbers), items);
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
  for (const tl::node_entry& entry : named.entries())
    EXPECT_EQ(entry.key.try_set("other").error().code(), errc::wrong_type);
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
  EXPECT_EQ(root.filter([](const tl::node& item) { return item.wire() != tl::ttype::list; }), 1u);
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
    EXPECT_EQ(this->doc.root().try_set("leaf", second.root()["named"]["b"]).error().code(), errc::value_type);
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

TYPED_TEST(node, views_and_wire_bytes_are_checked_before_insertion) {
  const model full = this->sample();
  const std::string theirs = wire_bytes_of<tl::compact>(full);
  const tl::view<tl::compact> v(theirs, dom_schema().type("Tree"));
  this->doc.root().create("kids").append(v);
  EXPECT_EQ(this->doc.root()["kids"][0]["leaf"]["number"].template as<std::int32_t>(), 42);
  EXPECT_EQ(this->doc.root().try_set("leaf", v["named"]).error().code(), errc::value_type);
  EXPECT_EQ(this->doc.root().try_set("leaf", v["yes"]).error().code(), errc::absent);
  const std::string leaf = wire_bytes_of<TypeParam>(full.fields[0].second),
                    wrong = wire_bytes_of<TypeParam>(full), cut = leaf.substr(0, leaf.size() - 1);
  this->doc.root().set("leaf", tl::node_value::wire<TypeParam>(leaf, tl::ttype::struct_));
  EXPECT_FALSE(this->doc.root().try_set("leaf", tl::node_value::wire<TypeParam>(wrong, tl::ttype::struct_)));
  EXPECT_EQ((this->doc.root()
                 .try_set("leaf", tl::node_value::wire<TypeParam>(cut, tl::ttype::struct_))
                 .error()
                 .code()),
            errc::truncated);
}

TYPED_TEST(node, a_value_can_be_assigned_to_its_own_part) {
  const tl::node root = this->doc.root();
  root.create("kids").append(root);
  root["kids"].append(root["kids"][0]);
  EXPECT_EQ(root["kids"][1]["numbers"][0].template as<std::int32_t>(), 30);
  EXPECT_EQ(root["kids"][0]["kids"].size(), 0u);
}

TYPED_TEST(node, a_node_never_refers_to_another_value) {
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

TYPED_TEST(node, errors_change_nothing) {
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
TYPED_TEST(node, calls_without_try_raise) {
  EXPECT_THROW(this->doc.root()["leaf"].set(5), tl::error);
  EXPECT_THROW(static_cast<void>(this->doc.root()["name"].template as<int>()), tl::error);
  EXPECT_THROW(static_cast<void>(this->doc.root()["name"].elements()), tl::error);
  EXPECT_THROW(static_cast<void>(this->doc.root()["yes"].size()), tl::error);
}
#endif

TYPED_TEST(node, a_rejected_value_reports_both_types_and_its_path) {
  const tl::node root = this->doc.root(), leaf = root["leaf"];
  const auto kind = [](const auto& status) { return std::string(status.error().what()); };
  EXPECT_EQ(kind(leaf["number"].try_set("x")), "expected i32, got the text 'x' at $.leaf.number");
  EXPECT_EQ(kind(leaf.try_set("number", 3000000000u)),
            "expected i32, got the integer 3000000000 at $.leaf.number");
  EXPECT_EQ(kind(leaf.try_set(4, true)), "expected i32, got the bool true at $.leaf.number");
  EXPECT_EQ(kind(root["numbers"].try_set(0, 1.5)), "expected i32, got the double 1.500000 at $.numbers[0]");
  EXPECT_EQ(kind(root["numbers"].try_append("x")), "expected i32, got the text 'x' at $.numbers[3]");
  EXPECT_EQ(kind(root["named"].try_set("a", 1)),
            "expected " + root["named"]["a"].type().name() + ", got the integer 1 at $.named{\"a\"}");
  EXPECT_EQ(root.try_set("nope", 1).error().path(), "$.nope");
}

TYPED_TEST(node, is_printed_like_a_view) {
  tl::document doc;
  doc.start<TypeParam>(dom_schema().type("Tree"));
  doc.root().set("name", "x");
  doc.root().create("flags").set(7, true);
  doc.root().set(77, 5);
  EXPECT_EQ(testing::PrintToString(doc.root()), R"({"flags": {7: true}, "name": "x", "#77": 5})");
  EXPECT_EQ(testing::PrintToString(doc.root()["flags"]), "{7: true}");
  EXPECT_EQ(testing::PrintToString(doc.root()["flags"][7]), "true");
  EXPECT_EQ(testing::PrintToString(doc.root()[77]), "5");
  const tl::node absent = doc.root()["leaf"];
  EXPECT_EQ(testing::PrintToString(absent), '<' + std::string(absent.error().what()) + '>');
  EXPECT_EQ(testing::PrintToString(tl::node()), '<' + std::string(tl::node().error().what()) + '>');
  EXPECT_EQ(testing::PrintToString(this->doc.root()["leaf"]).substr(0, 5), "{\"on\"");
}

}  // namespace
