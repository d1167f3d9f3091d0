// The sample vectors: valid ones both ways, malicious ones in their class, cut ones refused.
#include <thriftlens/json.hpp>
#include <thriftlens/json/read.hpp>
#include <thriftlens/schema/schema.hpp>

#include "json/counted_memory.hpp"
#include "json/same_json.hpp"
#include "json/samples.hpp"
#include "support/shared.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace tl = thriftlens;
namespace fs = std::filesystem;
using thriftlens_test::same_json;

namespace {

using thriftlens_test::vectors_dir;

std::string contents(const fs::path& path) {
  if (path.extension() != ".gz") return thriftlens_test::read_file(path);
  std::string all;
  FILE* pipe = popen(("gzip -dc '" + path.string() + "'").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("gzip");
  char block[65536];
  for (std::size_t size = 0; (size = fread(block, 1, sizeof block, pipe)) != 0;) all.append(block, size);
  pclose(pipe);
  return all;
}

struct vector {
  std::string id, protocol, expect, json_type, struct_name, surface;
  fs::path file, plain;
  tl::type type;
  tl::to_json_options out;
  tl::from_json_options in;
};

class sample_vectors : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    all = new loaded;
    simdjson::dom::parser parser;
    const simdjson::dom::element manifest = parser.load((vectors_dir() / "manifest.json").string());
    for (const char* name : {"open", "uuids"})
      all->schemas.emplace(name,
                           tl::schema::load((vectors_dir() / (std::string(name) + ".thrift")).string()));
    for (simdjson::dom::element each : manifest["valid"].get_array()) {
      for (const char* protocol : {"binary", "compact"}) {
        vector one = common(each);
        one.protocol = protocol;
        one.file = vectors_dir() / std::string(std::string_view(each["encodings"][protocol]["file"]));
        one.plain = vectors_dir() / std::string(std::string_view(each["plain"]["file"]));
        all->valid.push_back(one);
      }
    }
    for (simdjson::dom::element each : manifest["malicious"].get_array()) {
      vector one;
      const std::string_view surface = each["surface"];
      if (surface != "thrift" && surface != "json") continue;
      one = common(each);
      one.surface = surface;
      one.expect = std::string_view(each["expect"]);
      one.protocol = surface == "json" ? "binary" : std::string_view(each["protocol"]);
      one.file = vectors_dir() / std::string(std::string_view(each["file"]));
      all->malicious.push_back(one);
    }
  }
  static void TearDownTestSuite() { delete all; }

  struct loaded {
    std::map<std::string, tl::schema> schemas;
    std::vector<vector> valid, malicious;
  };
  static loaded* all;

 private:
  static vector common(simdjson::dom::element each) {
    vector one;
    one.id = std::string_view(each["id"]);
    one.struct_name = std::string_view(each["struct"]);
    one.type = all->schemas.at(std::string(std::string_view(each["schema"]))).type(one.struct_name);
    std::string_view option;
    if (each["options"]["nonfinite"].get(option) == simdjson::SUCCESS && option == "string")
      one.out.nonfinite = one.in.nonfinite = tl::json_nonfinite::string;
    if (each["options"]["unknown"].get(option) == simdjson::SUCCESS && option == "skip")
      one.in.unknown = tl::on_unknown::drop;
    return one;
  }
};
sample_vectors::loaded* sample_vectors::all = nullptr;

tl::protocol_id protocol_of(const vector& one) { return *tl::detail::find_protocol(one.protocol); }

template <class Protocol>
tl::result<tl::buffer> by_simdjson(tl::type type, std::string_view json,
                                   const tl::from_json_options& options) {
  tl::buffer out;
  const tl::limits bounds;
  tl::result<void> done = tl::detail::json_reader<Protocol>(json, *type.image(), out, options, bounds)
                              .run(type, tl::detail::text_source::stage::always);
  if (!done) return done.error();
  return out;
}
tl::result<tl::buffer> by_simdjson(tl::protocol_id which, tl::type type, std::string_view json,
                                   const tl::from_json_options& options) {
  return which == tl::protocol_id::binary ? by_simdjson<tl::binary>(type, json, options)
                                          : by_simdjson<tl::compact>(type, json, options);
}

}  // namespace

TEST_F(sample_vectors, to_json_equals_the_plain_json) {
  ASSERT_EQ(all->valid.size(), 2 * thriftlens_test::vector_count("valid"));
  ASSERT_GT(all->valid.size(), 400u);
  for (const vector& one : all->valid) {
    const std::string raw = contents(one.file), plain = contents(one.plain);
    const tl::result<tl::buffer> json = tl::try_to_json(protocol_of(one), one.type, raw, one.out);
    ASSERT_TRUE(json.has_value()) << one.id << ' ' << one.protocol << ": " << json.error().what();
    EXPECT_TRUE(same_json(json->text(), plain)) << one.id << ' ' << one.protocol;
  }
}

// All of them are canonical: JSON keeps the order of the wire, and Apache writes the shortest form.
TEST_F(sample_vectors, from_json_gives_the_identical_bytes) {
  for (const vector& one : all->valid) {
    const std::string raw = contents(one.file), plain = contents(one.plain);
    for (const bool direct : {true, false}) {
      const tl::result<tl::buffer> bytes = direct
                                               ? tl::try_from_json(protocol_of(one), one.type, plain, one.in)
                                               : by_simdjson(protocol_of(one), one.type, plain, one.in);
      ASSERT_TRUE(bytes.has_value()) << one.id << ' ' << one.protocol << ": " << bytes.error().what();
      const tl::result<tl::buffer> json = tl::try_to_json(protocol_of(one), one.type, *bytes, one.out);
      ASSERT_TRUE(json.has_value()) << one.id;
      EXPECT_TRUE(same_json(json->text(), plain)) << one.id;
      EXPECT_TRUE(bytes->text() == raw) << one.id << ' ' << one.protocol;
      const tl::result<tl::buffer> again =
          tl::try_from_json(protocol_of(one), one.type, json->text(), one.in);
      ASSERT_TRUE(again.has_value()) << one.id << ": " << again.error().what();
      EXPECT_EQ(again->text(), bytes->text()) << one.id;
    }
  }
}

// As if the IDL knew nothing, or only structs: what is in them is kept.
TEST_F(sample_vectors, unknown_fields_come_back_as_the_identical_bytes) {
  static const tl::schema none = tl::schema::parse("struct None {}");
  for (const vector& one : all->valid) {
    const std::string raw = contents(one.file);
    for (const tl::type type : {none.type("None"), one.type}) {
      const tl::to_json_options out{.nonfinite = tl::json_nonfinite::string, .unknown = tl::on_unknown::keep};
      const tl::from_json_options in{.unknown = tl::on_unknown::keep,
                                     .nonfinite = tl::json_nonfinite::string};
      const tl::result<tl::buffer> json = tl::try_to_json(protocol_of(one), type, raw, out);
      ASSERT_TRUE(json.has_value()) << one.id << ' ' << one.protocol << ": " << json.error().what();
      const tl::result<tl::buffer> bytes = tl::try_from_json(protocol_of(one), type, json->text(), in);
      ASSERT_TRUE(bytes.has_value()) << one.id << ' ' << one.protocol << ": " << bytes.error().what();
      EXPECT_TRUE(bytes->text() == raw) << one.id << ' ' << one.protocol;
      const tl::result<tl::buffer> other = by_simdjson(protocol_of(one), type, json->text(), in);
      EXPECT_TRUE(other.has_value() && other->text() == raw) << one.id << ' ' << one.protocol;
    }
  }
}

TEST_F(sample_vectors, malicious_ones_end_in_their_class_within_bounds) {
  ASSERT_GT(all->malicious.size(), 350u);
  for (const vector& one : all->malicious) {
    const std::string raw = contents(one.file);
    const std::size_t before = thriftlens_test::held_bytes();
    thriftlens_test::reset_peak();
    tl::buffer out;
    const tl::result<void> done = one.surface == "json"
                                      ? tl::try_append_from_json(protocol_of(one), one.type, raw, out, one.in)
                                      : tl::try_append_json(protocol_of(one), one.type, raw, out, one.out);
    // While a buffer grows, the old and the new memory may both be held: capacity x 1.5.
    const std::size_t held = thriftlens_test::peak_bytes() - before + out.capacity() + out.capacity() / 2;
    EXPECT_LT(held, (std::size_t{16} << 20) + 8 * raw.size()) << one.id;
    if (one.expect == "ok") {
      EXPECT_TRUE(done.has_value()) << one.id << ": " << done.error().what();
    }
    if (one.expect == "error") {
      EXPECT_FALSE(done.has_value()) << one.id << ' ' << out.text().substr(0, 200);
    }
    if (!done) {
      EXPECT_NE(done.error().code(), tl::errc::ok) << one.id;
      EXPECT_LE(done.error().offset(), raw.size()) << one.id;
      EXPECT_TRUE(out.empty()) << one.id;
    } else if (one.surface == "thrift") {
      simdjson::dom::parser parser;
      EXPECT_EQ(parser.parse(simdjson::padded_string(out.text())).error(), simdjson::SUCCESS) << one.id;
    }
    if (one.surface == "json") {
      const tl::result<tl::buffer> other = by_simdjson(protocol_of(one), one.type, raw, one.in);
      EXPECT_EQ(other.has_value(), done.has_value()) << one.id;
      if (done && other) {
        EXPECT_TRUE(other->text() == out.text()) << one.id;
      }
    }
  }
}

// What this library decided where the vectors say `either`.
TEST_F(sample_vectors, rulings) {
  std::map<std::string, std::map<bool, int>> seen;
  for (const vector& one : all->malicious) {
    if (one.expect != "either") continue;
    const std::string raw = contents(one.file);
    tl::buffer out;
    const bool taken =
        one.surface == "json"
            ? tl::try_append_from_json(protocol_of(one), one.type, raw, out, one.in).has_value()
            : tl::try_append_json(protocol_of(one), one.type, raw, out, one.out).has_value();
    ++seen[one.id.substr(6)][taken];
  }
  using counts = std::map<bool, int>;
  EXPECT_EQ(seen.at("wire_mismatch").count(true), 0u);
  EXPECT_EQ(seen.at("utf8").count(true), 0u);
  EXPECT_EQ(seen.at("trailing").count(true), 0u);
  EXPECT_EQ(seen.at("nonfinite").count(true), 0u);
  EXPECT_EQ(seen.at("bool").count(false), 0u);
  EXPECT_EQ(seen.at("field_id").count(true), 0u);  // duplicate fields
  EXPECT_EQ(seen.at("dup").count(true), 0u);       // map keys and set elements
  EXPECT_EQ(seen.at("union").count(false), 0u);    // none set
  EXPECT_EQ(seen.at("empty_type0").count(false), 0u);
  EXPECT_EQ(seen.at("json_base64").count(true), 0u);
  EXPECT_EQ(seen.at("json_obj").count(true), 0u);
  EXPECT_EQ(seen.at("json_required").count(true), 0u);
  EXPECT_EQ(seen.at("json_union"), (counts{{false, 1}, {true, 1}}));
  EXPECT_EQ(seen.at("json_enum").count(false), 0u);
}

TEST_F(sample_vectors, cut_anywhere_they_are_refused_and_nothing_is_read_behind_them) {
  std::size_t cases = 0;
  for (const vector& one : all->valid) {
    const std::string raw = contents(one.file), plain = contents(one.plain);
    if (raw.size() <= 4096) {
      thriftlens_test::at_page_end page(raw);
      for (std::size_t size = 0; size < raw.size(); ++size, ++cases) {
        page.put(std::string_view(raw).substr(0, size));
        tl::buffer out;
        ASSERT_FALSE(tl::try_append_json(protocol_of(one), one.type, page.bytes(), out, one.out))
            << one.id << ' ' << one.protocol << ' ' << size;
        ASSERT_TRUE(out.empty());
      }
    }
    if (plain.size() <= 4096 && one.protocol == "binary") {
      thriftlens_test::at_page_end page(plain);
      for (std::size_t size = 0; size < plain.size(); ++size, ++cases) {
        page.put(std::string_view(plain).substr(0, size));
        tl::buffer out;
        ASSERT_FALSE(tl::try_append_from_json(protocol_of(one), one.type, page.text(), out, one.in))
            << one.id << ' ' << size;
        ASSERT_FALSE(by_simdjson(protocol_of(one), one.type, page.text(), one.in).has_value())
            << one.id << ' ' << size;
      }
    }
  }
  EXPECT_GT(cases, 80000u);
}

TEST_F(sample_vectors, whole_ones_right_before_memory_that_cannot_be_read) {
  for (const vector& one : all->valid) {
    const std::string raw = contents(one.file), plain = contents(one.plain);
    const thriftlens_test::at_page_end bytes(raw), text(plain);
    EXPECT_TRUE(tl::try_to_json(protocol_of(one), one.type, bytes.bytes(), one.out).has_value()) << one.id;
    EXPECT_TRUE(tl::try_from_json(protocol_of(one), one.type, text.text(), one.in).has_value()) << one.id;
    EXPECT_TRUE(by_simdjson(protocol_of(one), one.type, text.text(), one.in).has_value()) << one.id;
  }
  for (const vector& one : all->malicious) {
    const std::string raw = contents(one.file);
    const thriftlens_test::at_page_end page(raw);
    tl::buffer out;
    static_cast<void>(one.surface == "json"
                          ? tl::try_append_from_json(protocol_of(one), one.type, page.text(), out, one.in)
                          : tl::try_append_json(protocol_of(one), one.type, page.bytes(), out, one.out));
  }
}

TEST(payloads, medium_both_ways) {
  const fs::path folder = thriftlens_test::samples_dir() / "payloads";
  const tl::schema schema = tl::schema::load((folder / "baseline.thrift").string());
  const struct {
    const char* type;
    const char* name;
  } all[] = {{"Simple", "small"}, {"Nesting", "medium"}};
  for (const auto& each : all) {
    const tl::type type = schema.type(each.type);
    const std::string raw = contents(folder / (std::string(each.name) + ".bin"));
    const std::string t2j = contents(folder / (std::string(each.name) + ".t2j.json"));
    const std::string j2t = contents(folder / (std::string(each.name) + ".json"));
    EXPECT_TRUE(same_json(tl::to_json<tl::binary>(type, raw).str(), t2j));
    EXPECT_EQ(tl::from_json<tl::binary>(type, t2j).str(), raw);
    EXPECT_EQ(tl::from_json<tl::binary>(type, j2t).size(), raw.size());
    const tl::buffer other = tl::from_json<tl::binary>(type, j2t);
    EXPECT_TRUE(same_json(tl::to_json<tl::binary>(type, other).str(), j2t));
    const tl::buffer small = tl::from_json<tl::compact>(type, t2j);
    EXPECT_EQ(tl::to_json<tl::compact>(type, small).str(), tl::to_json<tl::binary>(type, raw).str());
  }
}
