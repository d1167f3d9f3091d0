#include <thriftlens/edit/trim.hpp>

#include "support/order.hpp"
#include "support/random_data.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;
using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct trim_of : testing::Test {
  using V = tl::view<P>;
  static V order() { return V(order_bytes<P>(), order_type()); }
  static std::string cut(std::string_view what) {
    return tl::trim(order(), tl::selection::compile(order_type(), what)).str();
  }
};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(trim_of, protocols);

/// What a selection keeps of a tree.
tree kept(const tree& value, const tl::selection& what, std::uint32_t at) {
  if (at == tl::detail::selection_node::entire) return value;
  tree made = value;
  const tl::detail::selection_node& node = what.nodes()[at];
  made.fields.clear();
  for (const auto& [id, field] : value.fields) {
    const auto* part = node.find(id);
    if (part != nullptr)
      made.fields.emplace_back(id, kept(field, what, part->child));
    else if (node.unknown && !node.structure.find_field(id))
      made.fields.emplace_back(id, field);
  }
  for (tree& each : made.elements) each = kept(each, what, at);
  for (auto& [key, each] : made.entries) each = kept(each, what, at);
  return made;
}

TYPED_TEST(trim_of, keeps_what_the_selection_names) {
  EXPECT_EQ(this->cut("{ id user { name } items { sku price } }"),
            encode<TypeParam>(
                structure({{1, i64(77)},
                           {2, structure({{2, text("Ann")}})},
                           {3, list(ttype::struct_, {structure({{1, text("a")}, {2, real(1.5)}}),
                                                     structure({{1, text("b")}, {2, real(2.5)}}),
                                                     structure({{1, text("c")}, {2, real(3.5)}})})}})));
  for (std::string_view text :
       {"{ groups { id } deep { name } by_sku { part } }", "{ numbers debug }", "{ flags { } }",
        "{ -debug -user }", "{ user { -secret } }", "{ * }", "{ * user { id } }"}) {
    auto made = tl::selection::try_compile(order_type(), text);
    if (!made) continue;
    EXPECT_EQ(tl::trim(this->order(), *made).str(),
              encode<TypeParam>(kept(sample_order(), *made, made->root())))
        << text;
  }
}

TYPED_TEST(trim_of, everything_is_the_same_bytes) {
  EXPECT_EQ(this->cut("{ * }"), order_bytes<TypeParam>());
  EXPECT_EQ(tl::trim(this->order(), order_type()).str(), order_bytes<TypeParam>());
  EXPECT_EQ(tl::trim(this->order(), tl::selection::all(order_type())).str(), order_bytes<TypeParam>());
}

// In Compact it has no bytes of its own: the answer was empty.
TYPED_TEST(trim_of, bool_taken_alone_is_written_as_an_element_has_it) {
  const tl::schema schema = tl::schema::parse("struct B {1: bool b}");
  for (bool value : {true, false}) {
    const std::string bytes = encode<TypeParam>(structure({{1, boolean(value)}}));
    const auto b = tl::view<TypeParam>(bytes, schema.type("B"))["b"];
    EXPECT_EQ(tl::trim(b, tl::selection::all(b.type())).str(), encode<TypeParam>(boolean(value)));
  }
}

TYPED_TEST(trim_of, unknown_fields_as_the_selection_or_the_option_says) {
  auto has_unknown = [](const tl::buffer& bytes) {
    return decode<TypeParam>(bytes.text()).find(200) != nullptr;
  };
  auto named = tl::selection::compile(order_type(), "{ id }"),
       but = tl::selection::compile(order_type(), "{ -id }");
  EXPECT_FALSE(has_unknown(tl::trim(this->order(), named)));
  EXPECT_TRUE(has_unknown(tl::trim(this->order(), but)));
  EXPECT_TRUE(has_unknown(tl::trim(this->order(), named, {.unknown = tl::on_unknown::keep})));
  EXPECT_FALSE(has_unknown(tl::trim(this->order(), but, {.unknown = tl::on_unknown::drop})));
  EXPECT_EQ(tl::try_trim(this->order(), but, {.unknown = tl::on_unknown::error}).error().code(),
            errc::unknown_field);
}

TYPED_TEST(trim_of, dropped_fields_are_counted) {
  tl::trim_report report;
  std::ignore =
      tl::trim(this->order(),
               tl::selection::compile(order_type(), "{ id user { name } items { sku price } }"), {}, &report);
  EXPECT_EQ(report.dropped_fields, 12u + 2u + 4u);
}

TYPED_TEST(trim_of, to_another_type_by_shared_ids) {
  auto target = shop().type("PartialOrder");
  tl::selection what = tl::selection::compile(order_type(), target);
  tl::buffer out = tl::trim(this->order(), target);
  EXPECT_EQ(out.text(), encode<TypeParam>(kept(sample_order(), what, what.root())));
  EXPECT_EQ(decode<TypeParam>(out.text()).fields.size(), 3u);
}

TYPED_TEST(trim_of, types_that_share_a_descriptor_write_what_they_share) {
  tl::schema schema = tl::schema::parse(
      "struct In { 1: i32 a, 2: i32 b } struct A { 1: In in, 2: i32 x } struct B { 1: In in } typedef A C");
  std::string bytes = encode<TypeParam>(structure({{1, structure({{1, i32(1)}, {2, i32(2)}})}, {2, i32(3)}}));
  tl::view<TypeParam> v(bytes, schema.type("A"));
  EXPECT_EQ(tl::trim(v, schema.type("B")).str(),
            encode<TypeParam>(structure({{1, structure({{1, i32(1)}, {2, i32(2)}})}})));
  EXPECT_EQ(tl::trim(v, schema.type("C")).str(), bytes);
  EXPECT_EQ(tl::trim(v, schema.type("A")).str(), bytes);
}

TYPED_TEST(trim_of, required_fields_of_the_target_are_checked) {
  tl::schema schema = tl::schema::parse(
      "struct A { 1: optional i32 a, 2: optional i32 b } struct B { 1: required i32 a } struct C { 9: "
      "required i32 z, 1: i32 a }");
  std::string with = encode<TypeParam>(structure({{1, i32(1)}})),
              without = encode<TypeParam>(structure({{2, i32(1)}}));
  EXPECT_TRUE(tl::try_trim(tl::view<TypeParam>(with, schema.type("A")), schema.type("B")));
  auto missing = tl::try_trim(tl::view<TypeParam>(without, schema.type("A")), schema.type("B"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), errc::missing_required);
  EXPECT_EQ(missing.error().path(), "$.a");
  EXPECT_EQ(tl::try_trim(tl::view<TypeParam>(with, schema.type("A")), schema.type("C")).error().code(),
            errc::missing_required);
}

TYPED_TEST(trim_of, defaults_on_request) {
  tl::schema schema = tl::schema::parse(
      "struct D { 1: i32 a = 7, 2: string s = \"x\", 3: bool b = true, 4: i32 none, 20: list<i32> l = [1, 2] "
      "}");
  std::string bytes = encode<TypeParam>(structure({{2, text("there")}, {4, i32(4)}}));
  tl::selection what = tl::selection::compile(schema.type("D"), "{ a s b l }");
  tl::buffer out =
      tl::trim(tl::view<TypeParam>(bytes, schema.type("D")), what, {.defaults = tl::on_absent::write});
  EXPECT_EQ(
      decode<TypeParam>(out.text()),
      structure(
          {{2, text("there")}, {1, i32(7)}, {3, boolean(true)}, {20, list(ttype::i32, {i32(1), i32(2)})}}));
}

TYPED_TEST(trim_of, compact_header_may_grow_where_a_field_before_it_goes) {
  tl::schema schema =
      tl::schema::parse("struct G { 9000: bool a, 9010: bool b, 9020: bool c, 9021: bool d }");
  std::string bytes = encode<TypeParam>(structure(
      {{9000, boolean(true)}, {9010, boolean(true)}, {9020, boolean(false)}, {9021, boolean(true)}}));
  tl::buffer out = tl::trim(tl::view<TypeParam>(bytes, schema.type("G")),
                            tl::selection::compile(schema.type("G"), "{ c d }"));
  EXPECT_EQ(out.text(), encode<TypeParam>(structure({{9020, boolean(false)}, {9021, boolean(true)}})));
}

TYPED_TEST(trim_of, errors_leave_the_output_as_it_was) {
  tl::selection what = tl::selection::compile(order_type(), "{ id items { sku } }");
  const std::string& whole = order_bytes<TypeParam>();
  tl::buffer out;
  out.append(std::string_view("head"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::string cut = whole.substr(0, size);
    auto done = tl::try_append_trimmed(tl::view<TypeParam>(cut, order_type()), what, out);
    ASSERT_FALSE(done) << size;
    EXPECT_EQ(done.error().code(), errc::truncated) << size;
    ASSERT_EQ(out.text(), "head");
  }
  std::string longer = whole + '\0';
  EXPECT_EQ(tl::try_trim(tl::view<TypeParam>(longer, order_type()), what).error().code(),
            errc::trailing_bytes);
  std::string twice = encode<TypeParam>(structure({{1, i64(1)}, {2, structure({})}, {1, i64(2)}}));
  auto doubled = tl::try_trim(tl::view<TypeParam>(twice, order_type()), what);
  EXPECT_EQ(doubled.error().code(), errc::duplicate_field);
  std::string wrong = encode<TypeParam>(structure({{3, list(ttype::i32, {i32(1)})}}));
  EXPECT_EQ(tl::try_trim(tl::view<TypeParam>(wrong, order_type()), what).error().code(), errc::type_mismatch);
  EXPECT_EQ(tl::try_trim(this->order()["user"], what).error().code(), errc::wrong_type);
}

TYPED_TEST(trim_of, random_selections_of_random_values_equal_a_trim_of_the_tree) {
  std::size_t cut = 0;
  for (std::size_t seed = 0; seed < 1500; ++seed) {
    randomness random(seed / 10);
    tl::schema schema = tl::schema::parse(random_idl(random));
    randomness choice(seed + 99);
    tl::type type = schema.type("S0");
    tree value = random_struct(choice, type, 4);
    std::string bytes = encode<TypeParam>(value);
    tl::selection what = random_selection(choice, type);
    tl::buffer out = tl::trim(tl::view<TypeParam>(bytes, type), what);
    ASSERT_EQ(out.text(), encode<TypeParam>(kept(value, what, what.root())))
        << seed << ' ' << what.to_string();
    cut += out.size() != bytes.size();
  }
  EXPECT_GT(cut, 500u);
}

TYPED_TEST(trim_of, structs_without_others_in_them) {
  const tl::schema schema =
      tl::schema::parse("struct Flat { 1: i8 a, 2: i64 b, 3: string c, 4: i32 d, 5: binary e, 6: i16 f }");
  const tl::type type = schema.type("Flat");
  const auto what = tl::selection::compile(type, "{ a d e }");
  const auto message = [](bool all, std::size_t size) {
    tree made = structure({{1, i8(7)},
                           {3, text(std::string(size, 'c'))},
                           {4, i32(9)},
                           {5, text(std::string(size / 2, 'e'))},
                           {6, i16(-3)}});
    if (all) made.fields.insert(made.fields.begin() + 1, {2, i64(-1)});
    return made;
  };
  for (const bool all : {true, false}) {
    for (const std::size_t size : {0u, 1u, 15u, 40u, 64u, 65u, 200u}) {
      const tree from = message(all, size);
      tree wanted = from;
      std::erase_if(wanted.fields,
                    [](const auto& each) { return each.first == 2 || each.first == 3 || each.first == 6; });
      const std::string bytes = encode<TypeParam>(from);
      tl::trim_report report;
      EXPECT_EQ(tl::trim(tl::view<TypeParam>(bytes, type), what, {}, &report).str(),
                encode<TypeParam>(wanted));
      EXPECT_EQ(report.dropped_fields, all ? 3u : 2u);
      // What stands behind the message is never taken for more of it.
      for (const std::string& behind : {std::string("x"), std::string(1, '\0'), std::string("x\0", 2)}) {
        const std::string longer = bytes + behind;
        EXPECT_EQ(tl::try_trim(tl::view<TypeParam>(longer, type), what).error().code(), errc::trailing_bytes);
      }
      tl::buffer out;
      out.append(std::string_view("before"));
      for (std::size_t cut = 0; cut < bytes.size() && size < 64; ++cut) {
        const std::vector<char> exact(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
        EXPECT_FALSE(tl::try_append_trimmed(
            tl::view<TypeParam>(tl::byte_view(exact.data(), exact.size()), type), what, out));
        EXPECT_EQ(out.text(), "before");
      }
    }
  }
}

TYPED_TEST(trim_of, takes_the_text_of_a_selection) {
  const tl::selection what = tl::selection::compile(order_type(), "{ id user { name } }");
  EXPECT_EQ(tl::trim(this->order(), "{ id user { name } }"), tl::trim(this->order(), what));
  const tl::error why = tl::try_trim(this->order(), std::string("{ id usr }")).error();
  EXPECT_EQ(why.code(), errc::no_such_field);
  EXPECT_EQ(why.detail(), "no field 'usr' in Order; did you mean 'user'?");
  EXPECT_EQ(tl::try_trim(this->order()["nope"], "{ id }").error().code(), errc::no_such_field);
}

TYPED_TEST(trim_of, appends_by_the_text_of_a_selection) {
  const tl::selection what = tl::selection::compile(order_type(), "{ id user { name } }");
  tl::buffer out, expected;
  const tl::result<tl::trim_report> done = tl::try_append_trimmed(this->order(), "{ id user { name } }", out);
  EXPECT_EQ(done->dropped_fields, tl::try_append_trimmed(this->order(), what, expected)->dropped_fields);
  EXPECT_EQ(out, expected);
  const tl::error why = tl::try_append_trimmed(this->order(), "{ id usr }", out).error();
  EXPECT_EQ(why.detail(), "no field 'usr' in Order; did you mean 'user'?");
  EXPECT_EQ(why.offset(), 5u);
  EXPECT_EQ(tl::try_append_trimmed(this->order()["nope"], "{ id }", out).error().code(), errc::no_such_field);
  EXPECT_EQ(out, expected) << "after an error the buffer is as before";
}

// In Compact a bool lies in its field's header, which is made anew where a field before it goes: below a
// selection that keeps all.
TYPED_TEST(trim_of, bools_in_headers_below_what_is_kept_as_a_whole) {
  const tl::schema schema = tl::schema::parse(R"idl(
    struct In { 1: i32 x, 2: bool y, 3: list<bool> z, 20: bool far }
    struct Out { 1: i32 a, 2: bool b, 3: In in, 4: bool c, 5: list<In> many, 6: map<bool, In> keyed, 40: bool last }
  )idl");
  const auto inner = [](bool of) {
    return structure({{1, i32(1)},
                      {2, boolean(of)},
                      {3, list(ttype::bool_, {boolean(of), boolean(!of)})},
                      {20, boolean(!of)}});
  };
  for (const bool of : {false, true}) {
    const tree whole = structure(
        {{1, i32(5)},
         {2, boolean(of)},
         {3, inner(of)},
         {4, boolean(!of)},
         {5, list(ttype::struct_, {inner(!of), inner(of)})},
         {6, map(ttype::bool_, ttype::struct_, {{boolean(of), inner(of)}, {boolean(!of), inner(!of)}})},
         {40, boolean(of)},
         {77, boolean(!of)}});
    const std::string bytes = encode<TypeParam>(whole);
    const tl::view<TypeParam> view(bytes, schema.type("Out"));
    for (const char* text :
         {"{ b }", "{ c }", "{ last }", "{ b c last }", "{ in }", "{ in { y } c }", "{ in { far } last }",
          "{ many { y far } }", "{ keyed { y } last }", "{ many keyed }", "{ in { z far } many { z } }",
          "{ -a }", "{ -b }", "{ -in -many }", "{ * in { y } }"}) {
      const tl::result<tl::selection> what = tl::selection::try_compile(schema.type("Out"), text);
      ASSERT_TRUE(what) << text << what.error().what();
      EXPECT_EQ(tl::trim(view, *what).str(), encode<TypeParam>(kept(whole, *what, what->root())))
          << text << of;
      // The way that looks at everything gives the same.
      tl::trim_options slow;
      slow.defaults = tl::on_absent::write;
      EXPECT_EQ(tl::trim(view, *what, slow).str(), encode<TypeParam>(kept(whole, *what, what->root())))
          << text << of;
    }
  }
}

}  // namespace
