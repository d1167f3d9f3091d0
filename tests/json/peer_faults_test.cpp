// Tests for faults of other implementations, with both protocols.
#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/to_json.hpp>

#include "json/counted_memory.hpp"
#include "support/test.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/schema/store.hpp>

#include <filesystem>
#include <fstream>

using tl::errc;

namespace {

constexpr std::string_view idl = R"(
  struct Item { 1: string sku, 2: i32 count }
  struct ItemView { 2: i32 count }
  const list<i32> NUMBERS = [1, 2]
  const map<string, i32> SIZES = {"a": 1}
  const Item ITEM = {"sku": "x", "count": 3}
  struct S {
    1: i32 number, 2: i8 small, 3: string text, 4: list<i32> list, 5: map<string, i32> map, 6: Item item, 7: optional S deeper
    8: list<i32> list_default = NUMBERS, 9: map<string, i32> map_default = SIZES, 10: Item struct_default = ITEM, 11: set<i32> set_default = [3]
  }
  struct View { 6: ItemView item, 7: View deeper }
  exception Wrong { 1: string why }
  exception Worse { 1: i32 code }
  service Calls { void none(), i32 many(1: i32 a, 2: S b, 3: string c) throws (1: Wrong w, 2: Worse e), oneway void fire(1: i32 a) }
)";
const tl::schema& schema() {
  static const tl::schema loaded = tl::schema::parse(idl);
  return loaded;
}
tl::type type_s() { return schema().type("S"); }

template <class P>
struct no_fault : testing::Test {
  static std::string wire(std::string_view json) { return tl::from_json<P>(type_s(), json).str(); }
  static std::string json(std::string_view bytes, const tl::to_json_options& options = {}) {
    return tl::to_json<P>(type_s(), bytes, options).str();
  }
  static errc refuses(std::string_view json) {
    const auto status = tl::try_from_json<P>(type_s(), json);
    return status ? errc::ok : status.error().code();
  }
  static errc reads(std::string_view bytes) {
    const auto status = tl::try_to_json<P>(type_s(), bytes);
    return status ? errc::ok : status.error().code();
  }
};
TYPED_TEST_SUITE(no_fault, protocols);

TYPED_TEST(no_fault, json_integers_do_not_wrap) {
  for (const char* text :
       {R"({"number":2147483648})", R"({"number":-2147483649})", R"({"small":128})", R"({"small":-129})",
        R"({"number":1e10})", R"({"list":[4294967296]})", R"({"number":18446744073709551617})"}) {
    EXPECT_EQ(this->refuses(text), errc::integer_range) << text;
  }
  EXPECT_EQ(this->json(this->wire(R"({"number":2147483647,"small":-128})")),
            R"({"number":2147483647,"small":-128})");
}

TYPED_TEST(no_fault, json_fractions_that_are_cut_off) {
  for (const char* text : {R"({"number":1.5})", R"({"small":0.1})", R"({"list":[1e-1]})"})
    EXPECT_EQ(this->refuses(text), errc::json_type) << text;
  EXPECT_EQ(this->json(this->wire(R"({"number":1.0,"small":1e2})")), R"({"number":1,"small":100})");
}

TYPED_TEST(no_fault, duplicate_json_keys_written_twice) {
  EXPECT_EQ(this->refuses(R"({"number":1,"text":"a","number":2})"), errc::duplicate_key);
  EXPECT_EQ(this->refuses(R"({"map":{"a":1,"a":2}})"), errc::duplicate_key);
  const auto last = tl::from_json<TypeParam>(type_s(), R"({"number":1,"number":2})",
                                             {.leniency = {.duplicates = tl::on_duplicate::last}});
  EXPECT_EQ(last.text(), this->wire(R"({"number":2})"));
}

TYPED_TEST(no_fault, trailing_bytes_accepted) {
  const std::string more = this->wire(R"({"number":1})") + "x";
  const tl::view<TypeParam> v(more, type_s());
  EXPECT_EQ(this->reads(more), errc::trailing_bytes);
  EXPECT_EQ(tl::edit(v).set("$.number", 2).try_apply().error().code(), errc::trailing_bytes);
  EXPECT_EQ(tl::try_trim(v, schema().type("View")).error().code(), errc::trailing_bytes);
  EXPECT_EQ(tl::validator::compile(type_s()).template first_fault<TypeParam>(more).code,
            errc::trailing_bytes);
  EXPECT_EQ(this->refuses(R"({"number":1} x)"), errc::json_syntax);
  EXPECT_EQ(this->refuses(R"({"number":1}{})"), errc::json_syntax);
}

TYPED_TEST(no_fault, a_wire_type_that_differs_read_as_garbage) {
  const tl::schema other =
      tl::schema::parse("struct S { 1: double number, 4: list<double> list, 5: map<i32, string> map }");
  for (const char* text : {R"({"number":1.5})", R"({"list":[2.5]})", R"({"map":{"7":"x"}})"}) {
    const std::string bytes = tl::from_json<TypeParam>(other.type("S"), text).str();
    const tl::view<TypeParam> v(bytes, type_s());
    EXPECT_EQ(this->reads(bytes), errc::type_mismatch) << text;
    EXPECT_EQ(tl::validator::compile(type_s()).template first_fault<TypeParam>(bytes).code,
              errc::type_mismatch);
    EXPECT_EQ(v["number"].code() == errc::type_mismatch || v["list"].index(0).code() == errc::type_mismatch ||
                  v["map"].key("a").code() == errc::type_mismatch,
              true)
        << text;
  }
}

TYPED_TEST(no_fault, no_depth_limit_when_writing_json) {
  std::string deep, text;
  for (int i = 0; i < 100000; ++i)
    deep += TypeParam::id == tl::protocol_id::binary ? std::string("\x0c\0\x07", 3) : std::string("\x7c");
  EXPECT_EQ(this->reads(deep), errc::depth_limit);
  for (int i = 0; i < 100000; ++i) text += R"({"deeper":)";
  EXPECT_EQ(this->refuses(text), errc::depth_limit);
}

TYPED_TEST(no_fault, deleting_a_missing_map_key_deletes_another) {
  const std::string bytes = this->wire(R"({"map":{"a":1,"b":2},"list":[1,2]})");
  const tl::view<TypeParam> v(bytes, type_s());
  EXPECT_EQ(tl::edit(v).erase("$.map{\"c\"}").erase("$.list[7]").erase("$.item").apply().str(), bytes);
}

TYPED_TEST(no_fault, inserting_changes_the_callers_buffer) {
  const std::string bytes = this->wire(R"({"list":[1,2],"map":{"a":1}})"),
                    original = bytes + std::string(64, '\x55');
  std::string storage = original;
  const tl::view<TypeParam> v(tl::byte_view(storage.data(), bytes.size()), type_s());
  const tl::buffer out = tl::edit(v)
                             .insert("$.list[0]", 9)
                             .append("$.list", 3)
                             .set("$.map{\"b\"}", 2)
                             .set("$.number", 5)
                             .apply();
  EXPECT_EQ(storage, original);
  EXPECT_EQ(this->json(out.text()), R"({"number":5,"list":[9,1,2,3],"map":{"a":1,"b":2}})");
}

TYPED_TEST(no_fault, an_index_past_the_end_prepends) {
  const std::string bytes = this->wire(R"({"list":[1,2]})");
  const tl::view<TypeParam> v(bytes, type_s());
  EXPECT_EQ(tl::edit(v).insert("$.list[3]", 9).try_apply().error().code(), errc::bad_index);
  EXPECT_EQ(tl::edit(v).set("$.list[2]", 9).try_apply().error().code(), errc::bad_index);
  EXPECT_EQ(this->json(tl::edit(v).insert("$.list[2]", 9).apply().str()), R"({"list":[1,2,9]})");
}

TYPED_TEST(no_fault, setting_many_fields_without_a_type_check) {
  const std::string bytes = this->wire(R"({"number":1,"text":"a"})");
  const tl::view<TypeParam> v(bytes, type_s());
  EXPECT_EQ(tl::edit(v).set("$.number", 2).set("$.text", 3).try_apply().error().code(), errc::value_type);
  EXPECT_EQ(tl::edit(v).set("$.number", 2).set("$.small", 300).try_apply().error().code(), errc::value_range);
  EXPECT_EQ(tl::edit(v)
                .set("$.number", 2)
                .set("$.item", tl::wire_bytes{tl::byte_view("\x0b", 1)})
                .try_apply()
                .error()
                .code(),
            errc::truncated);
}

TYPED_TEST(no_fault, trimming_between_types_that_share_a_descriptor_writes_nothing) {
  const std::string bytes =
      this->wire(R"({"number":1,"item":{"sku":"x","count":3},"deeper":{"item":{"count":4}}})");
  const tl::view<TypeParam> v(bytes, type_s());
  EXPECT_EQ(tl::trim(v, type_s()).str(), bytes);
  const tl::schema shared = tl::schema::parse(
      "struct Item { 1: string sku, 2: i32 n } struct A { 1: Item item, 2: i32 x } struct B { 1: Item item "
      "}");
  const std::string a =
      tl::from_json<TypeParam>(shared.type("A"), R"({"item":{"sku":"x","n":3},"x":1})").str();
  EXPECT_EQ(tl::trim(tl::view<TypeParam>(a, shared.type("A")), shared.type("B")).str(),
            tl::from_json<TypeParam>(shared.type("B"), R"({"item":{"sku":"x","n":3}})").str());
}

TYPED_TEST(no_fault, an_unknown_id_by_path_is_an_error_as_an_unknown_name_is) {
  const std::string bytes = this->wire(R"({"item":{"sku":"x"}})");
  const tl::view<TypeParam> v(bytes, type_s());
  EXPECT_EQ(tl::path::try_compile(type_s(), "$.#99").error().code(), errc::no_such_field);
  EXPECT_EQ(tl::path::try_compile(type_s(), "$.nothing").error().code(), errc::no_such_field);
  EXPECT_EQ(v[99].code(), errc::no_such_field);
  EXPECT_EQ(v["item"][99].code(), errc::no_such_field);
  EXPECT_EQ(v["item"][100000].code(), errc::no_such_field);
  EXPECT_EQ(v["nothing"].code(), errc::no_such_field);
  EXPECT_EQ(tl::edit(v).set("$.#99", 1).try_apply().error().code(), errc::no_such_field);
}

TYPED_TEST(no_fault, functions_with_no_or_several_arguments_or_exceptions_refused) {
  const tl::service_info calls = schema().service("Calls");
  auto through = [](tl::type of, std::string_view text) {
    const tl::buffer bytes = tl::from_json<TypeParam>(of, text);
    return tl::to_json<TypeParam>(of, bytes).str();
  };
  const std::string text = R"({"a":1,"b":{"number":2},"c":"x"})";
  EXPECT_EQ(through(calls.find_function("none").arguments(), "{}"), "{}");
  EXPECT_EQ(through(calls.find_function("many").arguments(), text), text);
  for (const char* answer : {R"({"success":7})", R"({"w":{"why":"no"}})", R"({"e":{"code":3}})"})
    EXPECT_EQ(through(calls.find_function("many").result(), answer), answer);
  EXPECT_EQ(calls.find_function("fire").arguments().fields().size(), 1u);
}

TYPED_TEST(no_fault, list_map_and_struct_constants_dropped_as_defaults) {
  const std::string empty(1, '\0');
  EXPECT_EQ(
      this->json(empty, {.defaults = tl::on_absent::write}),
      R"({"list_default":[1,2],"map_default":{"a":1},"struct_default":{"sku":"x","count":3},"set_default":[3]})");
  const tl::view<TypeParam> v(empty, type_s());
  EXPECT_EQ(v["list_default"].or_default()[1].template as<std::int32_t>(), 2);
  EXPECT_EQ(v["struct_default"].or_default()["count"].template as<std::int32_t>(), 3);
}

TYPED_TEST(no_fault, allocation_by_the_declared_container_size) {
  const bool binary = TypeParam::id == tl::protocol_id::binary;
  const std::string list = binary ? std::string("\x0f\0\x04\x08\x7f\xff\xff\xff\0", 9)
                                  : std::string("\x49\xf5\xff\xff\xff\xff\x07\0", 8);
  const std::string map = binary ? std::string("\x0d\0\x05\x0b\x08\x7f\xff\xff\xff\0", 10)
                                 : std::string("\x5b\xff\xff\xff\xff\x07\x85\0", 8);
  const std::string string =
      binary ? std::string("\x0b\0\x03\x7f\xff\xff\xff\0", 8) : std::string("\x38\xff\xff\xff\xff\x07\0", 7);
  const tl::type complete = type_s(), part = schema().type("View");  // loaded before memory is counted
  for (const std::string& bytes : {list, map, string}) {
    thriftlens_test::reset_peak();
    const std::size_t previous_size = thriftlens_test::held_bytes();
    const tl::view<TypeParam> v(bytes, complete);
    EXPECT_EQ(this->reads(bytes), errc::truncated);
    EXPECT_EQ(tl::edit(v).set("$.number", 1).try_apply().error().code(), errc::truncated);
    EXPECT_EQ(tl::try_trim(v, part).error().code(), errc::truncated);
    EXPECT_LT(thriftlens_test::peak_bytes() - previous_size, 65536u);
  }
}

TYPED_TEST(no_fault, truncated_input_accepted) {
  const std::string complete = this->wire(
      R"({"number":1,"text":"abc","list":[1,2],"map":{"a":1},"item":{"sku":"x","count":2},"deeper":{"small":3}})");
  for (std::size_t size = 0; size < complete.size(); ++size) {
    const std::vector<char> exact(complete.begin(), complete.begin() + static_cast<std::ptrdiff_t>(size));
    const std::string_view cut(exact.data(), size);
    const tl::view<TypeParam> v(cut, type_s());
    EXPECT_EQ(this->reads(cut), errc::truncated) << size;
    EXPECT_EQ(tl::edit(v).set("$.number", 1).try_apply().error().code(), errc::truncated) << size;
    EXPECT_EQ(tl::try_trim(v, schema().type("View")).error().code(), errc::truncated) << size;
    EXPECT_EQ(tl::validator::compile(type_s()).template first_fault<TypeParam>(cut).code, errc::truncated)
        << size;
  }
}

TYPED_TEST(no_fault, sets_read_and_written_as_lists) {
  const tl::schema keep = tl::schema::parse("struct P { 1: set<i32> s, 2: list<i32> l }");
  const std::string bytes = tl::from_json<TypeParam>(keep.type("P"), R"({"s":[1,2],"l":[1]})").str();
  const tl::view<TypeParam> v(bytes, keep.type("P"));
  EXPECT_EQ(v["s"].wire(), tl::ttype::set);
  EXPECT_EQ(v["l"].wire(), tl::ttype::list);
  const tl::schema turned = tl::schema::parse("struct P { 1: list<i32> s, 2: set<i32> l }");
  EXPECT_EQ(tl::try_to_json<TypeParam>(turned.type("P"), bytes).error().code(), errc::type_mismatch);
}

TEST(no_fault_of_a_schema, that_cannot_be_loaded_again) {
  const auto file = std::filesystem::temp_directory_path() / "thriftlens_reload_test.thrift";
  auto write = [&](std::string_view text) { std::ofstream(file) << text; };
  write("struct S { 1: i32 a }");
  tl::schema_store store(tl::schema::load(file.string()));
  const tl::schema old = store.current();
  const auto fields_now = [&] {
    const tl::schema state = store.current();
    return state.type("S").fields().size();
  };
  write("struct S { 1: i32 a, 2: string b }");
  ASSERT_TRUE(store.try_reload(file.string()));
  EXPECT_EQ(fields_now(), 2u);
  EXPECT_EQ(old.type("S").fields().size(), 1u);  // readers with the old one still work
  write("struct S {");
  EXPECT_EQ(store.try_reload(file.string()).error().code(), errc::schema_invalid);
  EXPECT_EQ(fields_now(), 2u);
  std::filesystem::remove(file);
}

}  // namespace
