#include <thriftlens/policy/redact.hpp>

#include "support/cases.hpp"
#include "support/order.hpp"
#include "support/random_data.hpp"
#include "support/test.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/policy/rewrite.hpp>

using tl::errc;
using namespace thriftlens_test;

namespace {

constexpr std::string_view people_idl = R"idl(
  typedef string Mail (pii = "hash")
  enum Sex { NONE = 0, F = 1, M = 2 } (pii = "other")
  struct Address { 1: string street, 2: required string zip, 3: optional Address former } (pii = "keep_last(2)")
  union Contact { 1: Mail mail, 2: string phone (pii = "keep_last(3)") }
  struct Person {
    1: required i64 id (pii = "id")
    2: required string name (pii = "blank")
    3: optional string note (pii = "drop")
    4: optional Mail mail
    5: list<string> nicks (pii = "hash")
    6: map<string, i32> scores
    7: Address home
    8: list<Person> friends
    9: Contact contact
    10: bool vip (pii = "secret")
    11: Sex sex
    12: double income (pii = "hash")
    13: map<string, string> extra (pii = "hash")
    14: string plain
    15: optional i16 room (pii = "constant(-7)")
  }
)idl";
const tl::schema& people() {
  static const tl::schema loaded = tl::schema::parse(people_idl);
  return loaded;
}

const tl::redact_hash::key_bytes hash_key{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

tree hex(std::string_view of) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(tl::redact_hash(hash_key)(of)));
  return text(digits);
}
std::uint64_t hashed(std::uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return tl::redact_hash(hash_key)(bytes);
}
tree hashed_double(double of) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &of, 8);
  return real(static_cast<double>(hashed(bits) >> 11));
}

tree person(std::string name) { return structure({{1, i64(-5)}, {2, text(name)}, {14, text("seen")}}); }
tree full_person() {
  return structure({{1, i64(12345678)},
                    {2, text("Ann")},
                    {3, text("note")},
                    {4, text("a@b.c")},
                    {5, list(ttype::string, {text("x"), text("")})},
                    {6, map(ttype::string, ttype::i32, {{text("go"), i32(9)}})},
                    {7, structure({{1, text("Main St")},
                                   {2, text("12345")},
                                   {3, structure({{2, text("z")}, {9, text("unknown")}})}})},
                    {8, list(ttype::struct_, {person("Bob"), person("Cid")})},
                    {9, structure({{2, text("+49123")}})},
                    {10, boolean(true)},
                    {11, i32(2)},
                    {12, real(1000.5)},
                    {13, map(ttype::string, ttype::string, {{text("k"), text("v")}})},
                    {14, text("seen")},
                    {15, i16(300)},
                    {77, text("unknown")}});
}
tree redacted_person(std::string) {
  return structure({{1, i64(static_cast<std::int64_t>(hashed(static_cast<std::uint64_t>(-5)) >> 1))},
                    {2, text("")},
                    {14, text("seen")}});
}
tree redacted_full_person() {
  return structure(
      {{1, i64(static_cast<std::int64_t>(hashed(12345678) >> 1))},
       {2, text("")},
       {4, hex("a@b.c")},
       {5, list(ttype::string, {hex("x"), hex("")})},
       {6, map(ttype::string, ttype::i32, {{text("go"), i32(9)}})},
       {7, structure({{1, text("*****St")}, {2, text("***45")}, {3, structure({{2, text("*")}})}})},
       {8, list(ttype::struct_, {redacted_person("Bob"), redacted_person("Cid")})},
       {9, structure({{2, text("***123")}})},
       {10, boolean(false)},
       {11, i32(0)},
       {12, hashed_double(1000.5)},
       {13, map(ttype::string, ttype::string, {{hex("k"), hex("v")}})},
       {14, text("seen")},
       {15, i16(-7)}});
}

/// Apache Thrift reads it from its first to its last byte.
template <class P>
bool readable(std::string_view bytes) {
  try {
    return static_cast<void>(decode<P>(bytes)), true;
  } catch (const std::exception&) {
    return false;
  }
}

tl::redact_options pii() { return {.annotation = "pii", .values = {{"id", "hash"}}, .key = hash_key}; }

template <class P>
struct redact_of : testing::Test {
  using V = tl::view<P>;
  static V order() { return V(order_bytes<P>(), order_type()); }
  static std::string cut(std::vector<std::pair<std::string, std::string>> paths) {
    tl::redact_options options{.paths = std::move(paths), .unknown = tl::on_unknown::keep};
    for (const auto& path : options.paths) {
      if (path.second == "hash") options.key = hash_key;
    }
    return tl::redact(order(), tl::redaction::compile(order_type(), options)).str();
  }
};
TYPED_TEST_SUITE(redact_of, protocols);

TYPED_TEST(redact_of, annotations_of_fields_typedefs_and_declarations) {
  const std::string bytes = encode<TypeParam>(full_person());
  tl::redaction rules = tl::redaction::compile(people().type("Person"), pii());
  tl::redact_report report;
  tl::buffer out = tl::redact(tl::view<TypeParam>(bytes, people().type("Person")), rules, &report);
  EXPECT_EQ(decode<TypeParam>(out.text()), redacted_full_person());
  EXPECT_EQ(out.text(), encode<TypeParam>(redacted_full_person()));
  EXPECT_EQ(report.dropped, 3u);  // note, and the unknown fields of a person and an address
  EXPECT_EQ(report.unknown, 2u);
  EXPECT_EQ(bytes, encode<TypeParam>(full_person()));
}

TYPED_TEST(redact_of, annotations_of_typedefs_inside_containers) {
  const tl::schema schema = tl::schema::parse(R"idl(
    typedef string Email (pii = "keep_last(4)")
    typedef list<Email> Emails
    struct Named { 1: string name }
    typedef Named Secret (pii = "hash")
    struct S {
      1: list<Email> list, 2: map<string, Email> values, 3: map<Email, i32> keys, 4: map<i32, Emails> deep, 5: list<string> plain,
      6: list<Email> other (pii = "blank"), 7: list<string (pii = "constant(x)")> written, 8: list<Secret> secrets, 9: list<Named> names, 10: list<Email> shown
    })idl");
  const auto texts = [](std::vector<std::string> from) {
    tree result = list(ttype::string, {});
    for (std::string& item : from) result.elements.push_back(text(std::move(item)));
    return result;
  };
  const tree from =
      structure({{1, texts({"a@b.c", "dd@e.f"})},
                 {2, map(ttype::string, ttype::string, {{text("a@b.c"), text("a@b.c")}})},
                 {3, map(ttype::string, ttype::i32, {{text("a@b.c"), i32(1)}, {text("x@b.c"), i32(2)}})},
                 {4, map(ttype::i32, ttype::list, {{i32(1), texts({"a@b.c"})}})},
                 {5, texts({"a@b.c"})},
                 {6, texts({"a@b.c"})},
                 {7, texts({"a@b.c"})},
                 {8, list(ttype::struct_, {structure({{1, text("Ann")}})})},
                 {9, list(ttype::struct_, {structure({{1, text("Ann")}})})},
                 {10, texts({"a@b.c"})}});
  tree expected = from;
  *expected.find(1) = texts({"*@b.c", "**@e.f"});
  expected.find(2)->entries[0].second = text("*@b.c");
  expected.find(3)->entries = {{text("*@b.c"), i32(1)}};  // equal keys are merged
  expected.find(4)->entries[0].second = texts({"*@b.c"});
  *expected.find(6) = texts({});
  *expected.find(7) = texts({"x"});
  const std::string bytes = encode<TypeParam>(from);
  const tl::type type = schema.type("S");
  const auto rules =
      tl::redaction::compile(type, {.annotation = "pii", .paths = {{"$.shown[*]", "keep"}}, .key = hash_key});
  const std::string out = tl::redact(tl::view<TypeParam>(bytes, type), rules).str();
  const tl::view<TypeParam> v(out, type);
  const std::string hashed = std::string(v["secrets"][0]["name"].template as<std::string_view>());
  EXPECT_EQ(hashed.size(), 16u);
  expected.find(8)->elements[0].find(1)->text = hashed;
  EXPECT_EQ(decode<TypeParam>(out), expected);
}

TYPED_TEST(redact_of, bytes_without_a_rule_are_unchanged) {
  EXPECT_EQ(this->cut({{"$", "keep"}}), order_bytes<TypeParam>());
  const auto ignoring =
      tl::redaction::compile(order_type(), {.annotation = "pii",
                                            .unknown = tl::on_unknown::keep,
                                            .unmatched = tl::redact_options::unmatched_rules::ignore});
  EXPECT_EQ(tl::redact(this->order(), ignoring).str(), order_bytes<TypeParam>());
}

TYPED_TEST(redact_of, paths_precede_annotations_and_later_paths_precede_earlier_ones) {
  tl::redact_options options = pii();
  options.paths = {{"$.name", "hash"},
                   {"$.name", "constant(nobody)"},
                   {"$.home", "keep"},
                   {"$.home.zip", "blank"},
                   {"$.friends[*].name", "keep"}};
  const std::string bytes = encode<TypeParam>(full_person());
  const std::string out = tl::redact(tl::view<TypeParam>(bytes, people().type("Person")),
                                     tl::redaction::compile(people().type("Person"), options))
                              .str();
  tree expected = redacted_full_person();
  expected.find(2)->text = "nobody";
  *expected.find(7) = structure({{1, text("Main St")}, {2, text("")}, {3, structure({{2, text("z")}})}});
  expected.find(8)->elements[0].find(2)->text = "Bob";
  expected.find(8)->elements[1].find(2)->text = "Cid";
  EXPECT_EQ(decode<TypeParam>(out), expected);
}

TYPED_TEST(redact_of, actions_on_every_kind_of_value) {
  tree expected = sample_order();
  expected.find(2)->find(1)->number = static_cast<std::int64_t>(hashed(9) >> 1);
  *expected.find(2)->find(2) = text("*nn");
  expected.find(3)->elements[1].find(4)->find(1)->text = "?";
  for (auto& entry : expected.find(4)->entries) entry.second.find(2)->real = 9.5;
  expected.find(5)->entries[0].second = text("");
  expected.find(6)->entries[1].second.number = static_cast<std::int64_t>(hashed(50) >> 33);
  expected.find(7)->entries.clear();
  *expected.find(10) = text("**\2");
  expected.find(13)->elements = {i32(0)};  // a set: equal elements are merged
  std::erase_if(expected.fields, [](const auto& field) { return field.first == 12; });
  EXPECT_EQ(decode<TypeParam>(this->cut({{"$.user.id", "hash"},
                                         {"$.user.name", "keep_last(2)"},
                                         {"$.items[*].part.sku", "constant(?)"},
                                         {"$.by_sku{*}.price", "constant(9.5)"},
                                         {"$.notes{-3}", "blank"},
                                         {"$.colors{BLUE}", "hash"},
                                         {"$.rates", "blank"},
                                         {"$.debug", "keep_last(1)"},
                                         {"$.numbers[*]", "keep_last(4)"},
                                         {"$.payment", "drop"}})),
            expected);
}

TYPED_TEST(redact_of, elements_and_entries_can_be_dropped) {
  tree expected = sample_order();
  expected.find(3)->elements.clear();
  expected.find(4)->entries.erase(expected.find(4)->entries.begin());
  expected.find(5)->entries.clear();
  expected.find(13)->elements.clear();
  EXPECT_EQ(this->cut({{"$.items[*]", "drop"},
                       {"$.by_sku{\"k1\"}", "drop"},
                       {"$.notes{*}", "drop"},
                       {"$.numbers[*]", "drop"}}),
            encode<TypeParam>(expected));
}

TYPED_TEST(redact_of, equal_keys_and_set_elements_are_merged) {
  tl::schema schema = tl::schema::parse(
      "struct S { 1: map<string, i32> m, 2: set<list<string>> s, 3: map<bool, bool> b, 4: i32 last }");
  const tree previous =
      structure({{1, map(ttype::string, ttype::i32,
                         {{text("a-1234"), i32(1)}, {text("b-9999"), i32(2)}, {text("c-1234"), i32(3)}})},
                 {2, list(ttype::list,
                          {list(ttype::string, {text("x1")}), list(ttype::string, {text("y1")}),
                           list(ttype::string, {text("y2")})},
                          ttype::set)},
                 {3, map(ttype::bool_, ttype::bool_,
                         {{boolean(true), boolean(true)}, {boolean(false), boolean(false)}})},
                 {4, i32(5)}});
  const std::string bytes = encode<TypeParam>(previous);
  tl::redaction rules = tl::redaction::compile(
      schema.type("S"),
      {.paths = {{"$.m", "keep_last(4)"}, {"$.m{*}", "keep"}, {"$.s", "keep_last(1)"}, {"$.b", "hash"}},
       .key = hash_key});
  EXPECT_EQ(tl::redact(tl::view<TypeParam>(bytes, schema.type("S")), rules).str(),
            encode<TypeParam>(structure(
                {{1, map(ttype::string, ttype::i32, {{text("**1234"), i32(1)}, {text("**9999"), i32(2)}})},
                 {2, list(ttype::list, {list(ttype::string, {text("*1")}), list(ttype::string, {text("*2")})},
                          ttype::set)},
                 {3, map(ttype::bool_, ttype::bool_, {{boolean(false), boolean(false)}})},
                 {4, i32(5)}})));
}

TYPED_TEST(redact_of, keep_last_never_splits_a_character_or_shows_everything) {
  tl::schema schema = tl::schema::parse("struct S { 1: string s, 2: i64 n }");
  auto retained = [&](std::string value, int last) {
    const std::string bytes = encode<TypeParam>(structure({{1, text(std::move(value))}}));
    const auto out =
        tl::redact(tl::view<TypeParam>(bytes, schema.type("S")),
                   tl::redaction::compile(schema.type("S"),
                                          {.paths = {{"$.s", "keep_last(" + std::to_string(last) + ")"}}}));
    return decode<TypeParam>(out.text()).find(1)->text;
  };
  EXPECT_EQ(retained("4111111111111234", 4), "************1234");
  EXPECT_EQ(retained("Zoë", 1), "**ë");
  EXPECT_EQ(retained("日本語", 2), "*本語");
  EXPECT_EQ(retained("1234", 4), "****");
  EXPECT_EQ(retained("", 4), "");
  EXPECT_EQ(retained("abc", 0), "***");
  EXPECT_EQ(retained(std::string(1000, '\x80'), 1),
            std::string(999, '*') + '\x80');        // no text: each byte is a character
  EXPECT_EQ(retained("ab\xe6\x97", 1), "***\x97");  // nor a value that ends in the middle of a character
  auto digits = [&](std::int64_t value, int last) {
    const std::string bytes = encode<TypeParam>(structure({{2, i64(value)}}));
    const auto out =
        tl::redact(tl::view<TypeParam>(bytes, schema.type("S")),
                   tl::redaction::compile(schema.type("S"),
                                          {.paths = {{"$.n", "keep_last(" + std::to_string(last) + ")"}}}));
    return decode<TypeParam>(out.text()).find(2)->number;
  };
  EXPECT_EQ(digits(1234567, 4), 4567);
  EXPECT_EQ(digits(-1234567, 4), 4567);
  EXPECT_EQ(digits(1234, 4), 0);
  EXPECT_EQ(digits(INT64_MIN, 3), 808);
  EXPECT_EQ(digits(INT64_MAX, 100), 0);
}

TYPED_TEST(redact_of, unknown_fields_as_the_option_says) {
  tree expected = sample_order();
  expected.fields.pop_back();
  const auto rules = [](tl::on_unknown kind) {
    return tl::redaction::compile(order_type(), {.paths = {{"$", "keep"}}, .unknown = kind});
  };
  EXPECT_EQ(tl::redact(this->order(), rules(tl::on_unknown::drop)).str(), encode<TypeParam>(expected));
  EXPECT_EQ(tl::redact(this->order(), rules(tl::redact_options().unknown)).str(),
            encode<TypeParam>(expected));
  EXPECT_EQ(tl::redact(this->order(), rules(tl::on_unknown::keep)).str(), order_bytes<TypeParam>());
  auto status = tl::try_redact(this->order(), rules(tl::on_unknown::error));
  ASSERT_EQ(errc_of(status), errc::unknown_field);
}

TYPED_TEST(redact_of, drop_and_constant_equal_erase_and_set) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    randomness random(seed / 10 + 50);
    tl::schema schema = tl::schema::parse(random_idl(random));
    randomness script(seed + 1);
    const tl::type type = schema.type("S0");
    const std::string bytes = encode<TypeParam>(random_struct(script, type, 4));
    const tl::view<TypeParam> v(bytes, type);
    tl::edit<TypeParam> changes(v);
    tl::redact_options options;
    for (const auto& field : type.fields()) {
      if (script.one_in(2)) continue;
      std::string path = ".#" + std::to_string(field.id());
      tl::type to = field.type();
      while (to.is_container() && script.one_in(2)) {
        path += to.kind() == tl::type_kind::map ? "{*}" : "[*]";
        to = to.kind() == tl::type_kind::map ? to.value() : to.element();
      }
      if (to.kind() == tl::type_kind::string && script.one_in(2)) {
        options.paths.emplace_back(path, "constant(gone)");
        changes.replace(path, [](const auto&) { return std::string_view("gone"); });
      } else {
        options.paths.emplace_back(path, "drop");
        changes.erase(path);
      }
    }
    if (options.paths.empty()) continue;
    options.unknown = tl::on_unknown::keep;
    options.missing_required = tl::on_missing::omit;
    auto out = tl::try_redact(v, tl::redaction::compile(type, options));
    ASSERT_TRUE(out) << out.error().what();
    ASSERT_EQ(out->text(), changes.apply().str()) << seed;
  }
}

TYPED_TEST(redact_of, a_part_of_a_message_alone) {
  auto user = this->order()["user"];
  tl::redaction rules = tl::redaction::compile(shop().type("User"), {.paths = {{"$.secret", "drop"}}});
  EXPECT_EQ(tl::redact(user, rules).str(), encode<TypeParam>(structure({{1, i64(9)}, {2, text("Ann")}})));
  EXPECT_EQ(tl::try_redact(this->order(), rules).error().code(), errc::wrong_type);
  EXPECT_EQ(tl::try_redact(this->order()["nothing"], rules).error().code(), errc::no_such_field);
}

TYPED_TEST(redact_of, errors_have_code_and_path_and_leave_the_output) {
  const tl::type type = people().type("Person");
  const tl::redaction rules = tl::redaction::compile(type, pii());
  auto fails = [&](std::string bytes, errc code, std::string path) {
    tl::buffer out;
    out.append(std::string_view("head"));
    auto status = tl::try_append_redacted(tl::view<TypeParam>(bytes, type), rules, out);
    ASSERT_EQ(errc_of(status), code);
    EXPECT_EQ(status.error().path(), path);
    EXPECT_EQ(out.text(), "head");
  };
  fails(encode<TypeParam>(structure({{2, i32(3)}})), errc::type_mismatch, "$.name");
  fails(encode<TypeParam>(structure({{2, text("a")}, {2, text("b")}})), errc::duplicate_field, "$.name");
  fails(encode<TypeParam>(structure({{2, text("a")}, {14, text("b")}, {2, text("b")}})),
        errc::duplicate_field, "$.name");
  fails(encode<TypeParam>(structure({{5, list(ttype::i32, {i32(3)})}})), errc::type_mismatch, "$.nicks");
  fails(encode<TypeParam>(full_person()) + '\0', errc::trailing_bytes, "$");
}

TYPED_TEST(redact_of, truncated_and_changed_bytes_end_cleanly) {
  const tl::type type = people().type("Person");
  const tl::redaction rules = tl::redaction::compile(type, pii());
  const std::string complete = encode<TypeParam>(full_person());
  for (std::size_t size = 0; size < complete.size(); ++size) {
    std::vector<char> exact(complete.begin(), complete.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(
        tl::try_redact(tl::view<TypeParam>(std::string_view(exact.data(), size), type), rules).error().code(),
        errc::truncated)
        << size;
  }
  randomness random(5);
  std::size_t good = 0, bad = 0;
  for (int round = 0; round < thriftlens_test::cases(3000); ++round) {
    std::vector<char> bytes(complete.begin(), complete.end());
    for (std::size_t changes = 1 + random.below(3); changes > 0; --changes)
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    tl::buffer out;
    auto status = tl::try_append_redacted(
        tl::view<TypeParam>(std::string_view(bytes.data(), bytes.size()), type), rules, out);
    ++(status ? good : bad);
    if (!status) {
      EXPECT_TRUE(out.empty());
    } else if (readable<TypeParam>({bytes.data(), bytes.size()})) {
      EXPECT_TRUE(readable<TypeParam>(out.text()));
    }
  }
  EXPECT_GT(good, thriftlens_test::cases(100u));
  EXPECT_GT(bad, thriftlens_test::cases(100u));
}

// Numbers and strings in the order of the IDL: one loop along the prefix template in Binary.
TYPED_TEST(redact_of, flat_structs_by_every_action) {
  const tl::schema schema = tl::schema::parse(R"idl(
    struct Flat { 1: bool a  2: i64 b  3: double c  4: i32 d  5: string e  6: i16 f  7: binary g })idl");
  const tl::type type = schema.type("Flat");
  const std::vector<std::string> names{"a", "b", "c", "d", "e", "f", "g"};
  const std::string bytes = encode<TypeParam>(structure({{1, boolean(true)},
                                                         {2, i64(5)},
                                                         {3, real(1.5)},
                                                         {4, i32(-7)},
                                                         {5, text("text")},
                                                         {6, i16(3)},
                                                         {7, text(std::string(200, 'x'))}}));
  randomness random(11);
  for (int round = 0; round < 500; ++round) {
    tl::redact_options options;
    std::size_t dropped = 0, replaced = 0;
    for (const std::string& name : names) {
      const auto action = random.below(name == "e" || name == "g" ? 5 : 3);
      if (action == 0) continue;
      const std::string constant = "constant(" + std::string(random.below(300), 'y') + ")";
      const std::vector<std::string> actions{"", "drop", "blank", constant, "keep_last(2)"};
      options.paths.emplace_back("$." + name, actions[action]);
      ++(action == 1 ? dropped : replaced);
    }
    if (options.paths.empty()) continue;
    const tl::redaction rules = tl::redaction::compile(type, options);
    const tl::view<TypeParam> from(bytes, type);
    tl::buffer out(tl::byte_view(std::string_view("head")));
    const tl::redact_report report = tl::append_redacted(from, rules, out);
    ASSERT_EQ(report, (tl::redact_report{replaced, dropped, 0})) << round;
    // In pieces only the general pass runs.
    const tl::gathered pieces = tl::rewrite<TypeParam>(from).redact(rules).apply_gather();
    std::string expected = "head";
    for (const tl::byte_view piece : pieces.pieces()) expected += piece.text();
    ASSERT_EQ(out.text(), expected) << round;
    const std::string cut = bytes.substr(0, random.below(bytes.size()));
    ASSERT_EQ(tl::try_redact(tl::view<TypeParam>(cut, type), rules).error().code(), errc::truncated);
    const std::string longer = bytes + 'x';
    ASSERT_EQ(tl::try_redact(tl::view<TypeParam>(longer, type), rules).error().code(), errc::trailing_bytes);
  }
}

TYPED_TEST(redact_of, depth_is_bounded) {
  const tl::type type = people().type("Person");
  tree deep = person("x");
  for (int i = 0; i < 40; ++i) deep = structure({{8, list(ttype::struct_, {deep})}});
  const std::string bytes = encode<TypeParam>(deep);
  EXPECT_EQ(
      tl::try_redact(tl::view<TypeParam>(bytes, type), tl::redaction::compile(type, pii())).error().code(),
      errc::depth_limit);
}

TYPED_TEST(redact_of, hash_of_uuids_and_bytes_in_all_positions) {
  const tl::schema schema = tl::schema::parse(
      "struct S { 1: uuid id, 2: list<uuid> ids, 3: binary raw, 4: list<binary> raws, 5: map<uuid, binary> "
      "both }");
  const auto make = [](const tl::uuid_bytes& first, const tl::uuid_bytes& second, const std::string& raw,
                       const std::string& none) {
    tl::buffer out;
    std::int16_t last = 0;
    const auto field = [&](ttype wire, std::int16_t id) {
      out.commit(TypeParam::put_field(out.prepare(32), wire, id, last));
    };
    const auto uuid = [&](const tl::uuid_bytes& id) { out.commit(TypeParam::put_uuid(out.prepare(32), id)); };
    const auto bytes = [&](const std::string& text) {
      out.commit(TypeParam::put_size(out.prepare(32), static_cast<std::uint32_t>(text.size())));
      out.append(std::string_view(text));
    };
    field(ttype::uuid, 1);
    uuid(first);
    field(ttype::list, 2);
    out.commit(TypeParam::put_list(out.prepare(32), {ttype::uuid, 2}));
    uuid(second);
    uuid(first);
    field(ttype::string, 3);
    bytes(raw);
    field(ttype::list, 4);
    out.commit(TypeParam::put_list(out.prepare(32), {ttype::string, 2}));
    bytes(none);
    bytes(raw);
    field(ttype::map, 5);
    out.commit(TypeParam::put_map(out.prepare(32), {ttype::uuid, ttype::string, 1}));
    uuid(second);
    bytes(none);
    out.push_back(0);
    return out;
  };
  // 128 bits from two hashes: of the sixteen bytes, and of them with a zero appended.
  const auto hash = [](const tl::uuid_bytes& id) {
    std::string bytes(id.begin(), id.end());
    tl::uuid_bytes result{};
    tl::detail::store_be(result.data(), tl::redact_hash(hash_key)(bytes));
    bytes += '\0';
    tl::detail::store_be(result.data() + 8, tl::redact_hash(hash_key)(bytes));
    return result;
  };
  tl::uuid_bytes first{}, second{};
  for (std::uint8_t i = 0; i < 16; ++i) {
    first[i] = i;
    second[i] = static_cast<std::uint8_t>(0xf0 + i);
  }
  const std::string raw("\x00\xff\x80raw", 6);
  const tl::buffer bytes = make(first, second, raw, "");
  const auto redact = [&](const char* path) {
    const tl::redaction rules =
        tl::redaction::compile(schema.type("S"), {.paths = {{path, "hash"}}, .key = hash_key});
    return tl::redact(tl::view<TypeParam>(bytes, schema.type("S")), rules);
  };
  EXPECT_EQ(redact("$").str(), make(hash(first), hash(second), hex(raw).text, hex("").text).str());
  const tl::buffer only_id = redact("$.id");
  const tl::view<TypeParam> actual(only_id, schema.type("S"));
  EXPECT_EQ(actual["id"].template as<tl::uuid_bytes>(), hash(first));
  EXPECT_EQ(actual["ids"][1].template as<tl::uuid_bytes>(), first);
  // Truncation is an error, never a shorter value.
  const tl::redaction rules =
      tl::redaction::compile(schema.type("S"), {.paths = {{"$", "hash"}}, .key = hash_key});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string cut = bytes.str().substr(0, size);
    tl::buffer out;
    EXPECT_FALSE(tl::try_append_redacted(tl::view<TypeParam>(cut, schema.type("S")), rules, out)) << size;
    EXPECT_TRUE(out.empty());
  }
}

TYPED_TEST(redact_of, constants_for_bools_in_fields_elements_and_entries) {
  const tl::schema schema = tl::schema::parse(
      "struct S { 1: i32 a, 2: bool b, 20: list<bool> l, 21: map<bool, bool> m, 22: bool c, 23: i32 z }");
  const auto make = [](bool field, std::vector<tree> elements, bool entry, bool other) {
    return structure({{1, i32(1)},
                      {2, boolean(field)},
                      {20, list(ttype::bool_, std::move(elements))},
                      {21, map(ttype::bool_, ttype::bool_, {{boolean(true), boolean(entry)}})},
                      {22, boolean(other)},
                      {23, i32(9)}});
  };
  for (const bool old : {false, true}) {
    for (const bool fresh : {false, true}) {
      const std::string bytes = encode<TypeParam>(make(old, {boolean(old), boolean(!old)}, old, old));
      const std::string constant = fresh ? "constant(true)" : "constant(false)";
      const tl::redaction rules = tl::redaction::compile(
          schema.type("S"), {.paths = {{"$.b", constant}, {"$.l[*]", constant}, {"$.m{*}", constant}}});
      tl::redact_report report;
      const tl::buffer out = tl::redact(tl::view<TypeParam>(bytes, schema.type("S")), rules, &report);
      EXPECT_EQ(decode<TypeParam>(out.text()), make(fresh, {boolean(fresh), boolean(fresh)}, fresh, old));
      EXPECT_EQ(report.replaced, 4u);
    }
  }
  for (const char* wrong :
       {"constant(1)", "constant(True)", "constant()", "constant(true )", "constant(yes)"}) {
    const tl::result<tl::redaction> outcome =
        tl::redaction::try_compile(schema.type("S"), {.paths = {{"$.b", wrong}}});
    ASSERT_EQ(errc_of(outcome), errc::bad_rule) << wrong;
  }
}

}  // namespace
