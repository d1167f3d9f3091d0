#include <thriftlens/json/from_json.hpp>

#include "json/counted_memory.hpp"
#include "json/samples.hpp"
#include "support/test.hpp"

#include <thriftlens/json/to_json.hpp>

using thriftlens_test::sample_type;

namespace {
tl::error fault(const char* type, std::string_view json, tl::from_json_options options = {},
                const tl::limits& bounds = {}) {
  options.limits = bounds;
  tl::error first;
  for (tl::protocol_id which : {tl::protocol_id::binary, tl::protocol_id::compact}) {
    tl::buffer out;
    out.append({"kept", 4});
    const tl::result<void> status = tl::try_append_from_json(which, sample_type(type), json, out, options);
    EXPECT_EQ(out.text(), "kept") << "an error must leave the buffer alone: " << json;
    const tl::error now = status ? tl::error() : status.error();
    if (which == tl::protocol_id::binary)
      first = now;
    else
      EXPECT_STREQ(now.what(), first.what()) << "both protocols must say the same";
  }
  return first;
}
tl::errc code(const char* type, std::string_view json, const tl::from_json_options& options = {}) {
  return fault(type, json, options).code();
}
// The JSON written from the bytes.
std::string through(const char* type, std::string_view json, const tl::from_json_options& options = {}) {
  std::string first;
  for (tl::protocol_id which : {tl::protocol_id::binary, tl::protocol_id::compact}) {
    const tl::buffer bytes = tl::from_json(which, sample_type(type), json, options);
    const std::string text =
        tl::to_json(which, sample_type(type), bytes, {.leniency = {.nonfinite = tl::json_nonfinite::string}})
            .str();
    if (which == tl::protocol_id::binary)
      first = text;
    else
      EXPECT_EQ(text, first);
  }
  return first;
}
}  // namespace

TEST(from_json, appends_to_the_buffer) {
  tl::buffer out;
  out.append({"x", 1});
  ASSERT_TRUE(tl::try_append_from_json<tl::binary>(sample_type("Point"), R"({"x":5})", out));
  EXPECT_EQ(out.text(), std::string("x\x08\0\x01\0\0\0\x05\0", 9));
}

TEST(from_json, syntax_errors_have_offset_and_path) {
  EXPECT_STREQ(fault("Every", "{\"points\":[{\"x\":1},{\"zz\":2}],\"names\":[\"\xff\"]}").what(),
               "no field 'zz' in Point at $.points[1] (byte 20, line 1 column 21)");
  const auto place = [&](const std::string& text) {
    const tl::error why = fault("Every", text);
    EXPECT_EQ(why.code(), tl::errc::invalid_utf8) << text;
    EXPECT_EQ(why.offset(), text.find('\xff')) << text;
    return std::string(why.path());
  };
  EXPECT_EQ(place("{\"names\":[\"a\",\"b\xff\"]}"), "$.names[1]");
  EXPECT_EQ(place("{\"names\":[\"a\",\"\\n\xff\"]}"), "$.names[1]");
  EXPECT_EQ(place("{\"by_name\":{\"k\":1,\"\xff\":2}}"), "$.by_name{key 1}");
  EXPECT_EQ(place("{\"b\":true,\xff}"), "$");
  EXPECT_EQ(place("{\"b\":true}\xff"), "$");
  EXPECT_EQ(place("\xff"), "$");
}

TEST(from_json, values_other_than_structs) {
  EXPECT_EQ(tl::from_json<tl::binary>(sample_type("i32"), " 256 ").str(), std::string("\0\0\1\0", 4));
  EXPECT_EQ(tl::from_json<tl::compact>(sample_type("bool"), "true").str(), std::string("\1", 1));
  EXPECT_EQ(tl::from_json<tl::compact>(sample_type("Every").find_field("ints").type(), "[1,2]").str(),
            std::string("\x25\2\4", 3));
  EXPECT_EQ(tl::from_json<tl::binary>(sample_type("string"), "\"ab\"").str(), std::string("\0\0\0\2ab", 6));
}

TEST(from_json, whitespace_and_a_byte_order_mark_are_ignored) {
  EXPECT_EQ(
      through("Every",
              "\xef\xbb\xbf \t\r\n{ \"i32\" : 1 ,\n \"ints\" : [ 1 , 2 ] , \"by_id\" : { \"3\" : { } } } \n"),
      R"({"i32":1,"ints":[1,2],"by_id":{"3":{}}})");
}

TEST(from_json, integers_are_exact_or_refused) {
  EXPECT_EQ(through("Every", R"({"i32":1e2,"i64":9223372036854775807.0,"i8":-0,"i16":1.5e1,"color":5.0})"),
            R"({"i32":100,"i64":9223372036854775807,"i8":0,"i16":15,"color":5})");
  for (const char* text : {R"({"i8":128})", R"({"i8":-129})", R"({"i16":32768})", R"({"i32":2147483648})",
                           R"({"i64":9223372036854775808})", R"({"i64":-9223372036854775809})",
                           R"({"i64":1e19})", R"({"color":2147483648})", R"({"i32":1e400})"})
    EXPECT_EQ(code("Every", text), tl::errc::integer_range) << text;
  for (const char* text : {R"({"i8":1.5})", R"({"i64":0.1})", R"({"i32":1e-1})", R"({"color":1.5})"})
    EXPECT_EQ(code("Every", text), tl::errc::json_type) << text;
  EXPECT_STREQ(fault("Every", R"({"i8":128})").what(),
               "an integer outside the range of i8 at $.i8 (byte 6, line 1 column 7)");
  EXPECT_STREQ(fault("Every", R"({"i8":1.5})").what(),
               "expected i8, found a fraction at $.i8 (byte 6, line 1 column 7)");
}

TEST(from_json, doubles_in_range) {
  EXPECT_EQ(through("Every", R"({"doubles":[1,-0,123456789012345678901234567890]})"),
            R"({"doubles":[1.0,-0.0,1.2345678901234568e+29]})");
  EXPECT_EQ(through("Every", R"({"d":-0.0})"), R"({"d":-0.0})");
  EXPECT_EQ(through("Every", R"({"d":1e-400})"), R"({"d":0.0})");
  EXPECT_EQ(code("Every", R"({"d":1e309})"), tl::errc::double_range);
  EXPECT_EQ(code("Every", R"({"d":-1e999999999999})"), tl::errc::double_range);
  const tl::from_json_options special{.leniency = {.nonfinite = tl::json_nonfinite::string}};
  EXPECT_EQ(through("Every", R"({"doubles":["NaN","Infinity","-Infinity"],"by_double":{"NaN":1}})", special),
            R"({"doubles":["NaN","Infinity","-Infinity"],"by_double":{"NaN":1}})");
  EXPECT_EQ(code("Every", R"({"d":"NaN"})"), tl::errc::json_type);
  EXPECT_EQ(code("Every", R"({"d":"nan"})", special), tl::errc::json_type);
}

TEST(from_json, type_errors_name_the_value) {
  EXPECT_STREQ(fault("Every", "{\"points\":[{},\n{\"x\":\"5\"}]}").what(),
               "expected i32, found string at $.points[1].x (byte 20, line 2 column 6)");
  EXPECT_STREQ(fault("Every", R"({"by_name":{"a b":true}})").what(),
               R"(expected i64, found true at $.by_name{"a b"} (byte 18, line 1 column 19))");
  EXPECT_STREQ(fault("Every", R"({"by_id":{"7":{"x":[]}}})").what(),
               "expected i32, found array at $.by_id{7}.x (byte 19, line 1 column 20)");
  const struct {
    const char* json;
    tl::errc code;
  } all[] = {{R"({"b":1})", tl::errc::json_type},
             {R"({"b":"true"})", tl::errc::json_type},
             {R"({"s":5})", tl::errc::json_type},
             {R"({"bin":5})", tl::errc::json_type},
             {R"({"point":[]})", tl::errc::json_type},
             {R"({"ints":{}})", tl::errc::json_type},
             {R"({"ints":[null]})", tl::errc::json_type},
             {R"({"by_name":[]})", tl::errc::json_type},
             {R"({"by_name":{"a":null}})", tl::errc::json_type},
             {R"({"by_point":5})", tl::errc::json_type},
             {R"({"id":5})", tl::errc::json_type},
             {R"({"id":"0011"})", tl::errc::bad_uuid},
             {R"({"by_point":[5]})", tl::errc::json_type},
             {R"({"by_point":[[{}]]})", tl::errc::json_syntax},
             {"[]", tl::errc::json_type},
             {"null", tl::errc::json_type}};
  for (const auto& item : all) EXPECT_EQ(code("Every", item.json), item.code) << item.json;
}

TEST(from_json, null_is_absent_in_a_struct) {
  EXPECT_EQ(through("Every", R"({"i32":null,"s":null,"point":null,"b":null,"i8":1})"), R"({"i8":1})");
  EXPECT_EQ(fault("Strict", R"({"must":null,"also":"x"})").code(), tl::errc::missing_required);
  EXPECT_EQ(through("Pick", R"({"i":null,"s":"x"})"), R"({"s":"x"})");
}

TEST(from_json, strings_keep_every_character) {
  EXPECT_EQ(through("Every", R"({"s":"\u0000\u00e9\ud83d\ude00\/\b\f"})"), "{\"s\":\"\\u0000é😀/\\b\\f\"}");
  const std::string long_text(100000, 'x');
  EXPECT_EQ(through("Every", "{\"s\":\"" + long_text + "\"}"), "{\"s\":\"" + long_text + "\"}");
  for (const char* text :
       {R"({"s":"\ud800"})", R"({"s":"\udc00"})", R"({"s":"\udc00\ud800"})", R"({"s":"\u00"})",
        R"({"s":"\x41"})", "{\"s\":\"a\nb\"}", "{\"s\":\"abc}", R"({"s":"\"})"})
    EXPECT_EQ(code("Every", text), tl::errc::json_syntax) << text;
  const tl::error broken = fault("Every", "{\"s\":\"caf\xe9\"}");
  EXPECT_EQ(broken.code(), tl::errc::invalid_utf8);
  EXPECT_EQ(broken.offset(), 9u);
}

TEST(from_json, base64) {
  EXPECT_EQ(through("Every", R"({"blobs":["","AA==","AAA=","AAAA","+\/8="]})"),
            R"({"blobs":["","AA==","AAA=","AAAA","+/8="]})");
  for (const char* text : {"AA", "A", "AAA==", "A===", "AAA*", "AA\\nAA", "-_-_", "é", "AAAA="})
    EXPECT_EQ(code("Every", std::string(R"({"bin":")") + text + "\"}"), tl::errc::bad_base64) << text;
  const tl::from_json_options lenient{.leniency = {.base64 = tl::json_base64::lenient}};
  EXPECT_EQ(through("Every", R"({"blobs":["AA","-_-_","AA=="]})", lenient),
            R"({"blobs":["AA==","+/+/","AA=="]})");
  EXPECT_EQ(code("Every", R"({"bin":"A"})", lenient), tl::errc::bad_base64);
}

TEST(from_json, uuids_in_either_case) {
  EXPECT_EQ(through("Every", R"({"id":"AEDF13AB-9b36-FB9D-0cfe-440951bbf90f"})"),
            R"({"id":"aedf13ab-9b36-fb9d-0cfe-440951bbf90f"})");
  for (const char* text : {"", "aedf13ab9b36fb9d0cfe440951bbf90f", "aedf13ab-9b36-fb9d-0cfe-440951bbf90g",
                           "{edf13ab-9b36-fb9d-0cfe-440951bbf90}", "aedf13ab-9b36-fb9d-0cfe-440951bbf90f "})
    EXPECT_EQ(code("Every", std::string(R"({"id":")") + text + "\"}"), tl::errc::bad_uuid) << text;
}

TEST(from_json, enums_by_name_or_number) {
  EXPECT_EQ(through("Every", R"({"colors":["RED","ALSO_BLUE",1,77,-3],"by_color":{"BLUE":1,"1":2}})"),
            R"({"colors":[0,5,1,77,-3],"by_color":{"5":1,"1":2}})");
  EXPECT_STREQ(fault("Every", R"({"color":"GREN"})").what(),
               "no member 'GREN' in Color; did you mean 'GREEN'? at $.color (byte 9, line 1 column 10)");
  EXPECT_EQ(code("Every", R"({"by_color":{"NOPE":1}})"), tl::errc::unknown_enum_name);
}

TEST(from_json, quoted_numbers_on_request) {
  const tl::from_json_options accept{.leniency = {.quoted_numbers = tl::json_quoted_numbers::accept}};
  EXPECT_EQ(
      through("Every", R"({"i8":"5","i64":"-9007199254740993","d":"1.5e3","color":"1","i32":"1.0"})", accept),
      R"({"i8":5,"i64":-9007199254740993,"d":1500.0,"color":1,"i32":1})");
  for (const char* text : {R"({"i8":""})", R"({"i8":" 5"})", R"({"i8":"5x"})", R"({"d":"x"})"})
    EXPECT_EQ(code("Every", text, accept), tl::errc::json_type) << text;
  EXPECT_EQ(code("Every", R"({"i8":"500"})", accept), tl::errc::integer_range);
  EXPECT_EQ(code("Every", R"({"i8":"5"})"), tl::errc::json_type);
}

TEST(from_json, map_keys_of_every_scalar_type) {
  EXPECT_EQ(
      through(
          "Every",
          R"({"by_bool":{"true":1,"false":2},"by_short":{"-32768":1},"by_double":{"1":1,"1.50":2},"by_binary":{"AAA=":1},)"
          R"("by_uuid":{"AEDF13AB-9B36-FB9D-0CFE-440951BBF90F":1},"by_name":{"\u0041\"":1}})"),
      R"({"by_bool":{"true":1,"false":2},"by_short":{"-32768":1},"by_double":{"1.0":1,"1.5":2},"by_binary":{"AAA=":1},)"
      R"("by_uuid":{"aedf13ab-9b36-fb9d-0cfe-440951bbf90f":1},"by_name":{"A\"":1}})");
  for (const char* text : {R"({"by_id":{"":{}}})", R"({"by_id":{"1.5":{}}})", R"({"by_id":{" 1":{}}})",
                           R"({"by_id":{"+1":{}}})", R"({"by_id":{"01":{}}})", R"({"by_id":{"1e2":{}}})",
                           R"({"by_id":{"-":{}}})", R"({"by_bool":{"yes":1}})", R"({"by_bool":{"1":1}})",
                           R"({"by_double":{"x":1}})", R"({"by_double":{"NaN":1}})"})
    EXPECT_EQ(code("Every", text), tl::errc::bad_map_key) << text;
  EXPECT_EQ(code("Every", R"({"by_id":{"2147483648":{}}})"), tl::errc::integer_range);
  EXPECT_EQ(code("Every", R"({"by_id":{"99999999999999999999":{}}})"), tl::errc::integer_range);
}

TEST(from_json, container_and_struct_keys_as_pairs_or_json_text) {
  EXPECT_EQ(through("Every", R"({"by_point":[[{"x":1},"a"],[{},"b"]],"by_list":[[[1,2],3],[[],4]]})"),
            R"({"by_point":[[{"x":1},"a"],[{},"b"]],"by_list":[[[1,2],3],[[],4]]})");
  EXPECT_EQ(through("Every", R"({"by_point":{"{\"x\":1}":"a","{}":"b"},"by_list":{"[1,2]":3}})"),
            R"({"by_point":[[{"x":1},"a"],[{},"b"]],"by_list":[[[1,2],3]]})");
  const tl::error inside = fault("Every", R"({"by_point":{"{\"x\":1}":"a","{\"x\":tru}":"b"}})");
  EXPECT_EQ(inside.code(), tl::errc::json_syntax);
  EXPECT_EQ(inside.offset(), 29u);
  EXPECT_EQ(code("Every", R"({"by_point":{"{} x":"b"}})"), tl::errc::json_syntax);
}

TEST(from_json, reports_invalid_keys) {
  EXPECT_STREQ(fault("Every", R"({"by_id":{"1":{},"x":{}}})").what(),
               "a map key that i32 does not allow at $.by_id{key 1} (byte 17, line 1 column 18)");
  EXPECT_EQ(fault("Every", R"({"by_id":{"2147483648":{}}})").path(), "$.by_id{key 0}");
  EXPECT_EQ(fault("Every", R"({"by_color":{"PINK":1}})").path(), "$.by_color{key 0}");
  EXPECT_EQ(fault("Every", R"({"by_binary":{"?":1}})").path(), "$.by_binary{key 0}");
  EXPECT_EQ(fault("Every", R"({"by_point":{"{\"x\":[]}":"a"}})").path(), "$.by_point{key 0}.x");
  EXPECT_EQ(fault("Every", R"({"by_name":{"a)").path(), "$.by_name{key 0}");
  const std::string name(300, 'n');
  EXPECT_LT(std::string(fault("Every", R"({"color":")" + name + "\"}").what()).size(), 280u);
}

// 140,000 entries: repeated keys are looked for more than once on the way.
TEST(from_json, large_maps_keep_the_last_of_equal_keys) {
  const tl::from_json_options last{.leniency = {.duplicates = tl::on_duplicate::last}};
  std::string text = "{\"by_short\":{", expected = "{\"by_short\":{";
  for (int i = 0; i < 140000; ++i)
    text += (i == 0 ? "\"" : ",\"") + std::to_string(i % 20000) + "\":" + std::to_string(i / 7);
  for (int i = 120000; i < 140000; ++i)
    expected += (i == 120000 ? "\"" : ",\"") + std::to_string(i % 20000) + "\":" + std::to_string(i / 7);
  EXPECT_EQ(through("Every", text + "}}", last), expected + "}}");
  const tl::error refused = fault("Every", text + "}}");
  EXPECT_EQ(refused.code(), tl::errc::duplicate_key);
  EXPECT_EQ(refused.path(), "$.by_short{0}");
  EXPECT_EQ(refused.offset(), text.find(",\"0\"") + 1);
}

TEST(from_json, a_key_repeated_200000_times_is_cheap) {
  std::string text = "{\"by_name\":{\"\":0";
  for (int i = 0; i < 200000; ++i) text += ",\"\":0";
  text += "}}";
  for (const auto duplicates : {tl::on_duplicate::error, tl::on_duplicate::last}) {
    thriftlens_test::reset_peak();
    const std::size_t previous_size = thriftlens_test::held_bytes();
    EXPECT_EQ(
        tl::try_from_json<tl::binary>(sample_type("Every"), text, {.leniency = {.duplicates = duplicates}})
            .has_value(),
        duplicates == tl::on_duplicate::last);
    EXPECT_LT(thriftlens_test::peak_bytes() - previous_size,
              text.size() * (2 + 4));  // 4: token positions of simdjson
  }
}

TEST(from_json, duplicate_keys) {
  EXPECT_STREQ(fault("Point", R"({"x":1,"y":2,"x":3})").what(),
               "duplicate key in an object at $.x (byte 13, line 1 column 14)");
  EXPECT_STREQ(fault("Every", R"({"by_id":{"1":{},"0":{},"1":{}}})").what(),
               "duplicate key in a map at $.by_id{1} (byte 24, line 1 column 25)");
  EXPECT_EQ(fault("Every", R"({"by_point":[[{},"a"],[{},"b"]]})").path(), "$.by_point{x\"00\"}");
  EXPECT_EQ(code("Point", R"({"x":null,"x":3})"), tl::errc::duplicate_key);
  const std::string pairs = R"({"by_point":[[{},"a"],[{},"b"]]})";
  const tl::result<tl::buffer> deep =
      tl::try_from_json<tl::binary>(sample_type("Every"), pairs, {.limits = {.depth = 3}});
  EXPECT_STREQ(deep.error().what(),
               "duplicate key in a map at $.by_point{x\"00\"} (byte 22, line 1 column 23)");
  const tl::from_json_options last{.leniency = {.duplicates = tl::on_duplicate::last}};
  EXPECT_EQ(through("Point", R"({"x":1,"y":2,"x":3})", last), R"({"y":2,"x":3})");
  EXPECT_EQ(through("Point", R"({"x":1,"y":2,"x":null})", last), R"({"y":2})");
  EXPECT_EQ(
      through("Far", R"({"a":1,"c":true,"d":false,"s":"1","b":true,"c":null,"d":true,"s":"2","z":1,"z":5})",
              last),
      R"({"a":1,"b":true,"d":true,"s":"2","z":5})");
  EXPECT_EQ(
      through("Every", R"({"by_id":{"1":{"x":1},"2":{},"1":{"y":2}},"by_point":[[{},"a"],[{},"b"]]})", last),
      R"({"by_id":{"2":{},"1":{"y":2}},"by_point":[[{},"b"]]})");
  EXPECT_EQ(code("Strict", R"({"must":1,"also":"x","must":null})", last), tl::errc::missing_required);
  EXPECT_EQ(through("Pick", R"({"i":1,"i":null,"s":"x"})", last), R"({"s":"x"})");
  EXPECT_EQ(through("Every", R"({"points":[{"x":1,"x":2},{"y":1,"y":2}]})", last),
            R"({"points":[{"x":2},{"y":2}]})");
}

// Ascending keys are not looked up, even numbers whose low bytes restart at 0; keys in any other order are.
TEST(from_json, keys_of_a_map_in_any_order) {
  const std::vector<std::string> orders[] = {{"-3", "-1", "0", "2"},     {"0", "2", "-3", "-1"},
                                             {"-1", "-3", "2", "0"},     {"2", "0", "-1", "-3"},
                                             {"-1", "0", "-3", "2"},     {"0", "-1"},
                                             {"5", "300", "70000", "-9"}};
  const auto text = [](const char* field, const std::vector<std::string>& keys, const char* value) {
    std::string bytes;
    for (const std::string& key : keys)
      bytes.append(bytes.empty() ? "" : ",").append("\"").append(key).append("\":").append(value);
    return std::string("{\"").append(field).append("\":{").append(bytes).append("}}");
  };
  for (const auto& [field, value] : {std::pair("by_id", "{}"), {"by_long", "\"v\""}, {"by_name", "1"}})
    for (const std::vector<std::string>& order : orders) {
      EXPECT_EQ(through("Every", text(field, order, value)), text(field, order, value));
      for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t at = 0; at <= order.size(); ++at) {
          std::vector<std::string> twice = order;
          twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(at), order[i]);
          EXPECT_EQ(code("Every", text(field, twice, value)), tl::errc::duplicate_key)
              << text(field, twice, value);
        }
    }
}

TEST(from_json, fields_in_any_order_and_with_gaps) {
  EXPECT_EQ(through("Far", R"({"z":1,"s":"t","a":2})"), R"({"z":1,"s":"t","a":2})");
  EXPECT_EQ(through("Far", R"({"d":true,"z":1})"), R"({"d":true,"z":1})");
  EXPECT_EQ(through("Every", R"({"b":true,"ints":[1],"names":["a"],"colors":[5]})"),
            R"({"b":true,"ints":[1],"names":["a"],"colors":[5]})");
  EXPECT_EQ(through("Every", R"({"colors":[5],"i8":-1,"b":false,"blobs":["AA=="],"d":-0.5})"),
            R"({"colors":[5],"i8":-1,"b":false,"blobs":["AA=="],"d":-0.5})");
  EXPECT_EQ(
      through("Point", R"({"u":1,"y":2,"w":[{}],"x":3})", {.leniency = {.unknown = tl::on_unknown::drop}}),
      R"({"y":2,"x":3})");
  EXPECT_STREQ(fault("Far", R"({"s":"t","a":2,"z":1 , "s" :"t"})").what(),
               "duplicate key in an object at $.s (byte 23, line 1 column 24)");
  EXPECT_STREQ(fault("Far", R"({"s":"t","z":1,"s":"t"})").what(),
               "duplicate key in an object at $.s (byte 15, line 1 column 16)");
}

TEST(from_json, unknown_keys) {
  EXPECT_STREQ(fault("Point", R"({"z":1})").what(),
               "no field 'z' in Point; did you mean 'x' or 'y'? at $ (byte 1, line 1 column 2)");
  EXPECT_EQ(code("Point", R"({"z":1})"), tl::errc::unknown_key);
  const tl::from_json_options skip{.leniency = {.unknown = tl::on_unknown::drop}};
  EXPECT_EQ(
      through("Point", R"({"z":{"a":[1,{"b":null},"\ud83d\ude00",true,false,-1.5e3]},"x":3,"zz":[]})", skip),
      R"({"x":3})");
  for (const char* text : {R"({"z":[1,2,})", R"({"z":tru})", R"({"z":{"a"}})", R"({"z":"\x"})", R"({"z":01})",
                           R"({"z":{1:2}})", R"({"z":[1 2]})", R"({"z":nul})", R"({"z":})", R"({"z":NaN})"})
    EXPECT_EQ(code("Point", text, skip), tl::errc::json_syntax) << text;
}

TEST(from_json, names_and_aliases) {
  EXPECT_EQ(through("Named", R"({"user_id":1,"plain":"p","other":2})"),
            R"({"user_id":1,"plain":"p","other":2})");
  EXPECT_EQ(code("Named", R"({"userId":1})"), tl::errc::unknown_key);
  const tl::from_json_options alias{.names = tl::json_names::alias}, both{.names = tl::json_names::both};
  EXPECT_EQ(through("Named", R"({"userId":1,"plain":"p","o":2})", alias),
            R"({"user_id":1,"plain":"p","other":2})");
  EXPECT_EQ(code("Named", R"({"user_id":1})", alias), tl::errc::unknown_key);
  EXPECT_EQ(through("Named", R"({"userId":1,"plain":"p","other":2})", both),
            R"({"user_id":1,"plain":"p","other":2})");
  EXPECT_EQ(code("Named", R"({"userId":1,"user_id":2})", both), tl::errc::duplicate_key);
}

TEST(from_json, required_fields_unions_and_defaults) {
  const tl::error missing = fault("Strict", R"({"must":1})");
  EXPECT_EQ(missing.code(), tl::errc::missing_required);
  EXPECT_EQ(missing.path(), "$.also");
  EXPECT_EQ(code("Strict", R"({"must":1})", {.defaults = tl::on_absent::write}), tl::errc::missing_required);
  EXPECT_EQ(code("Pick", R"({"i":1,"s":"a"})"), tl::errc::union_members);
  EXPECT_EQ(fault("Pick", R"({"i":1,"s":"a"})").offset(), 7u) << "the key of the second member";
  EXPECT_EQ(fault("Pick", R"({"i":null,"s":"a","b":true})").offset(), 18u);
  EXPECT_EQ(through("Pick", "{}"), "{}");
  const tl::from_json_options keep{.leniency = {.unknown = tl::on_unknown::keep}};
  EXPECT_EQ(code("Pick", R"({"i":1,"#99":{"i32":1}})", keep), tl::errc::union_members);
  EXPECT_EQ(code("Pick", R"({"#99":{"i32":1},"i":1})", keep), tl::errc::union_members);
  EXPECT_EQ(code("Pick", R"({"#99":{"i32":1},"#98":{"i32":1}})", keep), tl::errc::union_members);
  const tl::from_json_options write{.defaults = tl::on_absent::write};
  EXPECT_EQ(through("Defaults", R"({"b":false,"s":null})", write),
            R"({"b":false,"a":7,"s":"x\"y","l":[1,2],"p":{"x":1}})");
  EXPECT_EQ(through("Defaults", "{}", write), R"({"a":7,"s":"x\"y","l":[1,2],"b":true,"p":{"x":1}})");
}

TEST(from_json, syntax_is_checked_to_the_end) {
  for (const char* text : {"",
                           "  ",
                           "{",
                           "}",
                           "{\"",
                           R"({"x")",
                           R"({"x":)",
                           R"({"x":1)",
                           R"({"x":1,)",
                           R"({"x":1,})",
                           R"({,"x":1})",
                           R"({"x" 1})",
                           R"({x:1})",
                           R"({"x":1}})",
                           R"({"x":1} x)",
                           R"({"x":1}{})",
                           "{}\x01",
                           R"({"x":1 "y":2})",
                           "/*c*/{}",
                           ",{}",
                           R"({"x":--1})",
                           R"({"x":1a})",
                           R"({"x":truefalse})",
                           R"({'x':1})",
                           R"({"x":1]})"})
    EXPECT_EQ(code("Point", text), tl::errc::json_syntax) << text;
  EXPECT_EQ(code("Point", std::string("{}\0", 3)), tl::errc::json_syntax);
}

TEST(from_json, depth_sizes_and_output_are_bounded) {
  std::string tree, skipped = R"({"zzz":)";
  for (int i = 0; i < 40; ++i) tree += R"({"kids":[)";
  EXPECT_EQ(code("Tree", tree), tl::errc::depth_limit);
  skipped += std::string(100000, '[');
  EXPECT_EQ(code("Tree", skipped, {.leniency = {.unknown = tl::on_unknown::drop}}), tl::errc::depth_limit);
  EXPECT_EQ(fault("Every", R"({"s":"abc"})", {}, {.string_size = 2}).code(), tl::errc::size_limit);
  EXPECT_EQ(fault("Every", R"({"ints":[1,2,3]})", {}, {.container_size = 2}).code(), tl::errc::size_limit);
  EXPECT_EQ(fault("Every", R"({"by_id":{"1":{},"2":{}}})", {}, {.container_size = 1}).code(),
            tl::errc::size_limit);
  EXPECT_EQ(fault("Every", R"({"s":"0123456789"})", {}, {.output_size = 10}).code(), tl::errc::output_limit);
  EXPECT_TRUE(tl::try_from_json<tl::binary>(sample_type("Every"), R"({"s":"0123456789"})",
                                            {.limits = {.output_size = 18}})
                  .has_value());
}

TEST(from_json, compact_sizes_of_every_length) {
  for (std::size_t size : {0u, 1u, 14u, 15u, 16u, 127u, 128u, 129u, 16383u, 16384u, 70000u}) {
    std::string text = R"({"ints":[)", map = R"({"by_long":{)";
    for (std::size_t i = 0; i < size; ++i) {
      text += std::to_string(i) + (i + 1 < size ? "," : "");
      map += '"' + std::to_string(i) + "\":\"" + std::string(i % 3, 'v') + '"' + (i + 1 < size ? "," : "");
    }
    text += R"(],"s":")" + std::string(size, 's') + "\"}";
    map += "}}";
    EXPECT_EQ(through("Every", text), text);
    EXPECT_EQ(through("Every", map), map);
  }
}
