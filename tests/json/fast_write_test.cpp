#include <thriftlens/json/fast/fast_write.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::at_page_end, thriftlens_test::sample_type;

namespace {

const std::pair<const char*, const char*> texts[] = {
    {"Every", R"({})"},
    {"Every",
     R"({"b":true,"i8":-128,"i16":-32768,"i32":2147483647,"i64":-9223372036854775808,"d":1.5,"s":"ä\n","bin":"AAECAw==","color":5})"},
    {"Every",
     R"({"b":false,"id":"00112233-4455-6677-8899-aabbccddeeff","point":{"x":1,"y":-2},"ints":[1,2,3],"names":["a","b"]})"},
    {"Every",
     R"({"by_name":{"a":1,"b":2},"by_id":{"-1":{"x":1},"10":{}},"by_point":[[{"x":1},"a"],[{"y":2},"b"]],"bits":[[true,false],[]]})"},
    {"Every",
     R"({"by_bool":{"false":1,"true":2},"by_double":{"-0.0":1,"1.5":2},"by_binary":{"":1,"AA==":2},"by_color":{"0":1,"77":2}})"},
    {"Every",
     R"({"by_uuid":{"00112233-4455-6677-8899-aabbccddeeff":1},"by_long":{"9223372036854775807":"x"},"pick":{"p":{"x":1}}})"},
    {"Every",
     R"({"points":[{},{"x":1},{"y":2}],"doubles":[0.1,1e+300],"picks":{"1":[{"i":1},{}],"2":[]},"by_list":[[[1,2],3],[[],4]]})"},
    {"Every",
     R"({"by_short":{"-3":1,"2":5},"blobs":["","AAAA"],"colors":[0,1,5,9],"d":"NaN","doubles":["-Infinity"]})"},
    {"Every",
     R"({"by_name":{"9":1,"10":2,"b":3,"a":4,"long key, the first":5,"long key, the second":6,"":7},"by_id":{"3":{},"1":{}}})"},
    {"Tree", R"({"v":1,"kids":[{"v":2,"kids":[{"v":3}]},{}],"named":{"x":{"v":4},"a":{"kids":[{}]}}})"},
    {"Strict", R"({"must":1,"may":2,"also":"x"})"},
    {"Named", R"({"user_id":7,"plain":"p","other":-1})"},
    {"Far", R"({"a":1,"b":true,"c":false,"d":true,"s":"t","z":5})"},
    {"Pick", R"({"s":"one"})"},
    {"Oops", R"({"message":""})"},
};

struct written_sample {
  tl::type of;
  std::string bytes;
};
const std::vector<written_sample>& samples() {
  static const std::vector<written_sample> full = [] {
    std::vector<written_sample> items;
    tl::from_json_options in;
    in.leniency.nonfinite = tl::json_nonfinite::string;
    for (const auto& [type, text] : texts)
      items.push_back({sample_type(type), tl::from_json<tl::binary>(sample_type(type), text, in).str()});
    return items;
  }();
  return full;
}

// Both writers have the same result; if one fails so does the other, and the buffer is unchanged.
void expect_same(const tl::type& of, tl::byte_view bytes, const tl::to_json_options& options = {},
                 const tl::limits& bounds = {}) {
  ASSERT_TRUE(tl::detail::fast_json_writer::serves(options));
  tl::buffer fast(tl::byte_view("before", 6)), usual(tl::byte_view("before", 6));
  const bool is_ok = tl::detail::fast_json_writer(bytes, *of.image(), fast, options, bounds).run(of);
  const tl::result<void> expected =
      tl::detail::json_writer<tl::binary>(bytes, *of.image(), usual, options, bounds).run(of);
  ASSERT_EQ(is_ok, expected.has_value()) << (expected ? usual.str() : expected.error().what());
  ASSERT_EQ(fast.str(), usual.str());
}

// Like expect_same, but the fast writer may decline, for example if the ids of a trimmed struct are not
// ascending.
void expect_same_or_left(const tl::type& of, tl::byte_view bytes, const tl::to_json_options& options) {
  tl::buffer fast(tl::byte_view("before", 6)), usual(tl::byte_view("before", 6));
  const bool is_ok = tl::detail::fast_json_writer(bytes, *of.image(), fast, options, {}).run(of);
  const tl::result<void> expected =
      tl::detail::json_writer<tl::binary>(bytes, *of.image(), usual, options, {}).run(of);
  ASSERT_TRUE(!is_ok || expected) << fast.str() << expected.error().what();
  ASSERT_EQ(fast.str(), is_ok ? usual.str() : "before");
}

std::vector<tl::to_json_options> forms() {
  std::vector<tl::to_json_options> items(7);
  items[1].format.enums = tl::enum_values::name;
  items[2].format.int64 = tl::json_int64::string;
  items[3].leniency.nonfinite = tl::json_nonfinite::string;
  items[4].names = tl::json_names::alias;
  items[5].leniency.unknown = tl::on_unknown::error;
  items[6].leniency.missing_required = tl::on_missing::omit;
  return items;
}

}  // namespace

TEST(fast_json_writer, declines_rare_options) {
  EXPECT_TRUE(tl::detail::fast_json_writer::serves({}));
  EXPECT_FALSE(tl::detail::fast_json_writer::serves({.format = {.pretty = 2}}));
  EXPECT_FALSE(
      tl::detail::fast_json_writer::serves({.leniency = {.invalid_utf8 = tl::on_invalid_utf8::replace}}));
  EXPECT_FALSE(tl::detail::fast_json_writer::serves({.defaults = tl::on_absent::write}));
  EXPECT_FALSE(tl::detail::fast_json_writer::serves({.leniency = {.mismatch = tl::on_mismatch::drop}}));
  EXPECT_FALSE(tl::detail::fast_json_writer::serves({.leniency = {.duplicates = tl::on_duplicate::last}}));
  const tl::selection full = tl::selection::all(sample_type("Every"));
  EXPECT_TRUE(tl::detail::fast_json_writer::serves({.select = &full}));
  const tl::schema schema = tl::schema::parse("struct A { 1: i32 a } struct B { 1: required i32 a }");
  const tl::selection checks = tl::selection::compile(schema.type("A"), schema.type("B"));
  EXPECT_FALSE(tl::detail::fast_json_writer::serves({.select = &checks}));
  EXPECT_TRUE(tl::detail::fast_json_writer::serves({.leniency = {.missing_required = tl::on_missing::omit}}));
}

TEST(fast_json_writer, writes_every_type_in_every_form) {
  for (const written_sample& sample : samples())
    for (const tl::to_json_options& options : forms())
      expect_same(sample.of, at_page_end(sample.bytes).bytes(), options);
}

TEST(fast_json_writer, bytes_truncated_or_changed_at_every_position) {
  std::mt19937 random(5);
  for (const written_sample& sample : samples()) {
    at_page_end memory(sample.bytes + '\0');
    for (std::size_t size = 0; size <= sample.bytes.size() + 1; ++size) {
      memory.put((sample.bytes + '\0').substr(0, size));
      expect_same(sample.of, memory.bytes());
    }
    for (std::size_t at = 0; at < sample.bytes.size(); ++at)
      for (unsigned change : {1u, 2u, 4u, 0x80u, 0xffu, static_cast<unsigned>(random())}) {
        std::string bytes = sample.bytes;
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ change);
        memory.put(bytes);
        expect_same(sample.of, memory.bytes());
      }
  }
}

TEST(fast_json_writer, fields_out_of_order_repeated_missing_and_unknown) {
  std::mt19937 random(6);
  const auto field = [](std::int16_t id, std::int32_t value) {
    tl::buffer single;
    tl::binary::writer out(single);
    out.write_field(tl::ttype::i32, id), out.write_i32(value);
    return single.str();
  };
  for (int i = 0; i < 3000; ++i) {
    std::string bytes;
    for (std::size_t n = random() % 6; n > 0; --n) {
      constexpr std::int16_t ids[] = {1, 2, 3, 30000, 7};
      bytes += field(ids[random() % std::size(ids)], static_cast<std::int32_t>(n));
    }
    bytes += '\0';
    for (const char* name : {"Strict", "Point", "Far", "Pick", "Oops"}) {
      expect_same(sample_type(name), bytes);
      expect_same(sample_type(name), bytes, {.leniency = {.unknown = tl::on_unknown::error}});
      expect_same(sample_type(name), bytes, {.leniency = {.missing_required = tl::on_missing::omit}});
    }
  }
}

TEST(fast_json_writer, fields_beyond_the_first_64) {
  std::string idl = "struct Wide {";
  for (int id = 1; id <= 150; ++id)
    idl += std::to_string(id) + ": i32 " + std::string(static_cast<std::size_t>(id), 'n') +
           std::to_string(id) + '\n';
  const tl::schema schema = tl::schema::parse(idl + '}');
  std::mt19937 random(8);
  for (int i = 0; i < 200; ++i) {
    tl::buffer bytes;
    tl::binary::writer out(bytes);
    int id = 0;
    for (std::size_t n = random() % 100; n > 0; --n) {
      id = random() % 16 == 0 ? static_cast<int>(random() % 150) + 1 : id % 150 + 1;
      out.write_field(tl::ttype::i32, static_cast<std::int16_t>(id)), out.write_i32(id);
    }
    out.write_stop();
    expect_same(schema.type("Wide"), bytes);
  }
}

TEST(fast_json_writer, limits_are_enforced) {
  for (const written_sample& sample : samples()) {
    for (std::uint32_t bound = 0; bound < 8; ++bound) {
      expect_same(sample.of, sample.bytes, {}, {.depth = bound});
      expect_same(sample.of, sample.bytes, {}, {.string_size = bound});
      expect_same(sample.of, sample.bytes, {}, {.container_size = bound});
    }
    for (std::size_t bound = 0; bound < 400; bound += 7)
      expect_same(sample.of, sample.bytes, {}, {.output_size = bound});
  }
  std::string deep;
  for (int i = 0; i < 1100; ++i) deep += std::string("\x0f\0\2\x0c\0\0\0\1", 8);
  deep += std::string(1101, '\0');
  for (std::uint32_t bound : {64u, 1023u, 1024u, 5000u})
    expect_same(sample_type("Tree"), deep, {}, {.depth = bound});
}

TEST(fast_json_writer, strings_of_any_size_and_encoding) {
  const std::string pieces[] = {"plain text ", "\"\\", "\n\x01", "\xc3\xa9", "\xe4\xbd\xa0", "\xff"};
  for (std::size_t size : {0u, 1u, 31u, 64u, 65u, 200u, 4095u, 4096u, 4097u, 9000u, 100000u})
    for (const std::string& piece : pieces) {
      std::string text;
      while (text.size() + piece.size() <= size) text += piece;
      tl::buffer bytes;
      tl::binary::writer out(bytes);
      out.write_field(tl::ttype::string, 1), out.write_bytes(text), out.write_stop();
      expect_same(sample_type("Oops"), bytes);
      bytes.clear();
      out.write_field(tl::ttype::string, 8), out.write_bytes(text), out.write_stop();
      expect_same(sample_type("Every"), bytes);
    }
}

TEST(fast_json_writer, keys_in_every_order) {
  std::mt19937 random(9);
  for (int i = 0; i < 4000; ++i) {
    tl::buffer bytes;
    tl::binary::writer out(bytes);
    const auto count = static_cast<std::uint32_t>(random() % 12),
               kinds = static_cast<std::uint32_t>(1 + random() % 30);
    out.write_field(tl::ttype::map, 14), out.write_map({tl::ttype::string, tl::ttype::i64, count});
    for (std::uint32_t n = 0; n < count; ++n) {
      std::string key = std::to_string(random() % kinds * 37);
      if (i % 3 == 0) key = std::string(random() % 12, 'k') + std::string(random() % 2, '\0') + key;
      out.write_bytes(key), out.write_i64(n);
    }
    out.write_field(tl::ttype::map, 15), out.write_map({tl::ttype::i32, tl::ttype::struct_, count});
    for (std::uint32_t n = 0; n < count; ++n)
      out.write_i32(static_cast<std::int32_t>(random() % kinds) - 5), out.write_stop();
    out.write_stop();
    expect_same(sample_type("Every"), bytes);
  }
}

namespace {

// Whether the ids of the outermost struct do.
bool ascends(const std::string& bytes) {
  tl::binary::reader in{tl::byte_view(bytes), tl::limits{}};
  std::int32_t last = -0x8001;
  tl::field_header field;
  while (in.read_field(field) && field.type != tl::ttype::stop) {
    if (field.id <= last || !in.skip(field.type)) return false;
    last = field.id;
  }
  return true;
}

// Of structs with several fields: the first, all but the first, every second.
std::vector<tl::selection> parts_of(const tl::type& of) {
  const auto fields = of.fields();
  const std::string first(fields[0].name());
  std::string second = "{";
  for (std::size_t i = 1; i < fields.size(); i += 2) second += ' ' + std::string(fields[i].name());
  std::vector<tl::selection> items;
  for (const std::string& text : {"{ " + first + " }", "{ -" + first + " }", second + " }"})
    items.push_back(tl::selection::compile(of, text));
  if (of.name() == "Every") {
    items.push_back(tl::selection::compile(
        of,
        "{ point { y } by_id { x } points { y } picks { p { x } } by_point by_name by_short pick { i } }"));
    items.push_back(tl::selection::compile(of, "{ by_bool by_double by_uuid b s color }"));
  }
  if (of.name() == "Tree")
    items.push_back(tl::selection::compile(of, "{ kids { v named { kids { v } } } named { v } }"));
  return items;
}

}  // namespace

TEST(fast_json_writer, selected_parts_of_every_type_in_every_form) {
  for (const written_sample& sample : samples()) {
    for (const tl::selection& selected : parts_of(sample.of)) {
      if (!ascends(sample.bytes)) expect_same_or_left(sample.of, sample.bytes, {.select = &selected});
      if (!ascends(sample.bytes)) continue;
      for (tl::to_json_options options : forms()) {
        options.select = &selected;
        expect_same(sample.of, at_page_end(sample.bytes).bytes(), options);
      }
      const tl::to_json_options plain{.select = &selected};
      for (std::uint32_t bound = 0; bound < 6; ++bound)
        expect_same(sample.of, sample.bytes, plain, {.depth = bound});
      for (std::size_t bound = 0; bound < 200; bound += 7)
        expect_same(sample.of, sample.bytes, plain, {.output_size = bound});
      tl::buffer out;
      EXPECT_TRUE(
          tl::detail::fast_json_writer(sample.bytes, *sample.of.image(), out, plain, {}).run(sample.of))
          << sample.of.name();
    }
  }
}

TEST(fast_json_writer, selected_parts_of_bytes_truncated_or_changed_at_every_position) {
  std::mt19937 random(15);
  for (const written_sample& sample : samples()) {
    at_page_end memory(sample.bytes + '\0');
    for (const tl::selection& selected : parts_of(sample.of)) {
      const tl::to_json_options plain{.select = &selected};
      for (std::size_t size = 0; size <= sample.bytes.size() + 1; ++size) {
        memory.put((sample.bytes + '\0').substr(0, size));
        expect_same_or_left(sample.of, memory.bytes(), plain);
      }
      for (std::size_t at = 0; at < sample.bytes.size(); ++at)
        for (unsigned change : {1u, 4u, 0x80u, static_cast<unsigned>(random())}) {
          std::string bytes = sample.bytes;
          bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ change);
          memory.put(bytes);
          expect_same_or_left(sample.of, memory.bytes(), plain);
        }
    }
  }
}
