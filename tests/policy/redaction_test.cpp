#include <thriftlens/policy/redaction.hpp>

#include "path/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::shop, tl::errc;

namespace {

const tl::redact_hash::key_bytes short_key{1, 2, 3};
tl::result<tl::redaction> by_path(std::string_view type, const char* path, const char* action) {
  return tl::redaction::try_compile(shop().type(type), {.paths = {{path, action}}});
}

TEST(redaction, visits_only_types_with_rules) {
  tl::redaction rules =
      tl::redaction::compile(shop().type("Order"), {.paths = {{"$.user.name", "hash"}},
                                                    .key = short_key,
                                                    .unknown = tl::on_unknown::keep,
                                                    .missing_required = tl::on_missing::omit});
  const tl::detail::redact_node& order = rules.nodes()[rules.root().node];
  ASSERT_EQ(order.fields.size(), 1u);
  EXPECT_EQ(order.fields[0].id, 2);
  const tl::detail::redact_node& user = rules.nodes()[order.fields[0].to.node];
  ASSERT_EQ(user.fields.size(), 1u);
  EXPECT_EQ(rules.replaced(user.fields[0].to.replacement).kind, tl::detail::redact_action::form::hash);
}

TEST(redaction, of_a_recursive_type_is_finite) {
  tl::redaction rules =
      tl::redaction::compile(shop().type("Item"), {.paths = {{"$", "hash"}}, .key = short_key});
  EXPECT_LE(rules.nodes().size(), 3u);  // Item and its list of tags, all hashed
}

TEST(redaction, error_texts) {
  EXPECT_EQ(by_path("Order", "$.user.id", "drop").error().code(), errc::bad_rule);
  EXPECT_NE(std::string(by_path("Order", "$.user.id", "drop").error().what()).find("field 'id' of User"),
            std::string::npos);
  EXPECT_EQ(by_path("Order", "$", "drop").error().code(), errc::bad_rule);
  EXPECT_EQ(by_path("Order", "$.nmae", "drop").error().code(), errc::no_such_field);
  EXPECT_EQ(by_path("Order", "$.items[0]", "drop").error().code(), errc::wrong_type);
  EXPECT_EQ(by_path("Order", "$.items[1:2].sku", "drop").error().code(), errc::wrong_type);
  EXPECT_EQ(by_path("Order", "$.user.name", "scramble").error().code(), errc::bad_rule);
  EXPECT_EQ(by_path("Order", "$.items[*].price", "constant(cheap)").error().code(), errc::bad_rule);
  EXPECT_EQ(by_path("Order", "$.numbers[*]", "constant(4000000000)").error().code(), errc::bad_rule);
  EXPECT_EQ(by_path("Order", "$.items", "constant(x)").error().code(), errc::bad_rule);
  EXPECT_EQ(by_path("Order", "$.user", "constant(x)").error().code(), errc::bad_rule);
  EXPECT_EQ(tl::redaction::try_compile(tl::type(), {}).error().code(), errc::wrong_type);
  EXPECT_EQ(tl::redaction::try_compile(shop().type("Order"), {.annotation = "x", .default_action = "?"})
                .error()
                .code(),
            errc::bad_rule);
  EXPECT_EQ(tl::redaction::try_compile(shop().type("Order"), {.annotation = "x", .values = {{"a", "?"}}})
                .error()
                .code(),
            errc::bad_rule);
}

TEST(redaction, is_bounded_for_combinations_of_wildcards_and_keys) {
  std::string map_type = "string";
  for (int i = 0; i < 24; ++i) map_type = "map<string, " + map_type + ">";
  tl::schema schema = tl::schema::parse("struct S { 1: " + map_type + " m }");
  tl::redact_options options;
  for (int i = 0; i < 24; ++i) {
    std::string path = "$.m";
    for (int level = 0; level < 24; ++level) path += level == i ? "{\"a\"}" : "{*}";
    options.paths.emplace_back(path, "blank");
  }
  EXPECT_EQ(tl::redaction::try_compile(schema.type("S"), options).error().code(), errc::size_limit);
}

constexpr std::string_view marked_idl = R"idl(
  typedef string Mail (pii = "mail")
  enum Sex { F = 1 (only_member = "x") } (pii = "sex")
  struct Inner { 1: string name (pii = "name"), 2: string note }
  struct Marked { 1: Inner inner, 2: list<Mail> mails, 3: Sex sex, 4: map<string, Inner> all, 5: i64 id, 6: bool flag (pii = "flag") }
  struct Plain { 1: string name, 2: i64 id }
  struct Hashed { 1: string name (pii = "hash"), 2: bool flag (pii = "hash") }
)idl";
const tl::schema& marked() {
  static const tl::schema loaded = tl::schema::parse(marked_idl);
  return loaded;
}
/// The words of the error, or nothing.
std::string refused(std::string_view type, const tl::redact_options& options, errc code = errc::bad_rule) {
  const tl::result<tl::redaction> outcome = tl::redaction::try_compile(marked().type(type), options);
  if (outcome) return {};
  EXPECT_EQ(outcome.error().code(), code) << outcome.error().what();
  return outcome.error().what();
}
using unmatched = tl::redact_options::unmatched_rules;

TEST(redaction, without_any_rule_is_an_error) {
  EXPECT_EQ(refused("Marked", {}), "no redaction rule; add an annotation, paths or types");
  EXPECT_EQ(refused("Marked", {.key = short_key}), "no redaction rule; add an annotation, paths or types");
  EXPECT_EQ(refused("Marked", {.unmatched = unmatched::ignore}),
            "no redaction rule; add an annotation, paths or types");
  EXPECT_EQ(refused("Marked", {.unknown = tl::on_unknown::error}),
            "no redaction rule; add an annotation, paths or types");
}

TEST(redaction, with_an_empty_path_is_an_error) {
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .paths = {{"", "keep"}}, .unmatched = unmatched::ignore}),
            "empty path; the path of the root value is '$'");
}

TEST(redaction, that_drops_keys_of_a_map_names_the_field) {
  const tl::schema schema = tl::schema::parse(R"idl(
    typedef string Mail (pii = "drop")
    struct Sent { 1: list<map<i32, map<Mail, i32>>> counts })idl");
  const tl::result<tl::redaction> rules =
      tl::redaction::try_compile(schema.type("Sent"), {.annotation = "pii"});
  ASSERT_FALSE(rules);
  EXPECT_EQ(std::string_view(rules.error().what()),
            "field 'counts' of Sent: keys of a map cannot be dropped; use blank");
}

TEST(redaction, by_an_unused_annotation_is_an_error_with_a_suggestion) {
  EXPECT_EQ(refused("Marked", {.annotation = "pi"}),
            "no field or type that Marked reaches has the annotation 'pi'; did you mean 'pii'?");
  EXPECT_EQ(refused("Marked", {.annotation = "pij"}),
            "no field or type that Marked reaches has the annotation 'pij'; did you mean 'pii'?");
  EXPECT_EQ(refused("Marked", {.annotation = "PII"}),
            "no field or type that Marked reaches has the annotation 'PII'; did you mean 'pii'?");
  EXPECT_EQ(refused("Plain", {.annotation = "pii"}),
            "no field or type that Plain reaches has the annotation 'pii'");
  // Redact does not look at members of enums: a mark there alone hides nothing.
  EXPECT_NE(refused("Marked", {.annotation = "only_member"}), "");
  EXPECT_EQ(refused("Marked", {.annotation = "pii"}), "");
  EXPECT_EQ(refused("Plain", {.annotation = "pii", .unmatched = unmatched::ignore}), "");
  // Which rule wins in the end does not matter.
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .paths = {{"$", "keep"}}}), "");
}

TEST(redaction, with_an_unused_value_is_an_error_with_a_suggestion) {
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .values = {{"name", "drop"}, {"mial", "drop"}}}),
            "no annotation 'pii' that Marked reaches has the value 'mial'; did you mean 'mail'?");
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .values = {{"sex", "blank"}, {"mail", "drop"}}}), "");
  EXPECT_EQ(
      refused("Marked", {.annotation = "pii", .values = {{"mial", "drop"}}, .unmatched = unmatched::ignore}),
      "");
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .values = {{"mail", "hsh"}}}),
            "mail: 'hsh' is not keep, drop, blank, hash, keep_last(n) or constant(text)");
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .values = {{"mail", "drop"}, {"mail", "keep"}}}),
            "'mail' is duplicate in values");
}

TEST(redaction, with_values_but_no_annotation_is_an_error) {
  const std::string text = "values and default_action need an annotation";
  EXPECT_EQ(refused("Marked", {.values = {{"mail", "drop"}}, .paths = {{"$.id", "blank"}}}), text);
  EXPECT_EQ(refused("Marked", {.default_action = "drop", .paths = {{"$.id", "blank"}}}), text);
  EXPECT_EQ(refused("Marked",
                    {.default_action = "drop", .paths = {{"$.id", "blank"}}, .unmatched = unmatched::ignore}),
            text);
}

TEST(redaction, by_hash_needs_a_key) {
  constexpr errc code = errc::missing_key;
  const std::string text = "hash needs a key: without a secret, guesses of a value can be verified";
  EXPECT_EQ(refused("Marked", {.paths = {{"$.id", "hash"}}}, code), text);
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .values = {{"mail", "hash"}}}, code), text);
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .default_action = "hash"}, code), text);
  EXPECT_EQ(
      refused("Marked", {.annotation = "pii", .values = {{"mail", "hash"}}, .unmatched = unmatched::ignore},
              code),
      text);
  EXPECT_EQ(refused("Hashed", {.annotation = "pii"}, code), "field 'name' of Hashed: " + text);
  EXPECT_EQ(refused("Hashed", {.annotation = "pii", .paths = {{"$.name", "blank"}}}, code),
            "field 'flag' of Hashed: " + text);
  EXPECT_EQ(
      refused("Hashed", {.annotation = "pii", .paths = {{"$.name", "blank"}, {"$.flag", "blank"}}}, code),
      "");
  EXPECT_EQ(refused("Hashed", {.annotation = "pii", .key = short_key}, code), "");
}

TEST(redaction, with_a_key_and_no_hash_is_an_error) {
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .key = short_key}),
            "key has no effect: no rule has the action hash");
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .key = short_key, .unmatched = unmatched::ignore}), "");
  EXPECT_EQ(refused("Marked", {.annotation = "pii", .values = {{"mail", "hash"}}, .key = short_key}), "");
}

TEST(redaction, by_a_path_into_a_replaced_value_is_an_error) {
  EXPECT_EQ(refused("Marked", {.paths = {{"$.inner", "blank"}, {"$.inner.note", "keep"}}}),
            "the rule $.inner.note has no effect: the rule of $.inner replaces all of it");
  EXPECT_EQ(refused("Marked", {.paths = {{"$.all{*}.note", "keep"}, {"$.all", "drop"}}}),
            "the rule $.all{*}.note has no effect: the rule of $.all replaces all of it");
  EXPECT_EQ(refused("Marked", {.paths = {{"$.all{\"a\"}.note", "keep"}, {"$.all{\"a\"}", "drop"}}}),
            "the rule $.all{\"a\"}.note has no effect: the rule of $.all{\"a\"} replaces all of it");
  EXPECT_EQ(refused("Marked", {.paths = {{"$", "blank"}, {"$.id", "keep"}}}),
            "the rule $.id has no effect: the rule of $ replaces all of it");
  EXPECT_EQ(refused("Marked", {.paths = {{"$.inner", "blank"}, {"$.inner.note", "keep"}},
                               .unmatched = unmatched::ignore}),
            "");
  EXPECT_EQ(refused("Marked", {.paths = {{"$.inner", "hash"}, {"$.inner.note", "keep"}}, .key = short_key}),
            "");
  // The last of several paths to one value wins; none is lost.
  EXPECT_EQ(
      refused(
          "Marked",
          {.paths = {{"$.all{*}.note", "drop"}, {"$.all{\"a\"}.note", "keep"}, {"$.all{*}.note", "blank"}}}),
      "");
}

TEST(redaction, by_a_path_to_an_unknown_field_is_an_error_by_default) {
  EXPECT_NE(
      refused("Plain", {.paths = {{"$.nmae", "drop"}}}, errc::no_such_field).find("did you mean 'name'?"),
      std::string::npos);
  EXPECT_EQ(refused("Plain", {.paths = {{"$.nmae", "drop"}}, .unmatched = unmatched::ignore}), "");
  // What does not fit at all is not a field that other types have.
  EXPECT_NE(refused("Plain", {.paths = {{"$.name.first", "drop"}}, .unmatched = unmatched::ignore},
                    errc::wrong_type),
            "");
  EXPECT_NE(
      refused("Plain", {.paths = {{"$.name..", "drop"}}, .unmatched = unmatched::ignore}, errc::path_syntax),
      "");
  EXPECT_NE(refused("Plain", {.paths = {{"$.nmae", "scramble"}}, .unmatched = unmatched::ignore}), "");
  EXPECT_NE(
      refused("Marked", {.paths = {{"$.all{x\"00000001\"}", "drop"}}}, errc::wrong_type).find("wire bytes"),
      std::string::npos);
}

TEST(redaction, of_annotations_that_contradict_each_other_is_an_error) {
  const tl::schema schema = tl::schema::parse(R"idl(
    struct Twice { 1: string s (pii = "keep", pii = "drop") }
    struct Same { 1: string s (pii = "drop", pii = "drop") }
    struct Declared { 1: string s } (pii = "keep", pii = "blank")
    struct Holds { 1: Declared d })idl");
  const auto text = [&](const char* type) {
    const auto result = tl::redaction::try_compile(schema.type(type), {.annotation = "pii"});
    return result ? std::string() : std::string(result.error().what());
  };
  EXPECT_EQ(text("Twice"), "field 's' of Twice: the annotation 'pii' has the values 'keep' and 'drop'");
  EXPECT_EQ(text("Same"), "");
  EXPECT_EQ(text("Holds"), "field 'd' of Holds: the annotation 'pii' has the values 'keep' and 'blank'");
}

TEST(redaction, cannot_drop_the_value_itself) {
  const tl::schema schema = tl::schema::parse("struct Gone { 1: string s } (pii = \"drop\")");
  const auto result = tl::redaction::try_compile(schema.type("Gone"), {.annotation = "pii"});
  ASSERT_FALSE(result);
  EXPECT_STREQ(result.error().what(), "the root value cannot be dropped");
}

TEST(redaction, of_unknown_annotation_values_uses_the_default_action) {
  // "mail", "sex", "name" and "flag" are neither listed nor actions.
  for (const tl::redact_entry& item :
       tl::redaction::compile(marked().type("Marked"), {.annotation = "pii"}).listing()) {
    EXPECT_TRUE(item.action == "blank" || item.path == "#*" || item.action.starts_with("as $"))
        << item.path << ' ' << item.action;
  }
}

/// `path action` of the entries except unknown fields.
std::vector<std::string> hidden(const tl::schema& in, std::string_view type,
                                const tl::redact_options& options) {
  std::vector<std::string> actual;
  for (const tl::redact_entry& item : tl::redaction::compile(in.type(type), options).listing()) {
    if (item.path != "#*") actual.push_back(item.path + ' ' + item.action);
  }
  return actual;
}
using texts = std::vector<std::string>;

TEST(redaction, the_stricter_of_nested_annotations_wins) {
  const tl::schema schema = tl::schema::parse(R"idl(
    typedef string Ssn (pii = "drop")
    typedef Ssn Shown (pii = "keep")
    enum Sex { F = 1 } (pii = "blank")
    struct Card { 1: string number (pii = "drop"), 2: string owner, 3: string brand (pii = "keep"), 4: string bank (pii = "keep_last(1)") }
      (pii = "keep_last(4)")
    struct S { 1: Card card, 2: list<Card> cards (pii = "keep_last(2)"), 3: map<string, Card> all (pii = "keep"), 4: Ssn ssn (pii = "keep_last(3)"),
      5: Shown shown, 6: list<Ssn> many (pii = "hash"), 7: Sex sex (pii = "keep"), 8: Card gone (pii = "drop") }
    union U { 1: Card card (pii = "keep_last(9)"), 2: string text (pii = "hash") } (pii = "keep_last(3)"))idl");
  const tl::redact_options options{.annotation = "pii", .key = short_key};
  EXPECT_EQ(hidden(schema, "S", options),
            (texts{"$.card.number drop", "$.card.owner keep_last(4)", "$.card.brand keep_last(4)",
                   "$.card.bank keep_last(1)", "$.cards[*].number drop", "$.cards[*].owner keep_last(2)",
                   "$.cards[*].brand keep_last(2)", "$.cards[*].bank keep_last(1)", "$.all keep",
                   "$.all{*} as $.card", "$.ssn drop", "$.shown drop", "$.many[*] drop", "$.sex blank",
                   "$.gone drop"}));
  EXPECT_EQ(hidden(schema, "U", options),
            (texts{"$.card.number drop", "$.card.owner keep_last(3)", "$.card.brand keep_last(3)",
                   "$.card.bank keep_last(1)", "$.text hash"}));
}

TEST(redaction, by_path_overrides_annotations_at_and_below_its_value) {
  const tl::schema schema = tl::schema::parse(R"idl(
    struct Card { 1: string number (pii = "drop"), 2: string owner }
    struct S { 1: Card card })idl");
  tl::redact_options options{.annotation = "pii"};
  options.paths = {{"$.card", "keep_last(4)"}};
  EXPECT_EQ(hidden(schema, "S", options), (texts{"$.card.number drop", "$.card.owner keep_last(4)"}));
  options.paths = {{"$.card.number", "keep_last(4)"}};
  EXPECT_EQ(hidden(schema, "S", options), (texts{"$.card.number keep_last(4)"}));
  options.paths = {{"$.card", "keep"}};
  EXPECT_EQ(hidden(schema, "S", options), (texts{"$.card keep"}));
}

TEST(redaction, by_an_annotation_of_a_function_applies_to_its_result) {
  const tl::schema schema = tl::schema::parse(R"idl(
    struct User { 1: string name, 2: string ssn (pii = "drop") }
    exception Gone { 1: string why }
    service Shop {
      User get(1: string id) throws (1: Gone gone) (pii = "keep_last(2)")
      list<string> names() (pii = "blank")
      i64 count()
    })idl");
  const auto of = [&](const char* function) { return schema.service("Shop").function(function).result(); };
  const auto listed = [&](const char* function) {
    texts actual;
    for (const tl::redact_entry& item : tl::redaction::compile(of(function), {.annotation = "pii"}).listing())
      actual.push_back(item.path + ' ' + item.action + ' ' + item.reason);
    return actual;
  };
  EXPECT_EQ(listed("get"),
            (texts{"$.success.name keep_last(2) function Shop.get (pii = \"keep_last(2)\")",
                   "$.success.ssn drop field User.ssn (pii = \"drop\")", "#* drop not in the IDL"}));
  EXPECT_EQ(listed("names"),
            (texts{"$.success blank function Shop.names (pii = \"blank\")", "#* drop not in the IDL"}));
  EXPECT_FALSE(tl::redaction::try_compile(of("count"), {.annotation = "pii"}));
}

TEST(redaction, by_type_applies_wherever_the_type_occurs) {
  const tl::schema schema = tl::schema::parse(R"idl(
    enum Sex { F = 1 }
    struct User { 1: string mail, 2: string name (pii = "drop"), 3: Sex sex }
    struct S { 1: User user, 2: map<string, list<User>> all, 3: set<Sex> sexes, 4: User kept })idl");
  tl::redact_options options{.paths = {{"$.kept", "keep"}}, .types = {{"User.mail", "blank"}}};
  EXPECT_EQ(hidden(schema, "S", options),
            (texts{"$.user.mail blank", "$.all{*}[*] as $.user", "$.kept keep", "$.kept.mail blank"}));
  options = {.annotation = "pii", .types = {{"User.name", "keep"}, {"Sex", "blank"}}};
  EXPECT_EQ(hidden(schema, "S", options),
            (texts{"$.user.name keep", "$.user.sex blank", "$.all{*}[*] as $.user", "$.sexes[*] blank",
                   "$.kept as $.user"}));
  options = {.types = {{"User", "keep_last(1)"}, {"User.name", "blank"}, {"User.mail", "keep"}}};
  EXPECT_EQ(hidden(schema, "User", options), (texts{"$.mail keep_last(1)", "$.name blank", "$.sex blank"}));
}

TEST(redaction, by_an_unknown_type_is_an_error) {
  const tl::schema schema = tl::schema::parse(R"idl(
    struct User { 1: required string mail }
    struct S { 1: User user }
    struct Other { 1: i32 n })idl");
  const auto text = [&](const char* type, const char* rule, const char* action,
                        unmatched mode = unmatched::error) {
    const auto compiled =
        tl::redaction::try_compile(schema.type(type), {.types = {{rule, action}}, .unmatched = mode});
    return compiled ? std::string() : std::string(compiled.error().what());
  };
  EXPECT_EQ(text("S", "Usr.mail", "blank"),
            "no struct or enum for the rule 'Usr.mail'; did you mean 'User'?");
  EXPECT_EQ(text("S", "User.mial", "blank"), "no field 'mial' in User; did you mean 'mail'?");
  EXPECT_EQ(text("S", "User.mail", "drop"),
            "field 'mail' of User: a required field cannot be dropped; use blank");
  EXPECT_EQ(text("Other", "User.mail", "blank"), "the rule User.mail matches nothing in Other");
  EXPECT_EQ(text("Other", "User.mail", "blank", unmatched::ignore), "");
  EXPECT_NE(text("Other", "User.mial", "blank", unmatched::ignore), "");
}

}  // namespace
