#include <thriftlens/edit/trim.hpp>

#include "support/cases.hpp"
#include "support/order.hpp"
#include "support/random_data.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct trim_of : testing::Test {
  using V = tl::view<P>;
  static V order() { return V(order_bytes<P>(), order_type()); }
  static std::string cut(std::string_view selected) {
    return tl::trim(order(), tl::selection::compile(order_type(), selected)).str();
  }
};
TYPED_TEST_SUITE(trim_of, protocols);

tree trimmed(const tree& value, const tl::selection& selected, std::uint32_t at) {
  if (at == tl::detail::selection_node::entire) return value;
  tree result = value;
  const tl::detail::selection_node& node = selected.nodes()[at];
  result.fields.clear();
  for (const auto& [id, field] : value.fields) {
    const auto* part = node.find(id);
    if (part != nullptr)
      result.fields.emplace_back(id, trimmed(field, selected, part->child));
    else if (node.unknown && !node.structure.find_field(id))
      result.fields.emplace_back(id, field);
  }
  for (tree& element : result.elements) element = trimmed(element, selected, at);
  for (auto& [key, element] : result.entries) element = trimmed(element, selected, at);
  return result;
}

TYPED_TEST(trim_of, keeps_the_selected_fields) {
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
    auto result = tl::selection::try_compile(order_type(), text);
    if (!result) continue;
    EXPECT_EQ(tl::trim(this->order(), *result).str(),
              encode<TypeParam>(trimmed(sample_order(), *result, result->root())))
        << text;
  }
}

TYPED_TEST(trim_of, selecting_everything_copies_the_bytes) {
  EXPECT_EQ(this->cut("{ * }"), order_bytes<TypeParam>());
  EXPECT_EQ(tl::trim(this->order(), order_type()).str(), order_bytes<TypeParam>());
  EXPECT_EQ(tl::trim(this->order(), tl::selection::all(order_type())).str(), order_bytes<TypeParam>());
}

// In Compact it has no bytes of its own: the answer was empty.
TYPED_TEST(trim_of, a_bool_root_is_written_like_an_element) {
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
  tl::selection selected = tl::selection::compile(order_type(), target);
  tl::buffer out = tl::trim(this->order(), target);
  EXPECT_EQ(out.text(), encode<TypeParam>(trimmed(sample_order(), selected, selected.root())));
  EXPECT_EQ(decode<TypeParam>(out.text()).fields.size(), 3u);
}

TYPED_TEST(trim_of, types_with_a_common_descriptor_keep_common_fields) {
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
  ASSERT_EQ(errc_of(missing), errc::missing_required);
  EXPECT_EQ(missing.error().path(), "$.a");
  EXPECT_EQ(tl::try_trim(tl::view<TypeParam>(with, schema.type("A")), schema.type("C")).error().code(),
            errc::missing_required);
}

TYPED_TEST(trim_of, defaults_on_request) {
  tl::schema schema = tl::schema::parse(
      "struct D { 1: i32 a = 7, 2: string s = \"x\", 3: bool b = true, 4: i32 none, 20: list<i32> l = [1, 2] "
      "}");
  std::string bytes = encode<TypeParam>(structure({{2, text("there")}, {4, i32(4)}}));
  tl::selection selected = tl::selection::compile(schema.type("D"), "{ a s b l }");
  tl::buffer out =
      tl::trim(tl::view<TypeParam>(bytes, schema.type("D")), selected, {.defaults = tl::on_absent::write});
  EXPECT_EQ(
      decode<TypeParam>(out.text()),
      structure(
          {{2, text("there")}, {1, i32(7)}, {3, boolean(true)}, {20, list(ttype::i32, {i32(1), i32(2)})}}));
}

TYPED_TEST(trim_of, compact_headers_may_grow_after_a_dropped_field) {
  tl::schema schema =
      tl::schema::parse("struct G { 9000: bool a, 9010: bool b, 9020: bool c, 9021: bool d }");
  std::string bytes = encode<TypeParam>(structure(
      {{9000, boolean(true)}, {9010, boolean(true)}, {9020, boolean(false)}, {9021, boolean(true)}}));
  tl::buffer out = tl::trim(tl::view<TypeParam>(bytes, schema.type("G")),
                            tl::selection::compile(schema.type("G"), "{ c d }"));
  EXPECT_EQ(out.text(), encode<TypeParam>(structure({{9020, boolean(false)}, {9021, boolean(true)}})));
}

TYPED_TEST(trim_of, errors_leave_the_output_unchanged) {
  tl::selection selected = tl::selection::compile(order_type(), "{ id items { sku } }");
  const std::string& complete = order_bytes<TypeParam>();
  tl::buffer out;
  out.append(std::string_view("head"));
  for (std::size_t size = 0; size < complete.size(); ++size) {
    std::string cut = complete.substr(0, size);
    auto status = tl::try_append_trimmed(tl::view<TypeParam>(cut, order_type()), selected, out);
    ASSERT_EQ(errc_of(status), errc::truncated) << size;
    ASSERT_EQ(out.text(), "head");
  }
  std::string longer = complete + '\0';
  EXPECT_EQ(tl::try_trim(tl::view<TypeParam>(longer, order_type()), selected).error().code(),
            errc::trailing_bytes);
  std::string twice = encode<TypeParam>(structure({{1, i64(1)}, {2, structure({})}, {1, i64(2)}}));
  auto doubled = tl::try_trim(tl::view<TypeParam>(twice, order_type()), selected);
  EXPECT_EQ(doubled.error().code(), errc::duplicate_field);
  std::string wrong = encode<TypeParam>(structure({{3, list(ttype::i32, {i32(1)})}}));
  EXPECT_EQ(tl::try_trim(tl::view<TypeParam>(wrong, order_type()), selected).error().code(),
            errc::type_mismatch);
  EXPECT_EQ(tl::try_trim(this->order()["user"], selected).error().code(), errc::wrong_type);
}

TYPED_TEST(trim_of, random_selections_of_random_values_equal_a_trim_of_the_tree) {
  std::size_t cut = 0;
  std::optional<tl::schema> schema;
  for (std::size_t seed = 0; seed < thriftlens_test::cases(1500u); ++seed) {
    if (seed % 10 == 0) {
      randomness random(seed / 10);
      schema = tl::schema::parse(random_idl(random));
    }
    randomness choice(seed + 99);
    tl::type type = schema->type("S0");
    tree value = random_struct(choice, type, 4);
    std::string bytes = encode<TypeParam>(value);
    tl::selection selected = random_selection(choice, type);
    tl::buffer out = tl::trim(tl::view<TypeParam>(bytes, type), selected);
    ASSERT_EQ(out.text(), encode<TypeParam>(trimmed(value, selected, selected.root())))
        << seed << ' ' << selected.to_string();
    cut += out.size() != bytes.size();
  }
  EXPECT_GT(cut, thriftlens_test::cases(500u));
}

TYPED_TEST(trim_of, structs_without_nested_structs) {
  const tl::schema schema =
      tl::schema::parse("struct Flat { 1: i8 a, 2: i64 b, 3: string c, 4: i32 d, 5: binary e, 6: i16 f }");
  const tl::type type = schema.type("Flat");
  const auto selected = tl::selection::compile(type, "{ a d e }");
  const auto message = [](bool is_complete, std::size_t size) {
    tree result = structure({{1, i8(7)},
                             {3, text(std::string(size, 'c'))},
                             {4, i32(9)},
                             {5, text(std::string(size / 2, 'e'))},
                             {6, i16(-3)}});
    if (is_complete) result.fields.insert(result.fields.begin() + 1, {2, i64(-1)});
    return result;
  };
  for (const bool is_complete : {true, false}) {
    for (const std::size_t size : {0u, 1u, 15u, 40u, 64u, 65u, 200u}) {
      const tree from = message(is_complete, size);
      tree expected = from;
      std::erase_if(expected.fields,
                    [](const auto& item) { return item.first == 2 || item.first == 3 || item.first == 6; });
      const std::string bytes = encode<TypeParam>(from);
      tl::trim_report report;
      EXPECT_EQ(tl::trim(tl::view<TypeParam>(bytes, type), selected, {}, &report).str(),
                encode<TypeParam>(expected));
      EXPECT_EQ(report.dropped_fields, is_complete ? 3u : 2u);
      for (const std::string& suffix : {std::string("x"), std::string(1, '\0'), std::string("x\0", 2)}) {
        const std::string longer = bytes + suffix;
        EXPECT_EQ(tl::try_trim(tl::view<TypeParam>(longer, type), selected).error().code(),
                  errc::trailing_bytes);
      }
      tl::buffer out;
      out.append(std::string_view("before"));
      for (std::size_t cut = 0; cut < bytes.size() && size < 64; ++cut) {
        const std::vector<char> exact(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
        EXPECT_FALSE(tl::try_append_trimmed(
            tl::view<TypeParam>(tl::byte_view(exact.data(), exact.size()), type), selected, out));
        EXPECT_EQ(out.text(), "before");
      }
    }
  }
}

TYPED_TEST(trim_of, accepts_selection_text) {
  const tl::selection selected = tl::selection::compile(order_type(), "{ id user { name } }");
  EXPECT_EQ(tl::trim(this->order(), "{ id user { name } }"), tl::trim(this->order(), selected));
  const tl::error fault = tl::try_trim(this->order(), std::string("{ id usr }")).error();
  EXPECT_EQ(fault.code(), errc::no_such_field);
  EXPECT_EQ(fault.detail(), "no field 'usr' in Order; did you mean 'user'?");
  EXPECT_EQ(tl::try_trim(this->order()["nope"], "{ id }").error().code(), errc::no_such_field);
}

TYPED_TEST(trim_of, accepts_the_texts_of_paths) {
  EXPECT_EQ(tl::trim(this->order(), {"$.id", "$.user.name"}).str(), this->cut("{ id user { name } }"));
}

TYPED_TEST(trim_of, appends_by_the_text_of_a_selection) {
  const tl::selection selected = tl::selection::compile(order_type(), "{ id user { name } }");
  tl::buffer out, expected;
  const tl::result<tl::trim_report> outcome =
      tl::try_append_trimmed(this->order(), "{ id user { name } }", out);
  EXPECT_EQ(outcome->dropped_fields,
            tl::try_append_trimmed(this->order(), selected, expected)->dropped_fields);
  EXPECT_EQ(out, expected);
  const tl::error fault = tl::try_append_trimmed(this->order(), "{ id usr }", out).error();
  EXPECT_EQ(fault.detail(), "no field 'usr' in Order; did you mean 'user'?");
  EXPECT_EQ(fault.offset(), 5u);
  EXPECT_EQ(tl::try_append_trimmed(this->order()["nope"], "{ id }", out).error().code(), errc::no_such_field);
  EXPECT_EQ(out, expected) << "after an error the buffer is as before";
}

// A Compact bool is in its field header, which is rewritten when a previous field is dropped.
TYPED_TEST(trim_of, bools_in_headers_below_fully_selected_structs) {
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
    const tree complete = structure(
        {{1, i32(5)},
         {2, boolean(of)},
         {3, inner(of)},
         {4, boolean(!of)},
         {5, list(ttype::struct_, {inner(!of), inner(of)})},
         {6, map(ttype::bool_, ttype::struct_, {{boolean(of), inner(of)}, {boolean(!of), inner(!of)}})},
         {40, boolean(of)},
         {77, boolean(!of)}});
    const std::string bytes = encode<TypeParam>(complete);
    const tl::view<TypeParam> view(bytes, schema.type("Out"));
    for (const char* text :
         {"{ b }", "{ c }", "{ last }", "{ b c last }", "{ in }", "{ in { y } c }", "{ in { far } last }",
          "{ many { y far } }", "{ keyed { y } last }", "{ many keyed }", "{ in { z far } many { z } }",
          "{ -a }", "{ -b }", "{ -in -many }", "{ * in { y } }"}) {
      const tl::result<tl::selection> selected = tl::selection::try_compile(schema.type("Out"), text);
      ASSERT_TRUE(selected) << text << selected.error().what();
      EXPECT_EQ(tl::trim(view, *selected).str(),
                encode<TypeParam>(trimmed(complete, *selected, selected->root())))
          << text << of;
      tl::trim_options slow;
      slow.defaults = tl::on_absent::write;
      EXPECT_EQ(tl::trim(view, *selected, slow).str(),
                encode<TypeParam>(trimmed(complete, *selected, selected->root())))
          << text << of;
    }
  }
}

}  // namespace
