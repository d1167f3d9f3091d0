#include <thriftlens/json/to_json.hpp>

#include "json/counted_memory.hpp"
#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {
std::string bytes(std::initializer_list<int> raw) {
  std::string text;
  for (int number : raw) text += static_cast<char>(number);
  return text;
}
tl::error fault(tl::protocol_id which, const char* type, const std::string& raw,
                tl::to_json_options options = {}, const tl::limits& bounds = {}) {
  options.limits = bounds;
  tl::buffer out;
  out.append({"kept", 4});
  const tl::result<void> status = tl::try_append_json(which, sample_type(type), raw, out, options);
  EXPECT_EQ(out.text(), "kept") << "an error must leave the buffer alone";
  return status ? tl::error() : status.error();
}
tl::error binary_fault(const char* type, std::initializer_list<int> raw,
                       const tl::to_json_options& options = {}, const tl::limits& bounds = {}) {
  return fault(tl::protocol_id::binary, type, bytes(raw), options, bounds);
}
std::string binary_text(const char* type, std::initializer_list<int> raw,
                        const tl::to_json_options& options = {}) {
  const std::string text = bytes(raw);
  return tl::to_json<tl::binary>(sample_type(type), text, options).str();
}
}  // namespace

TEST(to_json, appends_to_the_buffer) {
  tl::buffer out;
  out.append({"x=", 2});
  ASSERT_TRUE(
      tl::try_append_json<tl::binary>(sample_type("Point"), tl::byte_view("\x08\0\x01\0\0\0\x05\0", 8), out));
  EXPECT_EQ(out.text(), "x={\"x\":5}");
}

TEST(to_json, values_other_than_structs) {
  const tl::type every = sample_type("Every");
  const auto text = [](tl::type type, const std::string& raw) {
    return tl::to_json<tl::binary>(type, raw).str();
  };
  EXPECT_EQ(text(sample_type("i32"), bytes({0, 0, 1, 0})), "256");
  EXPECT_EQ(text(sample_type("bool"), bytes({2})), "true");
  EXPECT_EQ(text(sample_type("Color"), bytes({0, 0, 0, 9})), "9");
  EXPECT_EQ(text(every.find_field("ints").type(), bytes({8, 0, 0, 0, 1, 0, 0, 0, 7})), "[7]");
  const std::string yes = "\x01", map = bytes({1, 0x13, 2, 5});
  EXPECT_EQ(tl::to_json<tl::compact>(sample_type("bool"), yes).str(), "true");
  EXPECT_EQ(tl::to_json<tl::compact>(every.find_field("by_bool").type(), map).str(), R"({"false":5})");
}

TEST(to_json, names_the_wrong_type_its_path_and_byte) {
  const tl::error scalar = binary_fault("Every", {11, 0, 4, 0, 0, 0, 1, 'x', 0});
  EXPECT_EQ(scalar.code(), tl::errc::type_mismatch);
  EXPECT_STREQ(scalar.what(), "expected i32, found string at $.i32 (byte 0)");
  const tl::error element = binary_fault("Every", {15, 0, 12, 11, 0, 0, 0, 1, 0, 0, 0, 0, 0});
  EXPECT_STREQ(element.what(), "expected i32, found string at $.ints (byte 3)");
  const tl::error deep = binary_fault(
      "Every", {13, 0, 15, 8, 12, 0, 0, 0, 1, 0, 0, 0, 42, 10, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_STREQ(deep.what(), "expected i32, found i64 at $.by_id{42}.x (byte 13)");
  EXPECT_EQ(deep.path(), "$.by_id{42}.x");
  EXPECT_EQ(deep.offset(), 13u);
}

TEST(to_json, skips_mismatched_fields_on_request_but_not_elements) {
  const tl::to_json_options skip{.leniency = {.mismatch = tl::on_mismatch::drop}};
  EXPECT_EQ(binary_text("Every", {11, 0, 4, 0, 0, 0, 1, 'x', 3, 0, 2, 9, 0}, skip), R"({"i8":9})");
  EXPECT_EQ(binary_text("Every", {15, 0, 12, 11, 0, 0, 0, 1, 0, 0, 0, 0, 3, 0, 2, 9, 0}, skip),
            R"({"i8":9})");
  EXPECT_EQ(binary_fault("Every", {15, 0, 17, 15, 0, 0, 0, 1, 8, 0, 0, 0, 1, 0, 0, 0, 0, 0}, skip).code(),
            tl::errc::type_mismatch);
  EXPECT_EQ(binary_fault("Strict", {11, 0, 1, 0, 0, 0, 0, 11, 0, 3, 0, 0, 0, 0, 0}, skip).code(),
            tl::errc::missing_required);
}

TEST(to_json, empty_containers_may_have_another_type_but_no_undefined_one) {
  EXPECT_EQ(binary_text("Every", {15, 0, 12, 0, 0, 0, 0, 0, 13, 0, 14, 3, 12, 0, 0, 0, 0, 0}),
            R"({"ints":[],"by_name":{}})");
  EXPECT_EQ(binary_fault("Every", {13, 0, 14, 77, 78, 0, 0, 0, 0, 0}).code(), tl::errc::bad_ttype);
}

TEST(to_json, unknown_fields_are_left_out_or_refused) {
  EXPECT_EQ(binary_text("Point", {12, 0, 9, 8, 0, 1, 0, 0, 0, 0, 0, 8, 0, 1, 0, 0, 0, 1, 0}), R"({"x":1})");
  const tl::error refused =
      binary_fault("Point", {8, 0, 9, 0, 0, 0, 0, 0}, {.leniency = {.unknown = tl::on_unknown::error}});
  EXPECT_EQ(refused.code(), tl::errc::unknown_field);
  EXPECT_STREQ(refused.what(), "the IDL has no field with id 9 at $.#9 (byte 0)");
}

TEST(to_json, duplicate_fields) {
  const std::initializer_list<int> twice = {8, 0, 1, 0, 0, 0, 1, 8, 0, 2, 0, 0, 0, 2, 8, 0, 1, 0, 0, 0, 3, 0};
  const tl::error refused = binary_fault("Point", twice);
  EXPECT_EQ(refused.code(), tl::errc::duplicate_field);
  EXPECT_STREQ(refused.what(), "duplicate field in a struct at $.x (byte 14)");
  const tl::to_json_options last{.leniency = {.duplicates = tl::on_duplicate::last}};
  EXPECT_EQ(binary_text("Point", twice, last), R"({"y":2,"x":3})");
  EXPECT_EQ(binary_text("Point", twice,
                        {.format = {.pretty = 1}, .leniency = {.duplicates = tl::on_duplicate::last}}),
            "{\n \"y\": 2,\n \"x\": 3\n}");
  EXPECT_EQ(binary_text("Pick", {8, 0, 1, 0, 0, 0, 1, 8, 0, 1, 0, 0, 0, 2, 0}, last), R"({"i":2})");
}

TEST(to_json, duplicate_map_keys) {
  const std::initializer_list<int> twice = {13, 0, 29, 6, 6, 0, 0, 0, 3, 0, 1,
                                            0,  7, 0,  0, 0, 8, 0, 1, 0, 9, 0};
  const tl::error refused = binary_fault("Every", twice);
  EXPECT_EQ(refused.code(), tl::errc::duplicate_key);
  EXPECT_STREQ(refused.what(), "duplicate key in a map at $.by_short{1} (byte 17)");
  EXPECT_EQ(binary_text("Every", twice, {.leniency = {.duplicates = tl::on_duplicate::last}}),
            R"({"by_short":{"0":8,"1":9}})");
  const tl::error pairs = binary_fault(
      "Every", {13, 0, 28, 15, 8, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0, 0, 0, 2, 0});
  EXPECT_EQ(pairs.code(), tl::errc::duplicate_key);
}

TEST(to_json, unions_have_at_most_one_member) {
  EXPECT_EQ(binary_text("Pick", {0}), "{}");
  EXPECT_EQ(binary_text("Pick", {2, 0, 4, 1, 0}), R"({"b":true})");
  EXPECT_STREQ(binary_fault("Pick", {8, 0, 1, 0, 0, 0, 1, 2, 0, 4, 1, 0}).what(),
               "a union has more than one member set at $.b (byte 7)");
}

TEST(to_json, required_fields_must_be_present_even_with_a_default) {
  const tl::error refused = binary_fault("Strict", {8, 0, 1, 0, 0, 0, 1, 0});
  EXPECT_EQ(refused.code(), tl::errc::missing_required);
  EXPECT_EQ(refused.path(), "$.also");
  EXPECT_EQ(refused.offset(), 7u);
  EXPECT_EQ(binary_fault("Strict", {0}, {.defaults = tl::on_absent::write}).code(),
            tl::errc::missing_required);
}

TEST(to_json, defaults_are_written_as_the_idl_has_them) {
  const auto text = [](const std::string& idl) {
    const tl::schema schema = tl::schema::parse(idl);
    return tl::to_json<tl::binary>(schema.type("A"), tl::byte_view("", 1), {.defaults = tl::on_absent::write})
        .str();
  };
  EXPECT_EQ(text("struct P { 1: i32 x = 1, 2: i32 y = 2 } struct A { 1: P p = {'x': 5}, 2: list<P> l = [{}], "
                 "3: i32 z = 3 }"),
            R"({"p":{"x":5},"l":[{}],"z":3})");
  EXPECT_EQ(text("struct A { 1: optional A a = {}, 2: i32 x = 1 }"), R"({"a":{},"x":1})");
  std::string doubling = "struct A { 1: S1 a = {}, 2: S1 b = {} }";
  for (int i = 1; i < 60; ++i) {
    const std::string next = 'S' + std::to_string(i + 1);
    doubling += " struct S" + std::to_string(i) + " { 1: " + next + " a = {}, 2: " + next + " b = {} }";
  }
  EXPECT_EQ(text(doubling + " struct S60 { 1: i32 x = 1 }"), R"({"a":{},"b":{}})");
}

TEST(to_json, text_must_be_utf8) {
  const std::initializer_list<int> broken = {11, 0, 7, 0, 0, 0, 3, 'a', 0xff, 'b', 0};
  const tl::error refused = binary_fault("Every", broken);
  EXPECT_EQ(refused.code(), tl::errc::invalid_utf8);
  EXPECT_EQ(refused.path(), "$.s");
  EXPECT_EQ(refused.offset(), 3u);
  EXPECT_EQ(binary_text("Every", broken, {.leniency = {.invalid_utf8 = tl::on_invalid_utf8::replace}}),
            "{\"s\":\"a\xef\xbf\xbd"
            "b\"}");
}

TEST(to_json, keys_made_equal_by_replacement_are_duplicates) {
  const std::initializer_list<int> broken = {13, 0, 14, 11, 10, 0, 0, 0, 2,    0, 0, 0, 1, 0xff, 0, 0, 0, 0,
                                             0,  0, 0,  1,  0,  0, 0, 1, 0xfe, 0, 0, 0, 0, 0,    0, 0, 2, 0};
  EXPECT_EQ(
      binary_fault("Every", broken, {.leniency = {.invalid_utf8 = tl::on_invalid_utf8::replace}}).code(),
      tl::errc::duplicate_key);
}

TEST(to_json, an_error_in_a_skipped_field_has_its_path) {
  EXPECT_STREQ(binary_fault("Point", {11, 0, 9, 0xff, 0xff, 0xff, 0xff, 0}).what(),
               "a size is negative at $.#9 (byte 3)");
  EXPECT_STREQ(fault(tl::protocol_id::compact, "Point", bytes({0x98, 5, 'x'})).what(),
               "the data ends in the middle of a value at $.#9 (byte 1)");
  EXPECT_STREQ(
      binary_fault("Point", {3, 0xff, 0xff, 1, 0}, {.leniency = {.unknown = tl::on_unknown::error}}).what(),
      "the IDL has no field with id -1 at $.#-1 (byte 0)");
  EXPECT_STREQ(
      binary_fault("Point", {11, 0, 1, 0, 0, 0, 9, 'x', 0}, {.leniency = {.mismatch = tl::on_mismatch::drop}})
          .what(),
      "the data ends in the middle of a value at $.x (byte 3)");
}

TEST(to_json, an_error_in_a_key_has_its_number) {
  const tl::error text =
      binary_fault("Every", {13, 0, 14, 11, 10, 0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0});
  EXPECT_STREQ(text.what(), "a string is not valid UTF-8 at $.by_name{key 0} (byte 9)");
  const tl::error cut_off =
      binary_fault("Every", {13, 0, 14, 11, 10, 0, 0, 0, 2,   0,   0,   0,   0,   0,   0,   0,  0,
                             0,  0, 0,  1,  0,  0, 0, 9, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'});
  EXPECT_STREQ(cut_off.what(), "the data ends in the middle of a value at $.by_name{key 1} (byte 21)");
  const tl::error nan =
      binary_fault("Every", {13, 0, 19, 4, 8, 0, 0, 0, 1, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0});
  EXPECT_EQ(nan.path(), "$.by_double{key 0}");
  const tl::error in_struct = binary_fault(
      "Every", {13, 0, 16, 12, 11, 0, 0, 0, 1, 10, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(in_struct.path(), "$.by_point{key 0}.x");
}

TEST(to_json, an_error_after_a_struct_or_container_key_shows_the_key_bytes) {
  for (const std::uint8_t pretty : {std::uint8_t{0}, std::uint8_t{2}}) {
    const std::initializer_list<int> broken = {13, 0, 16, 12, 11, 0, 0, 0, 2, 0, 0, 0, 0,    0,
                                               8,  0, 1,  0,  0,  0, 1, 0, 0, 0, 0, 1, 0xff, 0};
    EXPECT_EQ(binary_fault("Every", broken, {.format = {.pretty = pretty}}).path(),
              R"($.by_point{x"0800010000000100"})");
    const std::initializer_list<int> twice = {13, 0, 16, 12, 11, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_STREQ(binary_fault("Every", twice, {.format = {.pretty = pretty}}).what(),
                 R"(duplicate key in a map at $.by_point{x"00"} (byte 14))");
  }
}

// 140,000 entries: repeated keys are looked for more than once on the way.
TEST(to_json, large_maps_keep_the_last_of_equal_keys) {
  std::string raw = bytes({13, 0, 29, 6, 6, 0, 2, 0x22, 0xe0}), expected = "{\"by_short\":{";
  for (int i = 0; i < 140000; ++i)
    raw += bytes({(i % 20000) >> 8, (i % 20000) & 0xff, (i / 7) >> 8, (i / 7) & 0xff});
  for (int i = 120000; i < 140000; ++i)
    expected += (i == 120000 ? "\"" : ",\"") + std::to_string(i % 20000) + "\":" + std::to_string(i / 7);
  raw += '\0';
  EXPECT_EQ(
      tl::to_json<tl::binary>(sample_type("Every"), raw, {.leniency = {.duplicates = tl::on_duplicate::last}})
          .str(),
      expected + "}}");
  const tl::error refused = fault(tl::protocol_id::binary, "Every", raw);
  EXPECT_STREQ(refused.what(), "duplicate key in a map at $.by_short{0} (byte 80009)");
}

TEST(to_json, a_key_repeated_200000_times_is_cheap) {
  const std::string binary = bytes({13, 0, 18, 2, 3, 0, 0x03, 0x0d, 0x40}) + std::string(400000, '\1') + '\0';
  const std::string compact = bytes({11, 0x24, 0xc0, 0x9a, 0x0c, 0x13}) + std::string(400000, '\1') + '\0';
  for (const auto which : {tl::protocol_id::binary, tl::protocol_id::compact}) {
    for (const auto duplicates : {tl::on_duplicate::error, tl::on_duplicate::last}) {
      const std::string& raw = which == tl::protocol_id::binary ? binary : compact;
      thriftlens_test::reset_peak();
      const std::size_t previous_size = thriftlens_test::held_bytes();
      const tl::result<tl::buffer> json =
          tl::try_to_json(which, sample_type("Every"), raw, {.leniency = {.duplicates = duplicates}});
      EXPECT_LT(thriftlens_test::peak_bytes() - previous_size, raw.size() * 2 + (std::size_t{2} << 20));
      if (duplicates == tl::on_duplicate::last)
        EXPECT_EQ(json.value().text(), "{\"by_bool\":{\"true\":1}}");
      else
        EXPECT_EQ(json.error().code(), tl::errc::duplicate_key);
    }
  }
}

TEST(to_json, malformed_bytes) {
  EXPECT_EQ(binary_fault("Point", {}).code(), tl::errc::truncated);
  EXPECT_EQ(binary_fault("Point", {8, 0, 1, 0, 0}).code(), tl::errc::truncated);
  EXPECT_EQ(binary_fault("Point", {99, 0, 1, 0}).code(), tl::errc::bad_ttype);
  EXPECT_EQ(binary_fault("Every", {11, 0, 7, 0xff, 0xff, 0xff, 0xff, 0}).code(), tl::errc::negative_size);
  EXPECT_EQ(binary_fault("Point", {0, 0}).code(), tl::errc::trailing_bytes);
  EXPECT_EQ(binary_fault("Every", {11, 0, 7, 0, 0, 0, 3, 'a', 'b', 'c', 0}, {}, {.string_size = 2}).code(),
            tl::errc::size_limit);
  EXPECT_EQ(fault(tl::protocol_id::compact, "Every", bytes({0x48, 0x80, 0x80, 0x80, 0x80, 0x80, 1})).code(),
            tl::errc::type_mismatch);
  EXPECT_EQ(fault(tl::protocol_id::compact, "Every", bytes({0x45, 0x80, 0x80, 0x80, 0x80, 0x80, 1})).code(),
            tl::errc::bad_varint);
}

TEST(to_json, nan_and_infinity_are_errors_unless_strings_are_asked_for) {
  for (int top : {0x7f, 0xff}) {
    for (int low : {0, 1}) {
      const tl::error reason = binary_fault("Every", {4, 0, 6, top, 0xf0, 0, 0, 0, 0, 0, low, 0});
      EXPECT_EQ(reason.code(), tl::errc::nonfinite);
      EXPECT_EQ(reason.offset(), 3u);
      EXPECT_EQ(reason.path(), "$.d");
    }
  }
}

TEST(to_json, depth_and_output_are_bounded) {
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += bytes({15, 0, 2, 12, 0, 0, 0, 1});
  EXPECT_EQ(fault(tl::protocol_id::binary, "Tree", deep).code(), tl::errc::depth_limit);
  std::string unknown;
  for (int i = 0; i < 100; ++i) unknown += bytes({12, 0, 9});
  EXPECT_EQ(fault(tl::protocol_id::binary, "Tree", unknown).code(), tl::errc::depth_limit);
  const std::string list = bytes({15, 0, 12, 8, 0, 0, 4, 0}) + std::string(4096, '\x7f') + '\0';
  EXPECT_EQ(fault(tl::protocol_id::binary, "Every", list, {}, {.output_size = 1000}).code(),
            tl::errc::output_limit);
  EXPECT_TRUE(tl::try_to_json<tl::binary>(sample_type("Every"), list, {.limits = {.output_size = 20000}})
                  .has_value());
}

TEST(to_json, exceptions_have_code_path_and_offset) {
  const std::string raw = bytes({11, 0, 1, 0, 0, 0, 0, 0});
  try {
    static_cast<void>(tl::to_json<tl::binary>(sample_type("Point"), raw));
    FAIL();
  } catch (const tl::error& wrong) {
    EXPECT_EQ(wrong.code(), tl::errc::type_mismatch);
    EXPECT_EQ(wrong.path(), "$.x");
    EXPECT_EQ(wrong.offset(), 0u);
  }
}

TEST(to_json, negative_and_far_field_ids) {
  const std::string raw = bytes({8, 0x75, 0x30, 0, 0, 0, 1, 2, 0, 40, 1, 8, 0xff, 0xff, 0, 0, 0, 2, 0});
  EXPECT_EQ(tl::to_json<tl::binary>(sample_type("Far"), raw).str(), R"({"z":1,"b":true})");
}

TEST(to_json, bytes_may_be_a_temporary) {
  const std::string raw = bytes({8, 0, 1, 0, 0, 0, 7, 0});
  const tl::buffer expected = tl::to_json<tl::binary>(sample_type("Far"), raw);
  EXPECT_EQ(tl::to_json<tl::binary>(sample_type("Far"), std::string(raw)), expected);
  EXPECT_EQ(tl::to_json(tl::protocol_id::binary, sample_type("Far"), std::string(raw)), expected);
}
