// Handles that refer to nothing: every call has a documented result or raises an error.
#include <thriftlens/codec/bind_by_name.hpp>

#include <thriftlens/codec/unknown_fields.hpp>
#include <thriftlens/compare/compare.hpp>
#include <thriftlens/dom/document.hpp>
#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/schema/describe.hpp>
#include <thriftlens/schema/store.hpp>
#include <thriftlens/view/plan.hpp>
#include "support/test.hpp"

using tl::errc;

namespace {

const tl::schema& shop() {
  static const tl::schema loaded = tl::schema::parse(R"(
    enum Color { RED = 1 (key = "v") }
    struct User { 1: i64 id, 2: optional string name (key = "v") }
    struct Order { 1: i64 id, 2: User user, 3: list<User> users, 4: map<string, User> by_name, 5: Color color }
    service Shop { Order get(1: i64 id) }
  )");
  return loaded;
}

/// A question to a handle: a name, whether it raises (else it has an answer), and the question.
struct question {
  const char* name;
  errc expected;  ///< ok: it answers
  std::function<void()> ask;
};
void expect_answers(const char* state, const std::vector<question>& questions) {
  for (const question& item : questions) {
    SCOPED_TRACE(std::string(state) + ": " + item.name);
    try {
      item.ask();
      EXPECT_EQ(item.expected, errc::ok) << "it answers";
    } catch (const tl::error& fault) {
      EXPECT_EQ(fault.code(), item.expected) << fault.what();
      EXPECT_GT(std::string(fault.what()).size(), 15u) << "no sentence";
      EXPECT_TRUE(fault.offset() == tl::error::no_offset || fault.offset() < 1000) << fault.what();
    }
  }
}
template <class T>
void use(const T& value) {
  static_cast<void>(value);
}
template <class Range>
void walk(const Range& range) {
  for (auto item : range) use(item);
}
#define ASK(expected, expression)                         \
  question {                                              \
    #expression, errc::expected, [&] { use(expression); } \
  }

TEST(empty_handles, a_type) {
  const tl::type none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none.image(), nullptr);
  EXPECT_EQ(none, tl::type());
  for (const auto& [state, of] :
       {std::pair{"made by default", none}, {"of an absent value", tl::view<tl::binary>()["x"].type()}}) {
    const tl::type t = of;
    expect_answers(
        state, {ASK(unknown_name, t.kind()), ASK(unknown_name, t.wire()), ASK(unknown_name, t.is_struct()),
                ASK(unknown_name, t.is_container()), ASK(unknown_name, t.is_enum()),
                ASK(unknown_name, t.name()), ASK(unknown_name, t.element()), ASK(unknown_name, t.key()),
                ASK(unknown_name, t.value()), ASK(unknown_name, t.fields())});
    expect_answers(state, {ASK(unknown_name, t.find_field(1)), ASK(unknown_name, t.find_field("id")),
                           ASK(unknown_name, t.field(1)), ASK(unknown_name, t.field("id")),
                           ASK(ok, t.try_field(1)), ASK(ok, t.try_field("id")),
                           ASK(unknown_name, t.field_by_alias("id")), ASK(unknown_name, t.members()),
                           ASK(unknown_name, t.member_name(1)), ASK(unknown_name, t.member_value("RED"))});
    expect_answers(state, {ASK(unknown_name, t.annotations()), ASK(unknown_name, t.doc()),
                           ASK(unknown_name, t.node()), ASK(unknown_name, t.structure())});
    EXPECT_EQ(t.try_field("id").error().code(), errc::unknown_name);
    const tl::written_type w(t);
    expect_answers(
        state, {ASK(ok, w.type()), ASK(ok, w.annotations()), ASK(ok, w.place()),
                ASK(unknown_name, w.element()), ASK(unknown_name, w.key()), ASK(unknown_name, w.value())});
  }
}

TEST(empty_handles, a_type_of_another_kind) {
  const tl::type number = shop().type("i64"), order = shop().type("Order"), color = shop().type("Color"),
                 list = order.find_field("users").type();
  expect_answers("i64", {ASK(wrong_type, number.element()), ASK(wrong_type, number.key()),
                         ASK(wrong_type, number.value()), ASK(wrong_type, number.fields()),
                         ASK(wrong_type, number.find_field(1)), ASK(wrong_type, number.find_field("id")),
                         ASK(wrong_type, number.field(1)), ASK(wrong_type, number.field("id")),
                         ASK(ok, number.try_field("id")), ASK(wrong_type, number.field_by_alias("id")),
                         ASK(wrong_type, number.members()), ASK(wrong_type, number.member_name(1)),
                         ASK(wrong_type, number.member_value("x")), ASK(wrong_type, number.structure()),
                         ASK(ok, number.annotations()), ASK(ok, number.doc())});
  expect_answers("struct", {ASK(wrong_type, order.element()), ASK(wrong_type, order.key()),
                            ASK(wrong_type, order.value()), ASK(wrong_type, order.members()),
                            ASK(wrong_type, order.member_name(1))});
  expect_answers("enum", {ASK(wrong_type, color.fields()), ASK(wrong_type, color.find_field("x")),
                          ASK(wrong_type, color.element())});
  expect_answers("list", {ASK(wrong_type, list.fields()), ASK(wrong_type, list.key()),
                          ASK(wrong_type, list.value()), ASK(wrong_type, list.members())});
  const auto empty = order.annotations();
  const auto fields = order.fields();
  const auto members = color.members();
  expect_answers("ranges", {ASK(bad_index, empty[0]), ASK(bad_index, fields[5]), ASK(bad_index, members[1]),
                            ASK(bad_index, members[0].annotations()[1]), ASK(ok, empty.find("x")),
                            ASK(ok, fields[4]), ASK(ok, members[0].annotations()[0].value())});
  try {
    EXPECT_EQ(number.try_field(1).error().code(), errc::wrong_type);
    use(number.fields());
    FAIL();
  } catch (const tl::error& fault) {
    EXPECT_STREQ(fault.what(), "type i64 has no fields");
  }
}

TEST(empty_handles, a_field) {
  const tl::type order = shop().type("Order");
  for (const auto& [state, of] : {std::pair{"made by default", tl::field_info()},
                                  {"no such name", order.find_field("nope")},
                                  {"no such id", order.find_field(99)},
                                  {"no such alias", order.field_by_alias("nope")},
                                  {"of a root", tl::view<tl::binary>().field_info()}}) {
    const tl::field_info f = of;
    EXPECT_FALSE(f);
    EXPECT_EQ(f.image(), nullptr);
    expect_answers(state,
                   {ASK(no_such_field, f.id()), ASK(no_such_field, f.name()), ASK(no_such_field, f.alias()),
                    ASK(no_such_field, f.type()), ASK(no_such_field, f.written()),
                    ASK(no_such_field, f.required()), ASK(no_such_field, f.requiredness()),
                    ASK(no_such_field, f.has_default()), ASK(no_such_field, f.default_binary()),
                    ASK(no_such_field, f.default_compact()), ASK(no_such_field, f.doc()),
                    ASK(no_such_field, f.annotations()), ASK(no_such_field, f.type_annotations()),
                    ASK(no_such_field, f.node()), ASK(no_such_field, f.texts())});
  }
  EXPECT_EQ(order.field("id").name(), "id");
  EXPECT_EQ(order.field(2).name(), "user");
  expect_answers("struct", {ASK(no_such_field, order.field("usr")), ASK(no_such_field, order.field(99))});
  EXPECT_EQ(order.try_field("id")->name(), "id");
  EXPECT_EQ(order.try_field(2)->name(), "user");
  EXPECT_STREQ(order.try_field("usr").error().what(), "no field 'usr' in Order; did you mean 'user'?");
  EXPECT_STREQ(order.try_field(99).error().what(), "no field with id 99 in Order");
}

TEST(empty_handles, a_service_and_a_function) {
  const tl::service_info service = shop().service("Shop");
  for (const auto& [state, of] :
       {std::pair{"made by default", tl::service_info()}, {"extends none", service.base()}}) {
    const tl::service_info s = of;
    EXPECT_FALSE(s);
    expect_answers(state, {ASK(unknown_name, s.name()), ASK(unknown_name, s.base()),
                           ASK(unknown_name, s.functions()), ASK(unknown_name, s.find_function("get")),
                           ASK(unknown_name, s.function("get")), ASK(ok, s.try_function("get")),
                           ASK(unknown_name, s.doc()), ASK(unknown_name, s.annotations())});
  }
  for (const auto& [state, of] :
       {std::pair{"made by default", tl::function_info()}, {"no such name", service.find_function("gte")}}) {
    const tl::function_info f = of;
    EXPECT_FALSE(f);
    expect_answers(
        state, {ASK(unknown_name, f.name()), ASK(unknown_name, f.oneway()), ASK(unknown_name, f.returns()),
                ASK(unknown_name, f.arguments()), ASK(unknown_name, f.result()), ASK(unknown_name, f.doc()),
                ASK(unknown_name, f.annotations())});
  }
  EXPECT_EQ(service.function("get").name(), "get");
  expect_answers("service", {ASK(unknown_name, service.function("gte"))});
  EXPECT_EQ(service.try_function("get")->name(), "get");
  EXPECT_STREQ(service.try_function("gte").error().what(), "no function 'gte' in Shop; did you mean 'get'?");
}

// A moved-from schema stays valid: there is no empty one.
TEST(empty_handles, a_schema_and_a_store) {
  tl::schema first = shop();
  const tl::schema second = std::move(first);
  EXPECT_EQ(first.type("Order"), second.type("Order"));  // NOLINT: use after move is tested
  const tl::schema& s = first;
  expect_answers(
      "moved from",
      {ASK(ok, s.type("Order")), ASK(ok, s.try_type("nope")), ASK(ok, s.service("Shop")),
       ASK(ok, s.try_service("nope")), ASK(ok, s.try_constant("nope")), ASK(unknown_name, s.type("nope")),
       ASK(unknown_name, s.service("nope")), ASK(unknown_name, s.constant("nope")), ASK(ok, s.type_names()),
       ASK(ok, s.service_names()), ASK(ok, s.warnings()), ASK(ok, s.image())});
  expect_answers("of no image", {ASK(schema_invalid, tl::schema(std::shared_ptr<const tl::schema_image>()))});
  tl::schema loaded = shop();
  tl::schema_store store(std::move(loaded));
  store.store(std::move(loaded));  // NOLINT: use after move is tested
  EXPECT_EQ(store.current().image(), shop().image());
  EXPECT_FALSE(store.try_reload("no such file"));
  EXPECT_EQ(store.version(), 2u);
}

TEST(empty_handles, a_path_a_selection_and_a_plan) {
  tl::path moved = tl::path::compile(shop().type("Order"), "$.id");
  const tl::path taken = std::move(moved);
  EXPECT_EQ(taken.text(), "$.id");
  EXPECT_EQ(moved.text(), "$.id");  // NOLINT: a compiled path is copied when it is moved
  const tl::path root;
  EXPECT_TRUE(root.empty());
  EXPECT_EQ(root.text(), "$");
  for (const tl::path* const of : {&root, &std::as_const(moved)}) {
    const tl::path& p = *of;
    expect_answers("default or moved from",
                   {ASK(ok, p.steps()), ASK(ok, p.from()), ASK(ok, p.to()), ASK(ok, p.is_single())});
  }
  tl::selection full = tl::selection::compile(shop().type("Order"), "{ id }");
  const tl::selection selected = std::move(full);
  const tl::selection& s = full;  // NOLINT: use after move is tested
  EXPECT_EQ(s.to_string(), selected.to_string());
  expect_answers("moved from", {ASK(ok, s.from()), ASK(ok, s.root()), ASK(ok, s.nodes()), ASK(ok, s.target()),
                                ASK(ok, s.checks_required()), ASK(ok, s | s)});
  tl::plan way = tl::plan::compile(shop().type("Order"), {"$.id", "$.user"});
  const tl::plan other = std::move(way);
  const tl::plan& p = way;  // NOLINT: use after move is tested
  EXPECT_EQ(p.size(), other.size());
  expect_answers("moved from", {ASK(ok, p[1]), ASK(bad_index, p[2]), ASK(ok, p.from()), ASK(ok, p.nodes()),
                                ASK(ok, p.path_slots())});
}

template <class P>
void expect_view_answers(const char* state, const tl::view<P>& v, errc code) {
  EXPECT_FALSE(v);
  EXPECT_EQ(v.code(), code);
  EXPECT_EQ(v.error().code(), code);
  const tl::path path_text;
  const std::vector<question> raising = {
      {"as", code, [&] { use(v.template as<std::int32_t>()); }},
      {"as text", code, [&] { use(v.template as<std::string>()); }},
      {"enum_name", code, [&] { use(v.enum_name()); }},
      {"size", code, [&] { use(v.size()); }},
      {"bytes", code, [&] { use(v.bytes()); }},
      {"numbers", code, [&] { use(v.template numbers<std::int32_t>()); }},
      {"copy_to", code, [&] { use(v.copy_to(std::vector<std::int32_t>())); }},
      {"for_each", code, [&] { v.for_each(path_text, [](const auto&) {}); }},
      {"fields", code, [&] { walk(v.fields()); }},
      {"elements", code, [&] { walk(v.elements()); }},
      {"entries", code, [&] { walk(v.entries()); }}};
  expect_answers(state, raising);
  expect_answers(state, {ASK(ok, v["x"]), ASK(ok, v[1]), ASK(ok, v[~std::uint64_t{0}]), ASK(ok, v.field("x")),
                         ASK(ok, v.field(std::int16_t{1})), ASK(ok, v.index(0)), ASK(ok, v.key("x")),
                         ASK(ok, v.at(path_text)), ASK(ok, v.presence()), ASK(ok, v.type())});
  expect_answers(state, {ASK(ok, v.wire()), ASK(ok, v.offset()), ASK(ok, v.path()), ASK(ok, v.or_default()),
                         ASK(ok, v.member()), ASK(ok, v.field_info()), ASK(ok, v.whole()),
                         ASK(ok, v.root_type()), ASK(ok, v.is_root()), ASK(ok, v.described())});
  expect_answers(
      state, {ASK(ok, v.try_size()), ASK(ok, v.try_bytes()), ASK(ok, v.try_fields().error()),
              ASK(ok, v.try_elements().error()), ASK(ok, v.try_entries().error()), ASK(ok, v.try_enum_name()),
              ASK(ok, tl::try_trim(v, tl::type())), ASK(ok, tl::edit(v).try_apply()),
              ASK(ok, tl::edit(v).set("$.x", 1).try_apply()), ASK(ok, tl::try_validate(v))});
  std::vector<tl::view<P>> actual;
  EXPECT_EQ(tl::get_many(v, tl::plan::compile(shop().type("Order"), {"$.id"}), actual), 0u);
  EXPECT_EQ(actual[0].code(), code);
  const auto fallback = v.template try_value_or<std::int32_t>(5);
  EXPECT_EQ(fallback.has_value(), v.presence() == tl::presence::absent);
}
TEST(empty_handles, a_view) {
  const std::string bytes("\0", 1);
  const tl::view<tl::binary> order(bytes, shop().type("Order")), untyped(bytes);
  expect_view_answers("made by default", tl::view<tl::binary>(), errc::absent);
  expect_view_answers("made by default", tl::view<tl::compact>(), errc::absent);
  expect_view_answers("absent", order["id"], errc::absent);
  expect_view_answers("no such name", order["nope"], errc::no_such_field);
  expect_view_answers("no such id", order[99], errc::no_such_field);
  expect_view_answers("no schema", untyped["nope"], errc::no_such_field);
  expect_view_answers("a step into a struct", order.index(0), errc::wrong_type);
  expect_view_answers("no bytes", tl::view<tl::binary>(tl::byte_view(), shop().type("Order"))["id"],
                      errc::truncated);
}

template <class N>
void expect_node_answers(const char* state, const N& n, errc code) {
  EXPECT_FALSE(n);
  EXPECT_EQ(n.code(), code);
  const tl::path path_text;
  tl::buffer out;
  expect_answers(state,
                 {ASK(ok, n["x"]), ASK(ok, n[1]), ASK(ok, n.field("x")), ASK(ok, n.field(std::int16_t{1})),
                  ASK(ok, n.index(0)), ASK(ok, n.key("x")), ASK(ok, n.at(path_text)), ASK(ok, n.presence()),
                  ASK(ok, n.error()), ASK(ok, n.type())});
  expect_answers(state, {ASK(ok, n.wire()), ASK(ok, n.id()), ASK(ok, n.path()), ASK(ok, n.changed()),
                         ASK(ok, n.try_size()), ASK(ok, n.try_fields()), ASK(ok, n.try_elements()),
                         ASK(ok, n.try_entries()), ASK(ok, n.try_append_to(out)), ASK(ok, n.try_set(1))});
  expect_answers(state, {ASK(ok, n.try_set("x", 1)), ASK(ok, n.try_insert(0, 1)), ASK(ok, n.try_append(1)),
                         ASK(ok, n.try_create("x")), ASK(ok, n.try_erase()), ASK(ok, n.try_erase("x")),
                         ASK(ok, n.try_rename("x", "y")), ASK(ok, n.try_move("x", n)),
                         ASK(ok, n.try_merge(n)), ASK(ok, n.try_sort())});
  expect_answers(state, {ASK(ok, n.template try_as<std::int32_t>()), ASK(ok, n.tree())});
  const std::vector<question> raising = {
      {"as", code, [&] { use(n.template as<std::int32_t>()); }},
      {"size", code, [&] { use(n.size()); }},
      {"fields", code, [&] { use(n.fields()); }},
      {"elements", code, [&] { use(n.elements()); }},
      {"entries", code, [&] { use(n.entries()); }},
      {"write", code, [&] { n.append_to(out); }},
      {"set", code, [&] { n.set(1); }},
      {"append", code, [&] { n.append(1); }},
      {"erase", code, [&] { n.erase(); }},
      {"sort", code, [&] { n.sort(); }},
      {"filter", code, [&] { n.filter([](const auto&) { return true; }); }}};
  expect_answers(state, raising);
}
TEST(empty_handles, a_document_and_its_nodes) {
  expect_node_answers("made by default", tl::node(), errc::absent);
  const std::string bytes("\0", 1);
  tl::document full;
  expect_node_answers("nothing loaded", full.root(), errc::absent);
  full.load<tl::binary>(bytes, shop().type("Order"));
  expect_node_answers("absent", full["id"], errc::absent);
  expect_node_answers("no such name", full["nope"], errc::no_such_field);
  tl::document taken = std::move(full);
  EXPECT_TRUE(taken.root());
  tl::document& d = full;  // NOLINT: use after move is tested
  tl::buffer out;
  expect_node_answers("of a document that was moved from", d.root(), errc::absent);
  expect_answers("moved from", {ASK(ok, d["id"]),
                                ASK(ok, d[1]),
                                ASK(ok, d.at(tl::path())),
                                ASK(ok, d.protocol()),
                                ASK(ok, d.changed()),
                                ASK(ok, d.reserved()),
                                ASK(ok, d.try_append_to(out)),
                                ASK(ok, d.try_append_to<tl::compact>(out)),
                                {"write", errc::absent, [&] { d.append_to(out); }},
                                {"clear", errc::ok, [&] { d.clear(); }}});
  d.load<tl::binary>(bytes, shop().type("Order"));
  d.root().set("id", 5);
  d.append_to(out);
  EXPECT_EQ(out.size(), 12u);
  taken = std::move(d);
  d.start<tl::binary>(shop().type("Order"));
  EXPECT_TRUE(d.root());
}

TEST(empty_handles, rules_redactions_edits_and_bindings) {
  const tl::type order = shop().type("Order");
  const std::string bytes("\0", 1);
  const tl::view<tl::binary> v(bytes, order);

  tl::redaction hidden = tl::redaction::compile(order, {.paths = {{"$.user.name", "drop"}}});
  const tl::redaction other = std::move(hidden);
  EXPECT_EQ(hidden.nodes().size(), other.nodes().size());  // NOLINT: use after move is tested
  EXPECT_EQ(tl::redact(v, hidden), tl::redact(v, other));

  const tl::detail::rules none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.of_field(0), tl::detail::rules::none);
  tl::validator checks = tl::validator::compile(order);
  const tl::validator checks_too = std::move(checks);
  EXPECT_TRUE(checks.valid<tl::binary>(bytes));  // NOLINT: use after move is tested
  EXPECT_TRUE(checks_too.valid<tl::binary>(bytes));

  // Enough edits for a tree, and values that no longer fit.
  auto edits = tl::edit(v);
  edits.set("$.id", 5).set("$.user", tl::wire_bytes{bytes}).create("$.user.name", std::string(300, 'x'));
  const auto edits_too = std::move(edits);
  EXPECT_FALSE(edits_too.try_apply() && edits_too.apply().empty());
  const auto remaining = edits.try_apply();  // NOLINT: use after move is tested
  EXPECT_TRUE(!remaining || remaining->size() >= 1);

  struct user {
    std::int64_t id = 0;
  };
  auto binding = tl::bind_by_name<user>(shop().type("User"));
  const auto binding_too = std::move(binding);
  EXPECT_EQ(binding.decode(bytes).id, binding_too.decode(bytes).id);  // NOLINT: use after move is tested
}

TEST(empty_handles, where_a_type_is_expected) {
  const tl::type none;
  const std::string bytes("\0", 1);
  const std::vector<std::string_view> texts = {"$.id"};
  struct user {
    std::int64_t id = 0;
  };
  expect_answers(
      "no type",
      {ASK(no_such_field, tl::path::compile(none, "$.id")), ASK(ok, tl::path::compile(none, "$.#1")),
       ASK(no_such_field, tl::plan::compile(none, {"$.id"})),
       ASK(wrong_type, tl::selection::compile(none, "{ id }")),
       ASK(ok, tl::selection::try_compile(none, "{ * }")), ASK(ok, tl::selection::try_compile(none, none)),
       ASK(ok, tl::selection::try_compile(shop().type("Order"), none)),
       ASK(ok, tl::selection::try_compile(none, shop().type("Order"))),
       ASK(ok, tl::redaction::try_compile(none, {.annotation = "pii"})),
       ASK(ok, tl::redaction::try_compile(none, {}))});
  expect_answers("no type", {ASK(ok, tl::detail::rules::try_compile(none)),
                             ASK(ok, tl::validator::try_compile(none)),
                             ASK(ok, tl::validator::compile(none).findings<tl::binary>(bytes)),
                             ASK(ok, tl::try_trim(tl::view<tl::binary>(bytes, shop().type("Order")), none)),
                             ASK(ok, tl::try_trim(tl::view<tl::binary>(bytes), "{ id }")),
                             ASK(ok, tl::try_get_many(tl::view<tl::binary>(bytes), {"$.id"})),
                             ASK(ok, tl::edit(tl::view<tl::binary>(bytes)).set("$.#1", 1).try_apply()),
                             {"bind_by_name", errc::wrong_type, [&] { use(tl::bind_by_name<user>(none)); }}});
}

}  // namespace

TEST(empty_handles, a_value_that_was_erased_meanwhile_refuses_changes_by_step) {
  const tl::schema idl = tl::schema::parse("struct Leaf { 1: i32 n, 2: i32 m } struct T { 1: Leaf leaf }");
  tl::document result;
  result.start<tl::binary>(idl.type("T"));
  const tl::node leaf = result.root().create("leaf");
  leaf.set("n", 1);
  result.root().erase("leaf");
  EXPECT_EQ(leaf.try_rename("n", "m").error().code(), tl::errc::absent);
  EXPECT_EQ(leaf.try_set("n", 5).error().code(), tl::errc::absent);
  EXPECT_EQ(leaf.try_set("n", "text").error().code(), tl::errc::absent);
  EXPECT_EQ(leaf.try_set(5).error().code(), tl::errc::absent);
}
