// The sample vectors, read without a schema.
#include "vectors.hpp"
#include "support/test.hpp"

#include "value.hpp"

using thriftlens_test::vector_row, tl::errc, tl::ttype;

namespace {

template <class Protocol>
void check_valid(const std::string& bytes, const std::string& name) {
  typename Protocol::reader walking{tl::byte_view(bytes)}, skipping{tl::byte_view(bytes)},
      reading{tl::byte_view(bytes)};
  ASSERT_TRUE(thriftlens_test::walk(walking, ttype::struct_)) << name;
  ASSERT_TRUE(walking.at_end()) << name;
  ASSERT_TRUE(skipping.skip(ttype::struct_)) << name;
  ASSERT_TRUE(skipping.at_end()) << name;
  const std::size_t step = bytes.size() <= 4096 ? 1 : bytes.size() / 512;
  for (std::size_t size = 0; size < bytes.size(); size += step) {
    const std::string cut = bytes.substr(0, size);
    typename Protocol::reader cut_walking{tl::byte_view(cut)}, cut_skipping{tl::byte_view(cut)};
    ASSERT_FALSE(thriftlens_test::walk(cut_walking, ttype::struct_)) << name << ' ' << size;
    ASSERT_FALSE(cut_skipping.skip(ttype::struct_)) << name << ' ' << size;
  }
}

// The codes that a kind of the manifest allows, as far as the wire alone can show it.
const std::map<std::string, std::vector<errc>> wire_kinds = {{"eof", {errc::truncated}},
                                                             {"negative_size", {errc::negative_size}},
                                                             {"bad_type", {errc::bad_ttype}},
                                                             {"depth", {errc::depth_limit}},
                                                             {"varint_overflow", {errc::bad_varint}},
                                                             {"field_id", {errc::bad_field_id}},
                                                             {"size_limit", {errc::size_limit}},
                                                             {"int_range", {errc::bad_varint}}};

template <class Protocol>
void check_malicious(const vector_row& row) {
  const std::string bytes = thriftlens_test::read_vector(row.text("file"));
  typename Protocol::reader walking{tl::byte_view(bytes)}, skipping{tl::byte_view(bytes)};
  const bool walked = thriftlens_test::walk(walking, ttype::struct_);
  const bool skipped = skipping.skip(ttype::struct_);
  EXPECT_EQ(walked, skipped) << row.json;
  if (row.text("expect") == "ok") {
    EXPECT_TRUE(walked) << row.json << ' ' << to_string(walking.fault().code);
  }
  if (row.text("expect") != "error") return;
  std::vector<errc> allowed;
  bool wire_only = true;
  for (const auto& [kind, codes] : wire_kinds)
    if (row.has('"' + kind + '"')) allowed.insert(allowed.end(), codes.begin(), codes.end());
  for (const char* other : {"type_mismatch", "missing_required"})
    if (row.has('"' + std::string(other) + '"')) wire_only = false;
  if (wire_only) {
    EXPECT_FALSE(walked) << row.json;
  }
  for (const auto& in : {walking, skipping})
    if (in.failed()) {
      EXPECT_TRUE(std::find(allowed.begin(), allowed.end(), in.fault().code) != allowed.end())
          << row.json << ' ' << to_string(in.fault().code) << ' ' << in.fault().offset;
    }
}

}  // namespace

TEST(wire_vectors, valid_ones_are_read_and_truncated_ones_rejected) {
  std::size_t binary = 0, compact = 0;
  for (const auto& entry : std::filesystem::directory_iterator(thriftlens_test::vectors_dir() / "valid")) {
    const std::string file = "valid/" + entry.path().filename().string();
    const std::string name = entry.path().filename().string();
    if (name.find(".bin") != std::string::npos)
      ++binary, check_valid<tl::binary>(thriftlens_test::read_vector(file), name);
    if (name.find(".cmp") != std::string::npos)
      ++compact, check_valid<tl::compact>(thriftlens_test::read_vector(file), name);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(binary, thriftlens_test::vector_count("valid"));
  EXPECT_EQ(compact, binary);
  EXPECT_GE(binary, 200u);
}

TEST(wire_vectors, malicious_ones_fail_as_they_should) {
  int checked = 0;
  for (const vector_row& row : thriftlens_test::vector_rows("malicious")) {
    if (row.text("surface") != "thrift") continue;
    if (row.text("protocol") == "binary")
      check_malicious<tl::binary>(row);
    else if (row.text("protocol") == "compact")
      check_malicious<tl::compact>(row);
    else
      continue;
    ++checked;
  }
  EXPECT_GE(checked, 150);
}
