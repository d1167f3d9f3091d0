// The sample vectors: valid ones both ways, malicious ones with their outcome, truncated ones as errors.
#include <thriftlens/json.hpp>

#include "json/counted_memory.hpp"
#include "json/same_json.hpp"
#include "json/samples.hpp"
#include "support/cases.hpp"
#include "support/shared.hpp"
#include "support/test.hpp"

#include <cstdio>

namespace fs = std::filesystem;
using thriftlens_test::same_json;

namespace {

using thriftlens_test::vectors_dir;

std::string contents(const fs::path& path) {
  if (path.extension() != ".gz") return thriftlens_test::read_file(path);
  std::string text;
  FILE* pipe = popen(("gzip -dc '" + path.string() + "'").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("gzip");
  char block[65536];
  for (std::size_t size = 0; (size = fread(block, 1, sizeof block, pipe)) != 0;) text.append(block, size);
  pclose(pipe);
  return text;
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
    samples = new loaded;
    simdjson::dom::parser parser;
    const simdjson::dom::element manifest = parser.load((vectors_dir() / "manifest.json").string());
    for (const char* name : {"open", "uuids"})
      samples->schemas.emplace(name,
                               tl::schema::load((vectors_dir() / (std::string(name) + ".thrift")).string()));
    for (simdjson::dom::element item : manifest["valid"].get_array()) {
      for (const char* protocol : {"binary", "compact"}) {
        vector entry = common(item);
        entry.protocol = protocol;
        entry.file = vectors_dir() / std::string(std::string_view(item["encodings"][protocol]["file"]));
        entry.plain = vectors_dir() / std::string(std::string_view(item["plain"]["file"]));
        samples->valid.push_back(entry);
      }
    }
    for (simdjson::dom::element item : manifest["malicious"].get_array()) {
      vector entry;
      const std::string_view surface = item["surface"];
      if (surface != "thrift" && surface != "json") continue;
      entry = common(item);
      entry.surface = surface;
      entry.expect = std::string_view(item["expect"]);
      entry.protocol = surface == "json" ? "binary" : std::string_view(item["protocol"]);
      entry.file = vectors_dir() / std::string(std::string_view(item["file"]));
      samples->malicious.push_back(entry);
    }
  }
  static void TearDownTestSuite() { delete samples; }

  struct loaded {
    std::map<std::string, tl::schema> schemas;
    std::vector<vector> valid, malicious;
  };
  static loaded* samples;

 private:
  static vector common(simdjson::dom::element item) {
    vector entry;
    entry.id = std::string_view(item["id"]);
    entry.struct_name = std::string_view(item["struct"]);
    entry.type = samples->schemas.at(std::string(std::string_view(item["schema"]))).type(entry.struct_name);
    std::string_view option;
    if (item["options"]["nonfinite"].get(option) == simdjson::SUCCESS && option == "string")
      entry.out.leniency.nonfinite = entry.in.leniency.nonfinite = tl::json_nonfinite::string;
    if (item["options"]["unknown"].get(option) == simdjson::SUCCESS && option == "skip")
      entry.in.leniency.unknown = tl::on_unknown::drop;
    return entry;
  }
};
sample_vectors::loaded* sample_vectors::samples = nullptr;

tl::protocol_id protocol_of(const vector& entry) { return *tl::detail::find_protocol(entry.protocol); }

}  // namespace

TEST_F(sample_vectors, to_json_equals_the_plain_json) {
  ASSERT_EQ(samples->valid.size(), 2 * thriftlens_test::vector_count("valid"));
  ASSERT_GT(samples->valid.size(), 400u);
  for (const vector& entry : samples->valid) {
    const std::string raw = contents(entry.file), plain = contents(entry.plain);
    const tl::result<tl::buffer> json = tl::try_to_json(protocol_of(entry), entry.type, raw, entry.out);
    ASSERT_TRUE(json.has_value()) << entry.id << ' ' << entry.protocol << ": " << json.error().what();
    EXPECT_TRUE(same_json(json->text(), plain)) << entry.id << ' ' << entry.protocol;
  }
}

// All of them are canonical: JSON keeps the order of the wire, and Apache writes the shortest form.
TEST_F(sample_vectors, from_json_gives_the_identical_bytes) {
  for (const vector& entry : samples->valid) {
    const std::string raw = contents(entry.file), plain = contents(entry.plain);
    const tl::result<tl::buffer> bytes = tl::try_from_json(protocol_of(entry), entry.type, plain, entry.in);
    ASSERT_TRUE(bytes.has_value()) << entry.id << ' ' << entry.protocol << ": " << bytes.error().what();
    const tl::result<tl::buffer> json = tl::try_to_json(protocol_of(entry), entry.type, *bytes, entry.out);
    ASSERT_TRUE(json.has_value()) << entry.id;
    EXPECT_TRUE(same_json(json->text(), plain)) << entry.id;
    EXPECT_TRUE(bytes->text() == raw) << entry.id << ' ' << entry.protocol;
    const tl::result<tl::buffer> second =
        tl::try_from_json(protocol_of(entry), entry.type, json->text(), entry.in);
    ASSERT_TRUE(second.has_value()) << entry.id << ": " << second.error().what();
    EXPECT_EQ(second->text(), bytes->text()) << entry.id;
  }
}

// Unknown fields are retained for a type without fields, or with struct fields only.
TEST_F(sample_vectors, unknown_fields_come_back_as_the_identical_bytes) {
  static const tl::schema none = tl::schema::parse("struct None {}");
  for (const vector& entry : samples->valid) {
    const std::string raw = contents(entry.file);
    for (const tl::type type : {none.type("None"), entry.type}) {
      const tl::to_json_options out{
          .leniency = {.unknown = tl::on_unknown::keep, .nonfinite = tl::json_nonfinite::string}};
      const tl::from_json_options in{
          .leniency = {.unknown = tl::on_unknown::keep, .nonfinite = tl::json_nonfinite::string}};
      const tl::result<tl::buffer> json = tl::try_to_json(protocol_of(entry), type, raw, out);
      ASSERT_TRUE(json.has_value()) << entry.id << ' ' << entry.protocol << ": " << json.error().what();
      const tl::result<tl::buffer> bytes = tl::try_from_json(protocol_of(entry), type, json->text(), in);
      ASSERT_TRUE(bytes.has_value()) << entry.id << ' ' << entry.protocol << ": " << bytes.error().what();
      EXPECT_TRUE(bytes->text() == raw) << entry.id << ' ' << entry.protocol;
    }
  }
}

TEST_F(sample_vectors, malicious_ones_have_the_expected_outcome_within_limits) {
  ASSERT_GT(samples->malicious.size(), 350u);
  for (const vector& entry : samples->malicious) {
    const std::string raw = contents(entry.file);
    const std::size_t previous_size = thriftlens_test::held_bytes();
    thriftlens_test::reset_peak();
    tl::buffer out;
    const tl::result<void> status =
        entry.surface == "json" ? tl::try_append_from_json(protocol_of(entry), entry.type, raw, out, entry.in)
                                : tl::try_append_json(protocol_of(entry), entry.type, raw, out, entry.out);
    // While a buffer grows, the old and the new memory may both be allocated: capacity x 1.5.
    const std::size_t held =
        thriftlens_test::peak_bytes() - previous_size + out.capacity() + out.capacity() / 2;
    EXPECT_LT(held, (std::size_t{16} << 20) + 8 * raw.size()) << entry.id;
    if (entry.expect == "ok") {
      EXPECT_TRUE(status.has_value()) << entry.id << ": " << status.error().what();
    }
    if (entry.expect == "error") {
      EXPECT_FALSE(status.has_value()) << entry.id << ' ' << out.text().substr(0, 200);
    }
    if (!status) {
      EXPECT_NE(status.error().code(), tl::errc::ok) << entry.id;
      EXPECT_LE(status.error().offset(), raw.size()) << entry.id;
      EXPECT_TRUE(out.empty()) << entry.id;
    } else if (entry.surface == "thrift") {
      simdjson::dom::parser parser;
      EXPECT_EQ(parser.parse(simdjson::padded_string(out.text())).error(), simdjson::SUCCESS) << entry.id;
    }
  }
}

// Decisions of this library where the vectors allow `either`.
TEST_F(sample_vectors, rulings) {
  std::map<std::string, std::map<bool, int>> seen;
  for (const vector& entry : samples->malicious) {
    if (entry.expect != "either") continue;
    const std::string raw = contents(entry.file);
    tl::buffer out;
    const bool taken =
        entry.surface == "json"
            ? tl::try_append_from_json(protocol_of(entry), entry.type, raw, out, entry.in).has_value()
            : tl::try_append_json(protocol_of(entry), entry.type, raw, out, entry.out).has_value();
    ++seen[entry.id.substr(6)][taken];
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

TEST_F(sample_vectors, truncated_ones_are_errors_without_reading_past_the_end) {
  constexpr std::size_t stride = thriftlens_test::is_sanitized ? 3 : 1;
  std::size_t cases = 0;
  for (const vector& entry : samples->valid) {
    const std::string raw = contents(entry.file), plain = contents(entry.plain);
    const std::size_t shortest = cases % stride;  // differs from sample to sample
    if (raw.size() <= 4096) {
      thriftlens_test::at_page_end page(raw);
      for (std::size_t size = shortest; size < raw.size(); size += stride, ++cases) {
        page.put(std::string_view(raw).substr(0, size));
        tl::buffer out;
        ASSERT_FALSE(tl::try_append_json(protocol_of(entry), entry.type, page.bytes(), out, entry.out))
            << entry.id << ' ' << entry.protocol << ' ' << size;
        ASSERT_TRUE(out.empty());
      }
    }
    if (plain.size() <= 4096 && entry.protocol == "binary") {
      thriftlens_test::at_page_end page(plain);
      for (std::size_t size = shortest; size < plain.size(); size += stride, ++cases) {
        page.put(std::string_view(plain).substr(0, size));
        tl::buffer out;
        ASSERT_FALSE(tl::try_append_from_json(protocol_of(entry), entry.type, page.text(), out, entry.in))
            << entry.id << ' ' << size;
      }
    }
  }
  EXPECT_GT(cases, 80000u / stride);
}

TEST_F(sample_vectors, complete_ones_do_not_read_past_the_end) {
  for (const vector& entry : samples->valid) {
    const std::string raw = contents(entry.file), plain = contents(entry.plain);
    const thriftlens_test::at_page_end bytes(raw), text(plain);
    EXPECT_TRUE(tl::try_to_json(protocol_of(entry), entry.type, bytes.bytes(), entry.out).has_value())
        << entry.id;
    EXPECT_TRUE(tl::try_from_json(protocol_of(entry), entry.type, text.text(), entry.in).has_value())
        << entry.id;
  }
  for (const vector& entry : samples->malicious) {
    const std::string raw = contents(entry.file);
    const thriftlens_test::at_page_end page(raw);
    tl::buffer out;
    static_cast<void>(
        entry.surface == "json"
            ? tl::try_append_from_json(protocol_of(entry), entry.type, page.text(), out, entry.in)
            : tl::try_append_json(protocol_of(entry), entry.type, page.bytes(), out, entry.out));
  }
}

TEST(payloads, medium_both_ways) {
  const fs::path folder = thriftlens_test::samples_dir() / "payloads";
  const tl::schema schema = tl::schema::load((folder / "baseline.thrift").string());
  const struct {
    const char* type;
    const char* name;
  } all[] = {{"Simple", "small"}, {"Nesting", "medium"}};
  for (const auto& item : all) {
    const tl::type type = schema.type(item.type);
    const std::string raw = contents(folder / (std::string(item.name) + ".bin"));
    const std::string t2j = contents(folder / (std::string(item.name) + ".t2j.json"));
    const std::string j2t = contents(folder / (std::string(item.name) + ".json"));
    EXPECT_TRUE(same_json(tl::to_json<tl::binary>(type, raw).str(), t2j));
    EXPECT_EQ(tl::from_json<tl::binary>(type, t2j).str(), raw);
    EXPECT_EQ(tl::from_json<tl::binary>(type, j2t).size(), raw.size());
    const tl::buffer other = tl::from_json<tl::binary>(type, j2t);
    EXPECT_TRUE(same_json(tl::to_json<tl::binary>(type, other).str(), j2t));
    const tl::buffer small = tl::from_json<tl::compact>(type, t2j);
    EXPECT_EQ(tl::to_json<tl::compact>(type, small).str(), tl::to_json<tl::binary>(type, raw).str());
  }
}
