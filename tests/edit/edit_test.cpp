#include <thriftlens/edit/edit.hpp>

#include "edit/edit_model.hpp"
#include "support/cases.hpp"
#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct edit_of : testing::Test {
  using V = tl::view<P>;
  static V order() { return V(order_bytes<P>(), order_type()); }
  static tree decoded(const tl::buffer& bytes) { return decode<P>(bytes.text()); }
  static std::string canonical(const tree& value) { return encode<P>(value); }
};
TYPED_TEST_SUITE(edit_of, protocols);

template <class P>
const std::string& fresh_user() {
  static const std::string bytes = encode<P>(structure({{1, i64(5)}, {2, text("fresh")}}));
  return bytes;
}

#define EXPECT_BYTES(result, expected_tree) EXPECT_EQ((result).str(), encode<TypeParam>(expected_tree))

TYPED_TEST(edit_of, without_edits_bytes_are_unchanged) {
  EXPECT_EQ(tl::edit(this->order()).apply().str(), order_bytes<TypeParam>());
}

TYPED_TEST(edit_of, sets_existing_values) {
  tree expected = sample_order();
  expected.find(2)->find(2)->text = "a longer name than before";
  expected.find(1)->number = -1;
  expected.find(3)->elements[1].find(2)->real = 9;
  expected.find(5)->entries[1].second.text = "";
  auto out = tl::edit(this->order())
                 .set("$.user.name", "a longer name than before")
                 .set("$.id", -1)
                 .set("$.items[-2].price", 9)
                 .set("$.notes{300}", std::string())
                 .apply();
  EXPECT_BYTES(out, expected);
}

TYPED_TEST(edit_of, adds_missing_fields_in_id_order_and_entries_at_the_end) {
  tree expected = sample_order();
  expected.find(3)->elements[0].fields.push_back({4, structure({{1, text("p")}})});
  expected.find(5)->entries.push_back({i16(7), text("seven")});
  expected.find(6)->entries.push_back({i32(1), i32(9)});
  expected.find(7)->entries.push_back({real(8.25), boolean(true)});
  std::string part = encode<TypeParam>(structure({{1, text("p")}}));
  auto out = tl::edit(this->order())
                 .set("$.items[0].part", tl::wire_bytes{part})
                 .set("$.notes{7}", "seven")
                 .set("$.colors{GREEN}", 9)
                 .set("$.rates{8.25}", true)
                 .apply();
  EXPECT_BYTES(out, expected);
  std::string gap = encode<TypeParam>(structure({{1, i64(1)}, {10, text("d")}, {200, boolean(false)}}));
  EXPECT_BYTES(
      tl::edit(tl::view<TypeParam>(gap, order_type())).set("$.numbers", std::vector<int>{4, 5}).apply(),
      structure({{1, i64(1)},
                 {10, text("d")},
                 {13, list(ttype::i32, {i32(4), i32(5)}, ttype::set)},
                 {200, boolean(false)}}));
}

TYPED_TEST(edit_of, erases_and_adjusts_following_headers) {
  tree expected = sample_order();
  expected.fields.erase(expected.fields.begin() + 12);
  expected.fields.erase(expected.fields.begin() + 9);
  expected.find(2)->fields.pop_back();
  expected.find(3)->elements.erase(expected.find(3)->elements.begin() + 1);
  expected.find(8)->entries.erase(expected.find(8)->entries.begin());
  auto out = tl::edit(this->order())
                 .erase("$.debug")
                 .erase("$.numbers")
                 .erase("$.user.secret")
                 .erase("$.items[1]")
                 .erase("$.flags{false}")
                 .apply();
  EXPECT_BYTES(out, expected);
}

TYPED_TEST(edit_of, erasing_an_absent_value_changes_nothing) {
  auto out = tl::edit(this->order())
                 .erase("$.by_sku{\"none\"}")
                 .erase("$.items[99]")
                 .erase("$.items[0].part.price")
                 .erase("$.payment.card")
                 .erase("$.notes{4}")
                 .apply();
  EXPECT_EQ(out.text(), order_bytes<TypeParam>());
}

TYPED_TEST(edit_of, inserts_and_appends) {
  tree expected = sample_order();
  auto& items = expected.find(3)->elements;
  items.insert(items.begin() + 3, item("last", 7));
  items.insert(items.begin() + 1, item("new", 8));
  items[0].find(3)->elements = {text("t1"), text("t2")};
  expected.find(13)->elements.push_back(i32(5));
  std::string fresh = encode<TypeParam>(item("new", 8)), last = encode<TypeParam>(item("last", 7));
  auto out = tl::edit(this->order())
                 .insert("$.items[1]", tl::wire_bytes{fresh})
                 .append("$.items", tl::wire_bytes{last})
                 .append("$.items[0].tags", "t1")
                 .append("$.items[0].tags", "t2")
                 .append("$.numbers", 5)
                 .apply();
  EXPECT_BYTES(out, expected);
  EXPECT_EQ(tl::edit(this->order()).insert("$.id", 1).try_apply().error().code(), errc::already_there);
  EXPECT_EQ(tl::edit(this->order()).insert("$.notes{300}", "x").try_apply().error().code(),
            errc::already_there);
}

TYPED_TEST(edit_of, index_past_the_end_is_an_error_and_never_prepends) {
  EXPECT_EQ(tl::edit(this->order()).insert("$.numbers[4]", 1).try_apply().error().code(), errc::bad_index);
  EXPECT_EQ(tl::edit(this->order()).insert("$.numbers[-4]", 1).try_apply().error().code(), errc::bad_index);
  EXPECT_EQ(tl::edit(this->order()).set("$.numbers[3]", 1).try_apply().error().code(), errc::bad_index);
  auto missing = tl::edit(this->order()).set("$.items[9].sku", "x").try_apply().error();
  EXPECT_EQ(missing.code(), errc::bad_index);
  EXPECT_EQ(missing.path(), "$.items[9]");
  tree expected = sample_order();
  expected.find(13)->elements.push_back(i32(1));
  EXPECT_BYTES(tl::edit(this->order()).insert("$.numbers[3]", 1).apply(), expected);
}

TYPED_TEST(edit_of, wildcards_and_slices) {
  tree expected = sample_order();
  for (auto& element : expected.find(3)->elements) element.find(2)->real = 0;
  expected.find(3)->elements[0].fields.erase(expected.find(3)->elements[0].fields.begin());
  expected.find(4)->entries.clear();
  expected.find(13)->elements.erase(expected.find(13)->elements.begin() + 1,
                                    expected.find(13)->elements.end());
  auto out = tl::edit(this->order())
                 .set("$.items[*].price", 0.0)
                 .erase("$.items[:1].sku")
                 .erase("$.by_sku{*}")
                 .erase("$.numbers[1:]")
                 .apply();
  EXPECT_BYTES(out, expected);
}

TYPED_TEST(edit_of, replaces_by_a_function) {
  tree expected = sample_order();
  for (auto& element : expected.find(3)->elements) element.find(2)->real *= 2;
  auto out = tl::edit(this->order())
                 .replace("$.items[*].price", [](const auto& old) { return old.template as<double>() * 2; })
                 .replace("$.payment.card", [](const auto&) { return "x"; })
                 .apply();
  EXPECT_BYTES(out, expected);
}

// An absent target is reported only at the end of valid bytes.
TYPED_TEST(edit_of, values_may_be_after_other_fields) {
  const tree user = structure({{1, i64(9)}});
  const tree numbers = list(ttype::i32, {}, ttype::set);
  const auto code = [](const tree& message) {
    const std::string bytes = encode<TypeParam>(message);
    const tl::view<TypeParam> v(bytes, order_type());
    return tl::edit(v).set("$.user.name", "x").set("$.numbers[3]", 1).try_apply().error().code();
  };
  EXPECT_EQ(code(structure({{1, i64(1)}, {13, numbers}})), errc::absent);
  EXPECT_EQ(code(structure({{13, numbers}, {1, i64(1)}})), errc::absent);
  EXPECT_EQ(code(structure({{13, numbers}, {2, user}})), errc::bad_index);
  EXPECT_EQ(code(structure({{2, user}, {13, numbers}})), errc::bad_index);

  const std::string late = encode<TypeParam>(structure({{10, text("d")}, {2, user}}));
  const auto out = tl::edit(tl::view<TypeParam>(late, order_type())).set("$.user.name", "x").apply();
  EXPECT_BYTES(out, structure({{10, text("d")}, {2, structure({{1, i64(9)}, {2, text("x")}})}}));

  const std::string complete = encode<TypeParam>(structure({{1, i64(1)}, {10, text("d")}}));
  const tl::view<TypeParam> broken(std::string_view(complete).substr(0, complete.size() - 2), order_type());
  EXPECT_EQ(tl::edit(broken).set("$.user.name", "x").try_apply().error().code(), errc::truncated);
  const std::string more = complete + "?";
  const tl::view<TypeParam> trailing(more, order_type());
  EXPECT_EQ(tl::edit(trailing).set("$.user.name", "x").try_apply().error().code(), errc::trailing_bytes);
}

// A fast path detects that the parent of a single edit is absent. Gathering uses the general pass.
TYPED_TEST(edit_of, the_error_of_an_absent_parent_is_that_of_the_general_pass) {
  const auto expect_same = [](const std::string& bytes) {
    for (const char* path : {"$.user.name", "$.by_sku{\"none\"}.part.sku"}) {
      const tl::view<TypeParam> view(bytes, order_type());
      const auto edit = tl::edit(view).set(path, "x");
      const auto fast = edit.try_apply();
      const auto general = edit.try_apply_gather();
      ASSERT_EQ(fast.has_value(), general.has_value());
      if (fast) continue;
      EXPECT_EQ(fast.error().code(), general.error().code());
      EXPECT_STREQ(fast.error().what(), general.error().what());
    }
  };
  tree order = sample_order();
  std::erase_if(order.fields, [](const auto& field) { return field.first == 2; });
  const std::string bytes = encode<TypeParam>(order);
  const tl::view<TypeParam> view(bytes, order_type());
  EXPECT_EQ(tl::edit(view).set("$.user.name", "x").try_apply().error().code(), errc::absent);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    expect_same(bytes.substr(0, at));
    for (const unsigned bit : {1u, 0x80u}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ bit);
      expect_same(changed);
    }
  }
  expect_same(bytes);
  expect_same(bytes + '\0');
}

TYPED_TEST(edit_of, creates_missing_parents) {
  std::string empty = encode<TypeParam>(structure({{1, i64(1)}}));
  tl::view<TypeParam> v(empty, order_type());
  auto absent = tl::edit(v).set("$.user.name", "x").try_apply().error();
  EXPECT_EQ(absent.code(), errc::absent);
  EXPECT_EQ(absent.path(), "$.user");
  auto out = tl::edit(v)
                 .create("$.user.name", "x")
                 .create("$.user.id", 5)
                 .create("$.by_sku{\"k\"}.part.part.sku", "deep")
                 .append("$.numbers", 1)
                 .apply();
  EXPECT_BYTES(
      out,
      structure({{1, i64(1)},
                 {2, structure({{1, i64(5)}, {2, text("x")}})},
                 {4, map(ttype::string, ttype::struct_,
                         {{text("k"), structure({{4, structure({{4, structure({{1, text("deep")}})}})}})}})},
                 {13, list(ttype::i32, {i32(1)}, ttype::set)}}));
}

TYPED_TEST(edit_of, setting_a_union_member_erases_the_other) {
  tree expected = sample_order();
  *expected.find(12) = structure({{1, text("4111")}});
  EXPECT_BYTES(tl::edit(this->order()).set("$.payment.card", "4111").apply(), expected);
}

TYPED_TEST(edit_of, values_of_every_kind) {
  auto v = this->order();
  tree expected = sample_order();
  *expected.find(2) = structure({{1, i64(1)}});
  expected.find(5)->entries = {{i16(1), text("a")}, {i16(2), text("b")}};
  expected.find(3)->elements[0] = expected.find(3)->elements[2];
  expected.find(10)->text = "\xff";
  std::vector<std::uint8_t> blob = {0xff};
  auto out = tl::edit(v)
                 .set("$.user", v["groups"][0][0])
                 .set("$.notes", std::map<int, std::string>{{1, "a"}, {2, "b"}})
                 .set("$.items[0]", v["items"][2])
                 .set("$.debug", blob)
                 .apply();
  EXPECT_BYTES(out, expected);
}

TYPED_TEST(edit_of, values_are_checked_against_the_type) {
  auto code = [&](auto&& value, std::string_view path) {
    return tl::edit(this->order()).set(path, value).try_apply().error().code();
  };
  EXPECT_EQ(code("text", "$.id"), errc::value_type);
  EXPECT_EQ(code(1, "$.user"), errc::value_type);
  EXPECT_EQ(code(1.5, "$.id"), errc::value_type);
  EXPECT_EQ(code(std::int64_t{1} << 40, "$.numbers[0]"), errc::value_range);
  EXPECT_EQ(code(40000, "$.notes{1}"), errc::value_type);
  EXPECT_EQ(code(std::vector<std::string>{"a"}, "$.numbers"), errc::value_type);
  std::string wrong = encode<TypeParam>(structure({{1, text("no id")}}));
  EXPECT_EQ(code(tl::wire_bytes{wrong}, "$.user"), errc::type_mismatch);
  EXPECT_EQ(code(tl::wire_bytes{std::string_view("")}, "$.user"), errc::truncated);
  EXPECT_EQ(code(this->order()["items"], "$.user"), errc::value_type);
}

TYPED_TEST(edit_of, setting_many_fields_checks_each_type) {
  auto failed = tl::edit(this->order()).set("$.id", 5).set("$.user.name", 7).set("$.debug", "x").try_apply();
  ASSERT_EQ(errc_of(failed), errc::value_type);
  EXPECT_EQ(failed.error().path(), "$.user.name");
}

TYPED_TEST(edit_of, the_last_edit_of_a_value_wins_and_contradictions_are_errors) {
  tree expected = sample_order();
  expected.find(1)->number = 3;
  EXPECT_BYTES(tl::edit(this->order()).set("$.id", 2).set("$.id", 3).apply(), expected);
  EXPECT_EQ(tl::edit(this->order()).erase("$.user").set("$.user.name", "x").try_apply().error().code(),
            errc::edit_conflict);
  EXPECT_EQ(tl::edit(this->order()).set("$.user.name", "x").erase("$.user").try_apply().error().code(),
            errc::edit_conflict);
  EXPECT_EQ(tl::edit(this->order()).erase("$.items[*]").set("$.items[0].sku", "x").try_apply().error().code(),
            errc::edit_conflict);
}

TYPED_TEST(edit_of, apply_reports_wrong_paths) {
  auto failed = tl::edit(this->order()).set("$.nope", 1).erase("$.debug").try_apply();
  EXPECT_EQ(failed.error().code(), errc::no_such_field);
  EXPECT_EQ(tl::edit(this->order()).set("$.#99", 1).try_apply().error().code(), errc::no_such_field);
  EXPECT_EQ(tl::edit(this->order()).erase("$.id").try_apply().error().code(), errc::missing_required);
  EXPECT_THROW(std::ignore = tl::edit(this->order()).set("$.nope", 1).apply(), tl::error);
}

TYPED_TEST(edit_of, duplicate_field_and_trailing_bytes_are_errors) {
  std::string twice = encode<TypeParam>(structure({{1, i64(1)}, {10, text("a")}, {1, i64(2)}}));
  EXPECT_EQ(tl::edit(tl::view<TypeParam>(twice, order_type())).set("$.debug", "b").try_apply().error().code(),
            errc::duplicate_field);
  std::string longer = order_bytes<TypeParam>() + "x";
  EXPECT_EQ(tl::edit(tl::view<TypeParam>(longer, order_type())).set("$.id", 1).try_apply().error().code(),
            errc::trailing_bytes);
}

TYPED_TEST(edit_of, fields_out_of_order_are_edited) {
  tree mixed = structure(
      {{10, text("d")}, {2, structure({{2, text("n")}, {1, i64(4)}})}, {200, boolean(true)}, {1, i64(1)}});
  std::string bytes = encode<TypeParam>(mixed);
  tree expected = mixed;
  expected.find(1)->number = 8;
  expected.find(2)->find(1)->number = 9;
  auto out = tl::edit(tl::view<TypeParam>(bytes, order_type())).set("$.id", 8).set("$.user.id", 9).apply();
  EXPECT_BYTES(out, expected);
}

TYPED_TEST(edit_of, wire_type_that_contradicts_the_idl) {
  std::string bytes = encode<TypeParam>(structure({{1, i64(1)}, {2, i32(7)}, {10, i32(5)}}));
  tl::view<TypeParam> v(bytes, order_type());
  EXPECT_EQ(tl::edit(v).set("$.user.name", "x").try_apply().error().code(), errc::type_mismatch);
  const std::size_t header = encode<TypeParam>(structure({{1, i64(1)}, {2, i32(7)}})).size() - 1;
  for (const tl::edit<TypeParam>& change :
       {tl::edit(v).set("$.debug", "x"), tl::edit(v).create("$.debug", "x"),
        tl::edit(v).insert("$.debug", "x"), tl::edit(v).erase("$.debug"),
        tl::edit(v).set("$.id", 5).erase("$.debug"),
        tl::edit(v).replace("$.debug", [](const auto&) { return "x"; })}) {
    const tl::error reason = change.try_apply().error();
    EXPECT_EQ(reason.code(), errc::type_mismatch) << change.summary();
    EXPECT_EQ(reason.path(), "$.debug");
    EXPECT_EQ(reason.offset(), header);
    EXPECT_EQ(reason.detail(), "expected binary, found i32");
    EXPECT_EQ(change.try_apply_gather().error(), reason);
  }
  EXPECT_EQ(tl::edit(v).append("$.user", 1).try_apply().error().code(), errc::wrong_type);
  EXPECT_BYTES(tl::edit(v).set("$.id", 2).apply(), structure({{1, i64(2)}, {2, i32(7)}, {10, i32(5)}}));
}

TYPED_TEST(edit_of, a_union_member_of_another_wire_type_is_not_erased) {
  const std::string bytes = encode<TypeParam>(structure({{1, i64(1)}, {12, structure({{2, text("5")}})}}));
  const tl::error reason =
      tl::edit(tl::view<TypeParam>(bytes, order_type())).set("$.payment.card", "4111").try_apply().error();
  EXPECT_EQ(reason.code(), errc::type_mismatch);
  EXPECT_EQ(reason.path(), "$.payment.voucher");
}

TYPED_TEST(edit_of, a_created_struct_has_its_required_fields) {
  const tl::schema schema = tl::schema::parse(
      "struct In {1: required i32 id, 2: optional string s} "
      "struct T {1: optional In in, 2: optional map<i32, In> m}");
  const std::string bytes = encode<TypeParam>(structure({}));
  const tl::view<TypeParam> v(bytes, schema.type("T"));
  for (const char* parent : {"$.in", "$.m{5}"}) {
    const std::string of(parent);
    const tl::error reason = tl::edit(v).create(of + ".s", "x").try_apply().error();
    EXPECT_EQ(reason.code(), errc::missing_required);
    EXPECT_EQ(reason.path(), of + ".id");
    EXPECT_EQ(reason.detail(), "In.id is required in the created struct");
    const tl::buffer out = tl::edit(v).create(of + ".s", "x").create(of + ".id", 3).apply();
    EXPECT_EQ(tl::view<TypeParam>(out, schema.type("T")).at(of + ".id").template as<int>(), 3);
  }
}

TYPED_TEST(edit_of, errors_say_why_a_value_cannot_be_erased) {
  const auto reason = [&](auto&& change) { return std::string(change.try_apply().error().detail()); };
  EXPECT_EQ(reason(tl::edit(this->order()).erase("$.id")), "id is required and cannot be erased");
  EXPECT_EQ(reason(tl::edit(this->order()).erase("$")), "the root value can only be set or replaced");
  EXPECT_EQ(reason(tl::edit(this->order()).insert("$", this->order())),
            "the root value can only be set or replaced");
}

TYPED_TEST(edit_of, gather_keeps_large_pieces_by_reference) {
  std::string big(10000, 'x');
  std::string bytes =
      encode<TypeParam>(structure({{1, i64(1)}, {2, structure({{2, text("n")}})}, {10, text(big)}}));
  tl::view<TypeParam> v(bytes, order_type());
  tl::edit changes(v);
  changes.set("$.user.name", "longer").set("$.id", 1234567);
  tl::gathered pieces = changes.apply_gather();
  EXPECT_EQ(pieces.join().str(), changes.apply().str());
  std::size_t referenced = 0;
  for (tl::byte_view piece : pieces.pieces()) {
    auto* at = reinterpret_cast<const char*>(piece.data());
    if (at >= bytes.data() && at < bytes.data() + bytes.size()) referenced += piece.size();
  }
  EXPECT_GE(referenced, big.size());
}

TYPED_TEST(edit_of, gather_moves_references_after_a_growing_header) {
  std::vector<tree> tags(14, text(std::string(5000, 't')));
  std::string bytes = encode<TypeParam>(item("s", 1, tags));
  tl::view<TypeParam> v(bytes, shop().type("Item"));
  tl::edit changes(v);
  for (int i = 0; i < 200; ++i) changes.append("$.tags", "more");
  EXPECT_EQ(changes.apply_gather().join().str(), changes.apply().str());
  for (int i = 0; i < 200; ++i) tags.push_back(text("more"));
  EXPECT_BYTES(changes.apply(), item("s", 1, tags));
}

TYPED_TEST(edit_of, in_place_requires_equal_sizes) {
  std::string bytes = order_bytes<TypeParam>();
  tl::view<TypeParam> v(bytes, order_type());
  std::span<std::uint8_t> writable(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size());
  EXPECT_EQ(tl::edit(v).set("$.user.name", "Anna").try_apply_in_place(writable).error().code(),
            errc::not_same_size);
  EXPECT_EQ(bytes, order_bytes<TypeParam>());
  EXPECT_EQ(
      tl::edit(v).set("$.user.name", "Anna").set("$.debug", "ab").try_apply_in_place(writable).error().code(),
      errc::not_same_size);
  EXPECT_EQ(bytes, order_bytes<TypeParam>());
  tl::edit(v).set("$.user.name", "Bob").set("$.items[1].price", 7.5).apply_in_place(writable);
  tree expected = sample_order();
  expected.find(2)->find(2)->text = "Bob";
  expected.find(3)->elements[1].find(2)->real = 7.5;
  EXPECT_EQ(bytes, encode<TypeParam>(expected));
}

TYPED_TEST(edit_of, part_of_a_message_alone) {
  auto user = this->order()["user"];
  EXPECT_BYTES(tl::edit(user).set("$.name", "B").apply(),
               structure({{1, i64(9)}, {2, text("B")}, {3, text("s3cret")}}));
}

TYPED_TEST(edit_of, appends_to_a_buffer_and_leaves_it_unchanged_on_error) {
  tl::buffer out;
  out.append(std::string_view("head"));
  tl::edit(this->order()).set("$.id", 3).append_to(out);
  EXPECT_EQ(out.text().substr(0, 4), "head");
  std::size_t size = out.size();
  std::string cut = order_bytes<TypeParam>().substr(0, 60);
  EXPECT_FALSE(tl::edit(tl::view<TypeParam>(cut, order_type())).set("$.id", 3).try_append_to(out));
  EXPECT_EQ(out.size(), size);
}

TYPED_TEST(edit_of, batch_is_reused_for_other_values) {
  tl::view<TypeParam> order(order_bytes<TypeParam>(), order_type());
  tree other = sample_order();
  other.find(1)->number = 78;
  other.find(2)->fields.erase(other.find(2)->fields.begin() + 1);
  const std::string bytes = encode<TypeParam>(other);
  for (bool plain : {true, false}) {
    tl::edit reusable(order);
    reusable.set("$.user.name", "Bo").erase("$.debug");
    if (!plain) reusable.append("$.items[0].tags", "t");
    tl::edit second(tl::view<TypeParam>(bytes, order_type()));
    second.set("$.user.name", "Bo").erase("$.debug");
    if (!plain) second.append("$.items[0].tags", "t");
    tl::buffer out;
    reusable.append_to(tl::view<TypeParam>(bytes, order_type()), out);
    EXPECT_EQ(out.text(), second.apply().str());
    out.clear();
    reusable.append_to(order, out);
    EXPECT_EQ(out.text(), reusable.apply().str());
    auto user = order["user"];
    EXPECT_EQ(reusable.try_append_to(user, out).error().code(), errc::wrong_type);
    EXPECT_EQ(reusable.try_append_to(order["nothing"], out).error().code(), errc::no_such_field);
    EXPECT_EQ(out.text(), reusable.apply().str());
  }
}

// More entries than a child list stores, in an order that no container has.
TYPED_TEST(edit_of, hundreds_of_edits_in_any_order) {
  constexpr int count = 150;
  tree value = sample_order();
  value.find(3)->elements.clear();
  value.find(4)->entries.clear();
  for (int i = 0; i < count; ++i) {
    value.find(3)->elements.push_back(item("s" + std::to_string(i), i));
    value.find(4)->entries.emplace_back(text("k" + std::to_string(i)), item("e", i));
  }
  const std::string bytes = encode<TypeParam>(value);
  tree expected = value;
  tl::edit changes(tl::view<TypeParam>(bytes, order_type()));
  const std::string fresh = encode<TypeParam>(item("new", 1));
  for (int i = 0; i < count; ++i) {
    const int at = i * 67 % count;
    const std::string number = std::to_string(at);
    changes.set("$.items[" + std::to_string(at % 3 == 0 ? at - count : at) + "].price", 1000 + at);
    expected.find(3)->elements[static_cast<std::size_t>(at)].find(2)->real = 1000 + at;
    if (at % 2 == 0) {
      changes.erase("$.by_sku{\"k" + number + "\"}")
          .set("$.by_sku{\"n" + number + "\"}", tl::wire_bytes{fresh});
      expected.find(4)->entries[static_cast<std::size_t>(at)].second.erased = true;
      expected.find(4)->entries.emplace_back(text("n" + number), item("new", 1));
    } else {
      changes.set("$.by_sku{\"k" + number + "\"}.sku", "x" + number);
      expected.find(4)->entries[static_cast<std::size_t>(at)].second.find(1)->text = "x" + number;
    }
  }
  purge(expected);
  EXPECT_BYTES(changes.apply(), expected);
}

TYPED_TEST(edit_of, edits_below_a_wildcard_and_below_one_element) {
  const auto user = [](int id, std::string name) {
    return structure({{1, i64(id)}, {2, text(std::move(name))}});
  };
  std::vector<tree_entry> entries;
  for (int i = 0; i < 20; ++i) entries.push_back({i32(i), user(i, "old")});
  const tree inner = map(ttype::i32, ttype::struct_, entries);
  const tree value = structure(
      {{1, i64(1)}, {14, map(ttype::string, ttype::list, {{text("d"), list(ttype::map, {inner, inner})}})}});
  const std::string bytes = encode<TypeParam>(value);
  tree expected = value;
  auto& maps = expected.fields[1].second.entries[0].second.elements;
  tl::edit changes(tl::view<TypeParam>(bytes, order_type()));
  for (int i = 0; i < 20; ++i) {
    const int at = i * 7 % 20;
    const std::string k = std::to_string(at);
    const auto entry = static_cast<std::size_t>(at);
    if (at % 2 == 0) changes.set("$.deep{\"d\"}[*]{" + k + "}.name", "all");
    if (at % 3 == 0) changes.set("$.deep{\"d\"}[0]{" + k + "}.id", 100 + at);
    if (at % 5 == 0)
      changes.set("$.deep{\"d\"}[*]{" + std::to_string(1000 + at) + "}",
                  tl::wire_bytes{fresh_user<TypeParam>()});
    for (tree& item : maps) {
      if (at % 2 == 0) item.entries[entry].second.find(2)->text = "all";
      if (at % 5 == 0) item.entries.emplace_back(i32(1000 + at), user(5, "fresh"));
    }
    if (at % 3 == 0) maps[0].entries[entry].second.find(1)->number = 100 + at;
  }
  EXPECT_BYTES(changes.apply(), expected);
}

// The created field is present after a higher id, with a malformed value.
TYPED_TEST(edit_of, malformed_value_after_a_higher_id_is_an_error) {
  constexpr bool is_compact = std::is_same_v<TypeParam, tl::compact>;
  const tl::schema schema = tl::schema::parse(
      "struct In {1: optional i32 c} struct T {1: optional In in, 2: optional i32 n, 4: optional list<i32> "
      "l}");
  const std::string complete = encode<TypeParam>(structure({{3, i32(0)}, {2, i32(300)}}));
  const std::string list_after =
      encode<TypeParam>(structure({{5, i32(0)}, {4, list(ttype::i32, {i32(300), i32(301)})}}));
  const std::string wrong =
      is_compact ? std::string("\x35\x00\x05\x02", 4) : std::string("\x08\0\3\0\0\0\0\x08\0\1", 10);
  for (std::size_t lacks = 1; lacks < 4; ++lacks) {
    const std::string cut = complete.substr(0, complete.size() - lacks),
                      list_cut = list_after.substr(0, list_after.size() - lacks);
    const tl::view<TypeParam> number(cut, schema.type("T")), numbers(list_cut, schema.type("T")),
        other(wrong, schema.type("T"));
    tl::edit set(number), create(other), append(numbers), insert(number);
    set.set("$.n", 7);
    create.create("$.in.c", 7);
    append.append("$.l", 7);
    insert.insert("$.n", 7);
    for (tl::edit<TypeParam>* item : {&set, &create, &append, &insert}) {
      tl::buffer out(tl::byte_view("head", 4));
      const tl::result<void> status = item->try_append_to(out);
      ASSERT_FALSE(status) << lacks;
      EXPECT_EQ(status.error().code(), item == &create   ? errc::type_mismatch
                                       : item == &insert ? errc::already_there
                                                         : errc::truncated)
          << lacks;
      EXPECT_EQ(out.text(), "head");
      EXPECT_FALSE(item->try_apply());
      EXPECT_EQ(item->try_apply_gather().error().code(), status.error().code());
    }
  }
}

// The limits of the view apply to readers of the result.
TYPED_TEST(edit_of, values_that_would_be_nested_too_deep_are_refused) {
  const tl::schema schema =
      tl::schema::parse("struct In {1: optional i32 c, 2: optional In in, 3: optional list<In> l}");
  const tl::type type = schema.type("In");
  const std::string empty = encode<TypeParam>(structure({})),
                    struct_bytes = encode<TypeParam>(structure({{2, structure({})}}));
  const std::string lists = encode<TypeParam>(structure({{3, list(ttype::struct_, {structure({})})}}));
  const auto code = [&](auto&& add, const std::string& bytes, std::uint32_t depth) {
    tl::edit changes(tl::view<TypeParam>(bytes, type, {.depth = depth}));
    add(changes);
    const tl::result<tl::buffer> outcome = changes.try_apply();
    const tl::result<tl::gathered> pieces = changes.try_apply_gather();
    EXPECT_EQ(outcome ? errc::ok : outcome.error().code(), pieces ? errc::ok : pieces.error().code());
    if (!outcome) return outcome.error().code();
    EXPECT_TRUE(tl::view<TypeParam>(*outcome, type, {.depth = depth}).try_bytes().has_value());
    return errc::ok;
  };
  const auto set_bytes = [&](auto& to) { to.set("$.in", tl::wire_bytes{struct_bytes}); };
  EXPECT_EQ(code(set_bytes, empty, 3), errc::ok);
  EXPECT_EQ(code(set_bytes, empty, 2), errc::depth_limit);
  const tl::view<TypeParam> other(struct_bytes, type);
  const auto set_view = [&](auto& to) { to.set("$", other); };
  EXPECT_EQ(code(set_view, empty, 2), errc::ok);
  EXPECT_EQ(code(set_view, empty, 1), errc::depth_limit);
  const auto create = [](auto& to) { to.create("$.in.in.c", 1); };
  EXPECT_EQ(code(create, empty, 3), errc::ok);
  EXPECT_EQ(code(create, empty, 2), errc::depth_limit);
  const auto append = [&](auto& to) { to.append("$.l", tl::wire_bytes{struct_bytes}); };
  EXPECT_EQ(code(append, lists, 4), errc::ok);
  EXPECT_EQ(code(append, lists, 3), errc::depth_limit);
  const auto insert = [&](auto& to) { to.insert("$.l[0]", tl::wire_bytes{struct_bytes}); };
  EXPECT_EQ(code(insert, lists, 4), errc::ok);
  EXPECT_EQ(code(insert, lists, 3), errc::depth_limit);
  const auto replace = [&](auto& to) {
    to.replace("$.l[*]", [&](const tl::view<TypeParam>&) { return tl::wire_bytes{struct_bytes}; });
  };
  EXPECT_EQ(code(replace, lists, 4), errc::ok);
  EXPECT_EQ(code(replace, lists, 3), errc::depth_limit);
  // A reused batch counts the depth of the other value.
  tl::edit reusable(tl::view<TypeParam>(empty, type, {.depth = 3}));
  reusable.set("$.c", 1).set("$.in", tl::wire_bytes{struct_bytes});
  tl::buffer out;
  const tl::result<void> shallow =
      reusable.try_append_to(tl::view<TypeParam>(empty, type, {.depth = 2}), out);
  EXPECT_EQ(shallow.error().code(), errc::depth_limit);
  EXPECT_EQ(shallow.error().path(), "$.in");
  EXPECT_TRUE(out.empty());
  reusable.append_to(tl::view<TypeParam>(empty, type, {.depth = 3}), out);
  EXPECT_EQ(out.text(), reusable.apply().str());
}

// In Compact it has no bytes of its own: the answer was empty.
TYPED_TEST(edit_of, a_bool_root_is_written_like_an_element) {
  const tl::schema schema = tl::schema::parse("struct B {1: bool b}");
  std::string bytes = encode<TypeParam>(structure({{1, boolean(true)}}));
  const auto b = tl::view<TypeParam>(bytes, schema.type("B"))["b"];
  EXPECT_EQ(tl::edit(b).apply().str(), encode<TypeParam>(boolean(true)));
  EXPECT_EQ(tl::edit(b).set("$", false).apply().str(), encode<TypeParam>(boolean(false)));
  EXPECT_EQ(tl::edit(b).apply_gather().join().str(), encode<TypeParam>(boolean(true)));
  std::uint8_t* const at = reinterpret_cast<std::uint8_t*>(bytes.data()) + b.offset();
  tl::edit changes(b);
  changes.set("$", false);
  if constexpr (std::is_same_v<TypeParam, tl::compact>) {
    EXPECT_EQ(changes.try_apply_in_place({at, 1}).error().code(), errc::not_same_size);
  } else {
    changes.apply_in_place({at, 1});
    EXPECT_EQ(bytes, encode<TypeParam>(structure({{1, boolean(false)}})));
  }
}

TYPED_TEST(edit_of, in_place_fails_as_apply_does) {
  std::string bytes = encode<TypeParam>(structure({{1, i64(1)}, {2, i32(7)}, {10, text("d")}}));
  bytes.pop_back();
  const std::string original = bytes;
  const std::span<std::uint8_t> writable(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size());
  tl::edit changes(tl::view<TypeParam>(bytes, order_type()));
  changes.set("$.user.name", "x");
  const tl::error reason = changes.try_apply().error();
  EXPECT_EQ(reason.code(), errc::type_mismatch);
  EXPECT_STREQ(changes.try_apply_in_place(writable).error().what(), reason.what());
  EXPECT_EQ(bytes, original);
}

TYPED_TEST(edit_of, truncation_at_every_byte_is_an_error) {
  const std::string& complete = order_bytes<TypeParam>();
  for (std::size_t size = 0; size < complete.size(); ++size) {
    std::string cut = complete.substr(0, size);
    tl::edit changes(tl::view<TypeParam>(cut, order_type()));
    changes.set("$.id", 1).erase("$.items[0].sku").append("$.numbers", 99).set("$.by_sku{\"k1\"}.price", 1);
    EXPECT_EQ(changes.try_apply().error().code(), errc::truncated) << size;
  }
}

TYPED_TEST(edit_of, random_batches_equal_decode_modify_encode_by_apache) {
  const char* set = std::getenv("THRIFTLENS_EDIT_SCRIPTS");
  const std::size_t scripts = set == nullptr ? thriftlens_test::cases(3000u) : std::strtoul(set, nullptr, 10);
  std::size_t edits = 0;
  std::optional<tl::schema> schema;
  for (std::size_t seed = 0; seed < scripts; ++seed) {
    if (seed % 20 == 0) {
      randomness random(seed / 20 + 1000);
      schema = tl::schema::parse(random_idl(random));
    }
    randomness script(seed * 7919 + 1);
    tl::type type = schema->type("S0");
    tree value = random_struct(script, type, 4);
    std::string bytes = encode<TypeParam>(value);
    const std::string original = bytes;
    value = decode<TypeParam>(bytes);  // by Apache: the value modified below is what its reader read
    tl::edit changes(tl::view<TypeParam>(bytes, type));
    std::vector<model_edit> status;
    std::string log;
    for (std::size_t tries = 1 + script.below(12); tries > 0; --tries) {
      model_edit next;
      if (!random_edit<TypeParam>(script, value, type, status, next)) continue;
      std::string raw = encode<TypeParam>(next.value);
      using action_kind = model_edit::action_kind;
      log += " " + std::to_string(static_cast<int>(next.action)) + " " + next.text + ";";
      switch (next.action) {
        case action_kind::set:
          changes.set(next.text, tl::wire_bytes{raw});
          break;
        case action_kind::insert:
          changes.insert(next.text, tl::wire_bytes{raw});
          break;
        case action_kind::append:
          changes.append(next.text, tl::wire_bytes{raw});
          break;
        case action_kind::erase:
          changes.erase(next.text);
          break;
        case action_kind::create:
          changes.create(next.text, tl::wire_bytes{raw});
          break;
        case action_kind::replace:
          changes.replace(next.text, [raw](const tl::view<TypeParam>&) { return tl::wire_bytes{raw}; });
          break;
      }
      status.push_back(next);
    }
    // Indices of the model include erased elements, which are removed below.
    for (const model_edit& applied : status) apply(value, type, applied);
    const bool lacks = lacks_required(value, type);
    purge(value);
    auto out = changes.try_apply();
    if (lacks) {
      ASSERT_FALSE(out) << seed << ":" << log;
      const bool is_either = has_equal_elements(value) && out.error().code() == errc::duplicate_key;
      ASSERT_TRUE(is_either || out.error().code() == errc::missing_required) << seed << ":" << log;
      continue;
    }
    if (has_equal_elements(value)) {
      ASSERT_FALSE(out) << seed << ":" << log;
      ASSERT_EQ(out.error().code(), errc::duplicate_key) << seed << ":" << log;
      continue;
    }
    edits += status.size();
    ASSERT_TRUE(out) << seed << ":" << log << out.error().what();
    ASSERT_EQ(out->text(), encode<TypeParam>(value)) << seed << ":" << log;
    ASSERT_EQ(bytes, original);
    ASSERT_EQ(decode<TypeParam>(out->text()), value);
    ASSERT_EQ(changes.apply_gather(16).join().str(), out->text());
  }
  EXPECT_GT(edits, scripts);
}

// Replaces the root by the general pass, which replace() and gathering always use.
TYPED_TEST(edit_of, the_root_itself_is_replaced) {
  const auto joined = [](const tl::gathered& pieces) {
    tl::buffer full;
    for (const tl::byte_view piece : pieces.pieces()) full.append(piece);
    return full.str();
  };
  const tl::buffer by_function =
      tl::edit(this->order())
          .replace("$",
                   [](const auto& old) {
                     return tl::wire_bytes{old.bytes().size() != 0 ? tl::byte_view(std::string_view("\0", 1))
                                                                   : tl::byte_view()};
                   })
          .apply();
  EXPECT_EQ(by_function.text(), std::string_view("\0", 1));
  const std::string complete = encode<TypeParam>(structure({{1, i64(3)}, {10, text("other")}}));
  const auto set_root = tl::edit(this->order()).set("$", tl::wire_bytes{complete});
  EXPECT_EQ(set_root.apply().str(), complete);
  EXPECT_EQ(joined(set_root.apply_gather(1)), complete);
  EXPECT_EQ(joined(set_root.apply_gather()), complete);
  // A part alone: a scalar, an element, a bool in Compact's header.
  EXPECT_EQ(joined(tl::edit(this->order()["id"]).set("$", -9).apply_gather()), encode<TypeParam>(i64(-9)));
  EXPECT_EQ(tl::edit(this->order()["user"]["name"])
                .replace("$", [](const auto& old) { return old.template as<std::string>() + "!"; })
                .apply()
                .str(),
            encode<TypeParam>(text("Ann!")));
  // The old value is validated, and the type of the new one is checked.
  const std::string cut = order_bytes<TypeParam>().substr(0, order_bytes<TypeParam>().size() - 1);
  const tl::view<TypeParam> broken(cut, order_type());
  EXPECT_FALSE(tl::edit(broken).set("$", tl::wire_bytes{complete}).try_apply_gather());
  const auto wrong =
      tl::edit(this->order()["id"]).replace("$", [](const auto&) { return "no number"; }).try_apply();
  ASSERT_EQ(errc_of(wrong), errc::value_type);
  const auto both =
      tl::edit(this->order()).set("$", tl::wire_bytes{complete}).set("$.id", 1).try_apply_gather();
  ASSERT_EQ(errc_of(both), errc::edit_conflict);
}

// Compact may write a full id where a delta would do.
TYPED_TEST(edit_of, overlong_headers_are_kept_if_a_value_is_replaced) {
  static const tl::schema schema = tl::schema::parse("struct S { 1: string s, 2: string t }");
  const std::string bytes(
      "\x08\x02\x01"
      "a"
      "\x08\x04\x01"
      "b"
      "\x00",
      9);
  const tl::view<tl::compact> root(bytes, schema.type("S"));
  const auto result = [&](const auto& changes) {
    const std::string complete = changes.apply().str();
    EXPECT_EQ(changes.apply_gather().join().str(), complete);
    return complete;
  };
  EXPECT_EQ(result(tl::edit(root).set("$.s", "new")), std::string("\x08\x02\x03new\x08\x04\x01"
                                                                  "b"
                                                                  "\x00",
                                                                  11));
  EXPECT_EQ(result(tl::edit(root).set("$.t", "new")), std::string("\x08\x02\x01"
                                                                  "a"
                                                                  "\x08\x04\x03new\x00",
                                                                  11));
  // After an erased field, the header is rewritten with another delta.
  EXPECT_EQ(result(tl::edit(root).erase("$.s").set("$.t", "new")), std::string("\x28\x03new\x00", 6));
  EXPECT_EQ(result(tl::edit(root).replace("$.t", [](const auto&) { return "new"; })),
            std::string("\x08\x02\x01"
                        "a"
                        "\x08\x04\x03new\x00",
                        11));
}

TYPED_TEST(edit_of, a_rejected_value_is_reported_with_both_types) {
  const auto text = [&](auto&& value, std::string_view path) {
    return std::string(tl::edit(this->order()).set(path, value).try_apply().error().what());
  };
  EXPECT_EQ(text("x", "$.id"), "expected i64, got the text 'x' at $.id");
  EXPECT_EQ(text(1, "$.user"), "expected User, got the integer 1 at $.user");
  EXPECT_EQ(text(3000000000u, "$.numbers[0]"), "expected i32, got the integer 3000000000 at $.numbers[0]");
  EXPECT_EQ(text(true, "$.items[0].price"), "expected double, got the bool true at $.items[0].price");
  EXPECT_EQ(text(0.5, "$.id"), "expected i64, got the double 0.500000 at $.id");
  EXPECT_EQ(text(std::vector<int>{1}, "$.user"), "expected User, got a list at $.user");
  EXPECT_EQ(text(std::map<int, int>{{1, 1}}, "$.items"), "expected list<Item>, got a map at $.items");
  EXPECT_EQ(text(this->order()["user"], "$.id"), "expected i64, got a User at $.id");
}

TYPED_TEST(edit_of, the_output_limit_can_be_chained) {
  using E = tl::edit<TypeParam>;
  static_assert(std::is_same_v<decltype(std::declval<E&>().output_size(1)), E&>);
  static_assert(std::is_same_v<decltype(std::declval<E>().output_size(1)), E&&>);
  const tl::buffer bounded = tl::edit(this->order()).output_size(1 << 20).set("$.id", 5).apply();
  EXPECT_EQ(bounded, tl::edit(this->order()).set("$.id", 5).apply());
  EXPECT_EQ(tl::edit(this->order()).output_size(1).set("$.id", 5).try_apply().error().code(),
            errc::output_limit);
}

}  // namespace
