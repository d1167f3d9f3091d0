#include <thriftlens/dom/document.hpp>

#include "dom/model.hpp"
#include "support/cases.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"

#include <thriftlens/protocol/convert.hpp>

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> allocations{0};
}  // namespace

// Counts allocations with new. Not inlined: gcc would warn about free() paired with new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
  std::abort();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* at) noexcept { std::free(at); }
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept { std::free(at); }

namespace {

using namespace thriftlens_test;
using tl::errc;

template <class P>
class document : public testing::Test {};
struct protocol_name {
  template <class P>
  static std::string GetName(int) {
    return std::string(P::name);
  }
};
TYPED_TEST_SUITE(document, protocols, protocol_name);

tl::type tree_type() { return dom_schema().type("Tree"); }

template <class P>
std::string written(const tl::document& doc) {
  tl::buffer out;
  doc.append_to(out);
  return out.str();
}
template <class P>
const std::string& bytes_of(const valid_vector& of) {
  return std::is_same_v<P, tl::binary> ? of.binary : of.compact;
}
tl::schema vector_schema(const std::string& name) {
  return tl::schema::load((vectors_dir() / (name + ".thrift")).string());
}

// Opens everything below a node; how many nodes there are.
std::size_t open_all(const tl::node& of) {
  std::size_t count = 1;
  if (!of) return 0;
  if (of.wire() == tl::ttype::struct_) {
    auto range = of.try_fields();
    if (!range) return 0;
    for (const tl::node_field& field : *range) count += open_all(field.value);
  } else if (of.wire() == tl::ttype::map) {
    auto range = of.try_entries();
    if (!range) return 0;
    for (const tl::node_entry& field : *range) count += open_all(field.key) + open_all(field.value);
  } else if (tl::is_container(of.wire())) {
    auto range = of.try_elements();
    if (!range) return 0;
    for (const tl::node& field : *range) count += open_all(field);
  }
  return count;
}
// Marks all open values as changed, so that all headers are rewritten.
void touch_all(tl::detail::dom::slot& of) {
  if (!of.expanded) return;
  of.below->changed = true;
  for (std::uint32_t i = 0; i < of.below->count; ++i)
    if (of.below->wire != tl::ttype::map || i % 2 == 1) touch_all(of.below->items[i]);
}

TYPED_TEST(document, unchanged_vectors_are_written_unchanged) {
  const tl::schema open = vector_schema("open"), uuids = vector_schema("uuids");
  for (const valid_vector& vector : valid_vectors()) {
    SCOPED_TRACE(vector.id);
    const std::string& bytes = bytes_of<TypeParam>(vector);
    const tl::type type = (vector.schema == "open" ? open : uuids).type(vector.structure);
    for (const bool with_schema : {true, false}) {
      tl::document doc;
      doc.load<TypeParam>(bytes, with_schema ? type : tl::type());
      ASSERT_EQ(written<TypeParam>(doc), bytes);
      const std::size_t nodes = open_all(doc.root());
      ASSERT_EQ(written<TypeParam>(doc), bytes);
      touch_all(*doc.root().slot());
      ASSERT_EQ(written<TypeParam>(doc), bytes);
      doc.load_all<TypeParam>(bytes, with_schema ? type : tl::type());
      ASSERT_EQ(open_all(doc.root()), nodes);
      touch_all(*doc.root().slot());
      ASSERT_EQ(written<TypeParam>(doc), bytes);
    }
  }
}

TYPED_TEST(document, write_in_the_other_protocol_converts) {
  using other = std::conditional_t<std::is_same_v<TypeParam, tl::binary>, tl::compact, tl::binary>;
  for (const valid_vector& vector : valid_vectors()) {
    tl::document doc;
    doc.load<TypeParam>(bytes_of<TypeParam>(vector));
    tl::buffer out, expected;
    doc.append_to<other>(out);
    tl::append_converted<TypeParam, other>(bytes_of<TypeParam>(vector), expected);
    ASSERT_EQ(out.text(), expected.text()) << vector.id;
  }
}

TYPED_TEST(document, truncation_at_every_byte_is_refused) {
  const tl::schema open = vector_schema("open"), uuids = vector_schema("uuids");
  for (const valid_vector& vector : valid_vectors()) {
    const std::string& bytes = bytes_of<TypeParam>(vector);
    if (bytes.size() > 600) continue;
    const tl::type type = (vector.schema == "open" ? open : uuids).type(vector.structure);
    tl::document doc;
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
      const std::string part = bytes.substr(0, cut);
      tl::result<void> lazy = doc.try_load<TypeParam>(part, type);
      ASSERT_FALSE(lazy) << vector.id << " at " << cut;
      ASSERT_FALSE(doc.root());
      ASSERT_LE(lazy.error().offset(), cut);
      ASSERT_FALSE(doc.try_load_all<TypeParam>(part, type)) << vector.id << " at " << cut;
      ASSERT_FALSE(doc.try_load_all<TypeParam>(part)) << vector.id << " at " << cut;
    }
  }
}

TYPED_TEST(document, malicious_vectors_have_the_expected_outcome) {
  const tl::schema open = vector_schema("open"), uuids = vector_schema("uuids");
  std::size_t seen = 0;
  for (const malicious_vector& vector : malicious_vectors()) {
    if (vector.protocol != TypeParam::name) continue;
    SCOPED_TRACE(vector.id);
    ++seen;
    const tl::type type = (vector.schema == "uuids" ? uuids : open).type(vector.structure);
    tl::document doc;
    tl::result<void> status = doc.try_load_all<TypeParam>(vector.bytes, type);
    if (vector.expect == "error") {
      EXPECT_FALSE(status);
    }
    if (vector.expect == "ok") {
      EXPECT_TRUE(status) << status.error().what();
    }
    EXPECT_LE(doc.reserved(), 64 * vector.bytes.size() + 65536);
    // Expanding level by level has the same result, or an error that is reported later.
    if (doc.try_load<TypeParam>(vector.bytes, type)) {
      open_all(doc.root());
      EXPECT_EQ(written<TypeParam>(doc), vector.bytes);
    }
  }
  EXPECT_GT(seen, 60u);
}

TYPED_TEST(document, mutated_bytes_are_handled) {
  chance random(20261121);
  std::size_t accepted = 0;
  tl::document doc;
  for (int round = 0; round < thriftlens_test::cases(6000); ++round) {
    std::string bytes = wire_bytes_of<TypeParam>(random_model(random, tree_type(), 3));
    for (int flips = 0; flips < 2; ++flips) bytes[below(random, bytes.size())] = static_cast<char>(random());
    if (!doc.try_load<TypeParam>(bytes, round % 2 == 0 ? tree_type() : tl::type())) continue;
    ++accepted;
    open_all(doc.root());
    ASSERT_EQ(written<TypeParam>(doc), bytes);
    if (!doc.try_load_all<TypeParam>(bytes, round % 2 == 0 ? tree_type() : tl::type())) continue;
    touch_all(*doc.root().slot());
    tl::buffer out, again;
    if (!doc.try_append_to(out)) continue;
    // Rewriting headers a second time must change nothing.
    tl::document second;
    ASSERT_TRUE(second.try_load_all<TypeParam>(out));
    touch_all(*second.root().slot());
    second.append_to(again);
    ASSERT_EQ(out.text(), again.text());
  }
  EXPECT_GT(accepted, thriftlens_test::cases(300u));
}

TYPED_TEST(document, reuse_allocates_nothing) {
  chance random(7);
  const std::string bytes = wire_bytes_of<TypeParam>(random_model(random, tree_type(), 5));
  tl::document doc;
  tl::buffer out;
  const auto work = [&] {
    out.clear();
    doc.load_all<TypeParam>(bytes, tree_type());
    static_cast<void>(doc.root()["name"].template value_or<std::string_view>(""));
    doc.root().set("name", "another name");
    doc.root().set("yes", true);
    doc.root().create("numbers").append(5);
    doc.root().create("numbers")[0].set(6);
    doc.root().create("flags").set(std::int64_t{77}, true);
    doc.root().erase("leaf");
    doc.append_to(out);
    out.clear();
    doc.load<TypeParam>(bytes, tree_type());
    static_cast<void>(open_all(doc.root()));
    doc.append_to(out);
  };
  for (int i = 0; i < 4; ++i) work();
  const std::size_t previous_size = allocations;
  for (int i = 0; i < 50; ++i) work();
  EXPECT_EQ(allocations - previous_size, 0u);
}

TYPED_TEST(document, idl_mismatches_have_code_offset_and_path) {
  const tl::type holder = dom_schema().type("Holder");
  model needs{.wire = tl::ttype::struct_};
  needs.fields.emplace_back(std::int16_t{1}, model{.wire = tl::ttype::i32, .number = 3});
  model root{.wire = tl::ttype::struct_};
  root.fields.emplace_back(std::int16_t{1}, needs);
  const std::string lacking = wire_bytes_of<TypeParam>(root);
  tl::document doc;
  tl::result<void> full = doc.try_load_all<TypeParam>(lacking, holder);
  ASSERT_EQ(errc_of(full), errc::missing_required);
  EXPECT_EQ(full.error().path(), "$.needs.c");
  ASSERT_TRUE(doc.try_load<TypeParam>(lacking, holder));  // not looked at yet
  EXPECT_EQ(doc["needs"].code(), errc::ok);
  EXPECT_EQ(doc["needs"]["a"].code(), errc::missing_required);
  EXPECT_EQ(doc["needs"]["a"].error().path(), "$.needs.c");
  EXPECT_EQ(doc["needs"].try_size().error().code(), errc::missing_required);
  const tl::document_options partial{.missing_required = tl::on_missing::omit};
  EXPECT_TRUE(doc.try_load_all<TypeParam>(lacking, holder, partial));
  EXPECT_EQ(written<TypeParam>(doc), lacking);
  ASSERT_TRUE(doc.try_load<TypeParam>(lacking, holder, partial));
  EXPECT_EQ(doc["needs"]["a"].template as<std::int32_t>(), 3) << "opened on the way";
  ASSERT_TRUE(doc["needs"]["a"].try_set(4));
  root.fields[0].second.fields[0].second.number = 4;
  EXPECT_EQ(written<TypeParam>(doc), wire_bytes_of<TypeParam>(root))
      << "changed, and still without $.needs.c";

  root.fields[0].second = model{.wire = tl::ttype::i32, .number = 1};
  const std::string other = wire_bytes_of<TypeParam>(root);
  tl::result<void> wrong = doc.try_load<TypeParam>(other, holder);
  ASSERT_EQ(errc_of(wrong), errc::type_mismatch);
  EXPECT_EQ(wrong.error().path(), "$.needs");
  ASSERT_TRUE((doc.try_load_all<TypeParam>(other, holder, {.mismatch = tl::on_mismatch::keep})));
  EXPECT_FALSE(doc.root().field(std::int16_t{1}).type());
  EXPECT_EQ(written<TypeParam>(doc), other);

  model pick{.wire = tl::ttype::struct_};
  pick.fields.emplace_back(std::int16_t{1}, model{.wire = tl::ttype::i32, .number = 1});
  pick.fields.emplace_back(std::int16_t{2}, model{.wire = tl::ttype::string, .text = "x"});
  const std::string two = wire_bytes_of<TypeParam>(pick);
  EXPECT_EQ(doc.try_load<TypeParam>(two, dom_schema().type("Pick")).error().code(), errc::union_members);
}

TYPED_TEST(document, duplicate_fields_are_an_error_or_the_last_wins) {
  for (const std::size_t others : {0u, 40u}) {
    model root{.wire = tl::ttype::struct_};
    root.fields.emplace_back(std::int16_t{10}, model{.wire = tl::ttype::string, .text = "first"});
    for (std::size_t i = 0; i < others; ++i)
      root.fields.emplace_back(static_cast<std::int16_t>(100 + i),
                               model{.wire = tl::ttype::i32, .number = 5});
    root.fields.emplace_back(std::int16_t{10}, model{.wire = tl::ttype::string, .text = "last"});
    const std::string bytes = wire_bytes_of<TypeParam>(root);
    for (const tl::type& type : {tree_type(), tl::type()}) {
      tl::document doc;
      tl::result<void> status = doc.try_load<TypeParam>(bytes, type);
      ASSERT_EQ(errc_of(status), errc::duplicate_field);
      doc.load<TypeParam>(bytes, type, {.duplicates = tl::on_duplicate::last});
      EXPECT_EQ(doc.root().field(std::int16_t{10}).template as<std::string_view>(), "last");
      EXPECT_EQ(doc.root().size(), others + 1);
      EXPECT_TRUE(doc.changed());
      root.fields.erase(root.fields.begin());
      EXPECT_EQ(written<TypeParam>(doc), wire_bytes_of<TypeParam>(root));
      root.fields.insert(root.fields.begin(),
                         {std::int16_t{10}, model{.wire = tl::ttype::string, .text = "first"}});
    }
  }
}

TYPED_TEST(document, fields_out_of_order_are_found_and_keep_their_order) {
  model root{.wire = tl::ttype::struct_};
  chance random(3);
  std::vector<std::int16_t> ids;
  for (int i = -50; i < 50; ++i) ids.push_back(static_cast<std::int16_t>(i * 7));
  std::shuffle(ids.begin(), ids.end(), random);
  for (std::int16_t id : ids)
    root.fields.emplace_back(id, model{.wire = tl::ttype::i64, .number = id * 1000});
  const std::string bytes = wire_bytes_of<TypeParam>(root);
  tl::document doc;
  doc.load<TypeParam>(bytes);
  for (std::int16_t id : ids) ASSERT_EQ(doc.root().field(id).template as<std::int64_t>(), id * 1000);
  EXPECT_EQ(doc.root().field(std::int16_t{1}).code(), errc::absent);
  doc.root().field(std::int16_t{7}).set(std::int64_t{1});
  root.fields[root.field(7)].second.number = 1;
  EXPECT_EQ(written<TypeParam>(doc), wire_bytes_of<TypeParam>(root));
}

TYPED_TEST(document, memory_is_bounded_by_the_limit) {
  tl::limits tight;
  tight.output_size = 4096;
  model root{.wire = tl::ttype::struct_};
  model bits{.wire = tl::ttype::list, .element = tl::ttype::i8};
  bits.elements.assign(2000, model{.wire = tl::ttype::i8, .number = 1});
  root.fields.emplace_back(std::int16_t{1}, bits);
  const std::string bytes = wire_bytes_of<TypeParam>(root);
  tl::document doc;
  EXPECT_EQ((doc.try_load_all<TypeParam>(bytes, {}, {.limits = tight}).error().code()), errc::output_limit);
  ASSERT_TRUE((doc.try_load<TypeParam>(bytes, {}, {.limits = tight})));
  EXPECT_EQ(doc.root().field(std::int16_t{1}).try_size().error().code(), errc::output_limit);
}

TYPED_TEST(document, depth_is_bounded) {
  model root{.wire = tl::ttype::struct_};
  for (int i = 0; i < 9; ++i) {
    model outer{.wire = tl::ttype::struct_};
    outer.fields.emplace_back(std::int16_t{1}, root);
    root = outer;
  }
  const std::string bytes = wire_bytes_of<TypeParam>(root);
  tl::document_options options;
  options.limits.depth = 10;
  tl::document doc;
  EXPECT_TRUE((doc.try_load<TypeParam>(bytes, {}, options)));
  tl::node deepest = doc.root();
  for (int i = 0; i < 9; ++i) deepest = deepest.field(std::int16_t{1});
  ASSERT_TRUE(deepest);
  EXPECT_EQ(deepest.try_set(std::int16_t{1}, tl::empty_value{tl::ttype::struct_}).error().code(),
            errc::depth_limit);
  options.limits.depth = 9;
  EXPECT_EQ((doc.try_load<TypeParam>(bytes, {}, options).error().code()), errc::depth_limit);
  EXPECT_EQ((doc.try_load_all<TypeParam>(bytes, {}, options).error().code()), errc::depth_limit);
}

TYPED_TEST(document, load_of_a_view_and_of_a_part_of_one) {
  chance random(11);
  model root = random_model(random, tree_type(), 4);
  while (root.field(1) == root.fields.size()) root = random_model(random, tree_type(), 4);
  const std::string bytes = wire_bytes_of<TypeParam>(root);
  const tl::view<TypeParam> complete(bytes, tree_type());
  tl::document doc;
  doc.load(complete);
  EXPECT_EQ(written<TypeParam>(doc), bytes);
  doc.load(complete["leaf"]);
  EXPECT_EQ(doc.root().type(), dom_schema().type("Leaf"));
  EXPECT_EQ(written<TypeParam>(doc), wire_bytes_of<TypeParam>(root.fields[root.field(1)].second));
  EXPECT_EQ(doc.try_load(complete["no such"]).error().code(), errc::no_such_field);
  const std::string longer = bytes + "x";
  EXPECT_EQ((doc.try_load<TypeParam>(longer, tree_type()).error().code()), errc::trailing_bytes);
}

TYPED_TEST(document, start_creates_an_empty_value) {
  tl::document doc;
  EXPECT_FALSE(doc.root());
  EXPECT_EQ(doc.root().code(), errc::absent);
  tl::buffer out;
  EXPECT_EQ(doc.try_append_to(out).error().code(), errc::absent);
  doc.start<TypeParam>(tree_type());
  doc.root().set("name", "made");
  doc.root().create("leaf").set("number", 7);
  doc.root().create("numbers").append(1);
  model root{.wire = tl::ttype::struct_};
  model leaf{.wire = tl::ttype::struct_};
  leaf.fields.emplace_back(std::int16_t{4}, model{.wire = tl::ttype::i32, .number = 7});
  model numbers{.wire = tl::ttype::list, .element = tl::ttype::i32};
  numbers.elements.push_back(model{.wire = tl::ttype::i32, .number = 1});
  root.fields.emplace_back(std::int16_t{1}, leaf);
  root.fields.emplace_back(std::int16_t{4}, numbers);
  root.fields.emplace_back(std::int16_t{10}, model{.wire = tl::ttype::string, .text = "made"});
  EXPECT_EQ(written<TypeParam>(doc), wire_bytes_of<TypeParam>(root));
  doc.start<TypeParam>(dom_schema().type("Needs"));
  doc.root().set("a", 1);
  tl::result<void> lacking = doc.try_append_to(out);
  ASSERT_EQ(errc_of(lacking), errc::missing_required);
  EXPECT_EQ(out.size(), 0u);
  doc.root().set("c", "x");
  EXPECT_TRUE(doc.try_append_to(out));
}

TYPED_TEST(document, a_changed_set_is_not_written_with_equal_elements) {
  tl::document doc;
  doc.start<TypeParam>(dom_schema().type("Tree"));
  const tl::node words = doc.root().create("words");
  words.append("a");
  words.append("b");
  tl::buffer out;
  ASSERT_TRUE(doc.try_append_to(out));
  out.clear();
  words.append("a");
  const tl::result<void> repeated = doc.try_append_to(out);
  ASSERT_FALSE(repeated);
  EXPECT_EQ(repeated.error().code(), errc::duplicate_key);
  EXPECT_EQ(repeated.error().path(), "$.words");
  EXPECT_EQ(out.size(), 0u);
  words[2].erase();
  EXPECT_TRUE(doc.try_append_to(out));
}

TYPED_TEST(document, changed_values_are_written_in_the_other_protocol) {
  using other = std::conditional_t<std::is_same_v<TypeParam, tl::binary>, tl::compact, tl::binary>;
  // Not the model in the other protocol: an empty map has no types in Compact.
  const auto in_the_other = [](const std::string& bytes) {
    tl::buffer out;
    tl::append_converted<TypeParam, other>(bytes, out);
    return out.str();
  };
  chance random(31);
  for (int round = 0; round < 60; ++round) {
    model root = random_model(random, tree_type(), 4);
    const std::string bytes = wire_bytes_of<TypeParam>(root);
    for (const bool with_schema : {true, false}) {
      tl::document doc;
      doc.load<TypeParam>(bytes, with_schema ? tree_type() : tl::type());
      tl::buffer out;
      out.append(std::string_view("before"));
      doc.append_to<other>(out);
      ASSERT_EQ(out.str(), "before" + in_the_other(bytes));
    }
    tl::document doc;
    doc.load<TypeParam>(bytes, tree_type());
    touch_all(*doc.root().slot());
    doc.root().set("name", "changed");
    const std::size_t name = root.field(10);
    const model result{.wire = tl::ttype::string, .text = "changed"};
    const auto position = std::find_if(root.fields.begin(), root.fields.end(),
                                       [](const auto& item) { return item.first > 10; });
    if (name < root.fields.size())
      root.fields[name].second = result;
    else
      root.fields.insert(position, {10, result});
    tl::buffer out;
    doc.append_to<other>(out);
    ASSERT_EQ(out.str(), in_the_other(wire_bytes_of<TypeParam>(root)));
  }
}

TYPED_TEST(document, a_failed_conversion_leaves_the_buffer_unchanged) {
  using other = std::conditional_t<std::is_same_v<TypeParam, tl::binary>, tl::compact, tl::binary>;
  const auto refused = [](const tl::document& doc) {
    tl::buffer out;
    out.append(std::string_view("before"));
    const tl::result<void> status = doc.try_append_to<other>(out);
    EXPECT_EQ(out.text(), "before");
    return status ? errc::ok : status.error().code();
  };
  tl::document doc;
  EXPECT_EQ(refused(doc), errc::absent);
  doc.start<TypeParam>(dom_schema().type("Needs"));
  EXPECT_EQ(refused(doc), errc::missing_required);
  tl::document_options small;
  small.limits.output_size = 5000;  // enough for the tree, not for the text
  const std::string bytes = wire_bytes_of<TypeParam>(
      {.wire = tl::ttype::struct_,
       .fields = {{10, {.wire = tl::ttype::string, .text = std::string(5001, 'x')}}}});
  doc.load<TypeParam>(bytes, tree_type(), small);
  EXPECT_EQ(refused(doc), errc::output_limit);
}

// Few keys are searched linearly, many by hash; both by value: -0.0 is 0.0, any byte but 0 is true.
TYPED_TEST(document, maps_with_keys_that_are_doubles_or_bools) {
  const tl::schema schema =
      tl::schema::parse("struct M { 1: map<double, i32> reals, 2: map<bool, i32> flags }");
  for (const int count : {3, 11, 12, 13, 40}) {
    tl::document doc;
    doc.start<TypeParam>(schema.type("M"));
    const tl::node reals = doc.root().create("reals"), flags = doc.root().create("flags");
    for (int i = 0; i < count; ++i) reals.set(i * 0.5, i);
    flags.set(true, 1);
    flags.set(false, 2);
    tl::buffer out;
    doc.append_to(out);
    tl::document second;
    second.load<TypeParam>(out, schema.type("M"));
    const tl::node actual = second.root()["reals"];
    for (int i = 0; i < count; ++i) ASSERT_EQ(actual.key(i * 0.5).template as<int>(), i);
    EXPECT_EQ(actual.key(-0.0).template as<int>(), 0);
    EXPECT_EQ(actual.key(0.25).error().code(), errc::absent);
    EXPECT_EQ(actual.key(count * 0.5).error().code(), errc::absent);
    EXPECT_EQ(second.root()["flags"].key(true).template as<int>(), 1);
    EXPECT_EQ(second.root()["flags"].key(false).template as<int>(), 2);
    actual.set(0.5, -1);
    actual.erase(tl::map_key(1.0));
    second.root()["flags"].erase(tl::map_key(true));
    EXPECT_EQ(actual.size(), static_cast<std::size_t>(count - 1));
    EXPECT_EQ(actual.key(0.5).template as<int>(), -1);
    EXPECT_EQ(actual.key(1.0).error().code(), errc::absent);
    EXPECT_EQ(second.root().at("$.flags{true}").error().code(), errc::absent);
    EXPECT_EQ(second.root().at("$.flags{false}").template as<int>(), 2);
    EXPECT_EQ(second.root().at("$.reals{0.5}").template as<int>(), -1);
  }
}

// Adding fields out of order must not rebuild the field index every time.
TYPED_TEST(document, fields_added_to_a_struct_out_of_order_take_memory_once) {
  const auto held = [](std::int16_t count) {
    model many{.wire = tl::ttype::struct_};
    for (std::int16_t id = count; id > 0; --id)
      many.fields.emplace_back(static_cast<std::int16_t>(2 * id), model{.wire = tl::ttype::i8, .number = 1});
    model others{.wire = tl::ttype::struct_};
    for (std::int16_t id = 0; id < count; ++id)
      others.fields.emplace_back(static_cast<std::int16_t>(2 * id + 1),
                                 model{.wire = tl::ttype::i8, .number = 2});
    const std::string into = wire_bytes_of<TypeParam>(many), from = wire_bytes_of<TypeParam>(others);
    tl::document doc, more;
    doc.load<TypeParam>(tl::byte_view(into));
    more.load<TypeParam>(tl::byte_view(from));
    doc.root().merge(more.root());
    EXPECT_EQ(doc.root().size(), 2u * static_cast<std::size_t>(count));
    return doc.reserved();
  };
  EXPECT_LE(held(4000), 5 * held(1000));
}

template <class Document>
concept gives_nodes = requires(Document&& of) { std::forward<Document>(of).root(); } ||
                      requires(Document&& of) { std::forward<Document>(of)["x"]; } ||
                      requires(Document&& of) { std::forward<Document>(of).at("$.x"); };
static_assert(gives_nodes<const tl::document&> && !gives_nodes<tl::document>);

}  // namespace
