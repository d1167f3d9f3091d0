// The loader on real files, and on invalid ones as described in tests/data/README.md.
#include "idl_support.hpp"
#include "support/test.hpp"

#include "support/shared.hpp"

#include <filesystem>
#include <sstream>

using namespace thriftlens_test;
namespace fs = std::filesystem;

namespace {

using row = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (char each : text) {
    if (each == at) {
      parts.emplace_back();
    } else {
      parts.back() += each;
    }
  }
  return parts;
}
std::vector<row> read_table(const fs::path& file) {
  std::istringstream in(read_file(file));
  std::string line;
  std::getline(in, line);
  const auto names = split(line, '\t');
  std::vector<row> rows;
  while (std::getline(in, line)) {
    const auto cells = split(line, '\t');
    row each;
    for (std::size_t i = 0; i < names.size(); ++i) each[names[i]] = i < cells.size() ? cells[i] : "";
    rows.push_back(each);
  }
  return rows;
}
idl::load_options options_of(const row& file, const fs::path& corpus) {
  idl::load_options options;
  for (const std::string& each : split(file.at("include_dirs"), ':')) {
    if (!each.empty()) options.include_dirs.push_back((corpus / each).string());
  }
  return options;
}

/// Files without a golden dump that other parsers accept and this one rejects, with the kind of the first
/// error.
const std::map<std::string, std::string> refused = {
    {"apache-thrift/test/BrokenConstants.thrift", "number-range"},
    {"pilota/pilota-build/test_data/thrift/auto_name.thrift", "not-an-exception"},
    {"pilota/pilota-build/test_data/thrift_with_field_mask/struct_init_with_field_mask.thrift",
     "const-field"},
    {"scrooge/scrooge-linter/src/test/thrift/warn/non_optimal_service_methods_exceptions.thrift",
     "not-an-exception"},
    {"thriftpy2/tests/parser-cases/e_structs_1.thrift", "const-field"},
    {"thriftpy2/tests/parser-cases/e_type_error_0.thrift", "const-type"},
    {"thriftpy2/tests/parser-cases/e_type_error_1.thrift", "const-type"},
    {"thriftpy2/tests/parser-cases/e_type_error_2.thrift", "const-type"},
};

std::vector<thriftlens::diagnostic> errors_in(const thriftlens::error& reason) {
  std::vector<thriftlens::diagnostic> all;
  for (const auto& each : reason.diagnostics()) {
    if (each.severity == thriftlens::diagnostic::level::error) all.push_back(each);
  }
  return all;
}
std::string first_error(const thriftlens::error& reason) {
  const auto all = errors_in(reason);
  return all.empty() ? "none" : all[0].kind;
}

TEST(corpus, files_accepted_by_other_parsers_load) {
  SKIP_WITHOUT_CORPUS();
  const fs::path corpus = corpus_dir();
  int golden = 0, lenient = 0;
  for (const row& file : read_table(corpus / "open" / "MANIFEST.tsv")) {
    const std::string& path = file.at("path");
    auto loaded = idl::try_load((corpus / path).string(), options_of(file, corpus));
    if (file.at("golden") == "yes") {
      ++golden;
      EXPECT_TRUE(loaded) << path << '\n' << loaded.error().what();
    } else if (auto known = refused.find(path.substr(5)); known != refused.end()) {
      ASSERT_FALSE(loaded) << path;
      EXPECT_EQ(first_error(loaded.error()), known->second) << path;
    } else if (file.at("thriftgo") == "yes" || file.at("thriftpy2") == "yes") {
      ++lenient;
      EXPECT_TRUE(loaded) << path << '\n' << loaded.error().what();
    }
  }
  EXPECT_EQ(golden, 646);
  EXPECT_EQ(lenient, 44);
}

TEST(corpus, invalid_test_files_are_rejected) {
  SKIP_WITHOUT_CORPUS();
  const fs::path corpus = corpus_dir() / "open";
  for (auto [path, kind] :
       {std::pair("thriftpy2/tests/parser-cases/e_dead_include_0.thrift", "include-cycle"),
        {"thriftpy2/tests/parser-cases/e_duplicate_field_id.thrift", "duplicate-field-id"},
        {"thriftpy2/tests/parser-cases/e_duplicate_field_name.thrift", "duplicate-field-name"},
        {"thriftpy2/tests/parser-cases/e_duplicate_function.thrift", "duplicate-function"},
        {"thriftpy2/tests/parser-cases/e_duplicate_service.thrift", "duplicate-name"},
        {"thriftpy2/tests/parser-cases/e_grammar_error_at_eof.thrift", "unexpected-eof"},
        {"thriftpy2/tests/parser-cases/e_grammar_error_token.thrift", "unexpected-token"},
        {"thriftpy2/tests/parser-cases/e_service_extends_0.thrift", "undefined-service"},
        {"thriftpy2/tests/parser-cases/e_value_ref_0.thrift", "undefined-const"},
        {"pilota/pilota-build/test_data/duplicate_field_id.thrift", "duplicate-field-id"},
        {"thrift-ls/tests/made-in-abyss/cycle_a.thrift", "undefined-type"},
        {"thrift-net/thrift-samples/structs/BaseTypes.thrift", "undefined-type"}}) {
    auto loaded = idl::try_load((corpus / path).string());
    ASSERT_FALSE(loaded) << path;
    EXPECT_EQ(first_error(loaded.error()), kind) << path;
  }
}

TEST(corpus, invalid_files_are_rejected_with_kind_and_location) {
  const fs::path folder = samples_dir() / "idl-negative";
  int count = 0;
  for (const row& file : read_table(folder / "expected.tsv")) {
    ++count;
    for (idl::mode mode : {idl::mode::lenient, idl::mode::strict}) {
      idl::load_options options;
      options.mode = mode;
      auto loaded = idl::try_load((folder / file.at("file")).string(), options);
      const bool is_warning = file.at("file") == "undef_type_typedef.thrift" ||  // nothing uses that typedef
                              file.at("file") == "oneway_throws.thrift";
      if (is_warning && mode == idl::mode::lenient) {
        ASSERT_TRUE(loaded);
        ASSERT_EQ(loaded->warnings.size(), 1u);
        EXPECT_EQ(loaded->warnings[0].kind, file.at("kind"));
        continue;
      }
      if (file.at("mode") == "strict" && mode == idl::mode::lenient) {
        EXPECT_TRUE(loaded) << file.at("file");
        continue;
      }
      ASSERT_FALSE(loaded) << file.at("file");
      const auto all = errors_in(loaded.error());
      ASSERT_EQ(all.size(), 1u) << loaded.error().what();
      const thriftlens::diagnostic& found = all[0];
      EXPECT_EQ(found.kind, file.at("kind")) << file.at("file");
      EXPECT_EQ(fs::path(found.file).filename(), file.at("error_file"));
      EXPECT_EQ(std::to_string(found.line), file.at("line")) << file.at("file");
      EXPECT_EQ(std::to_string(found.column), file.at("col")) << file.at("file");
    }
  }
  EXPECT_GE(count, 70);
}

/// The malicious vectors that are not compressed; load_test generates the others.
TEST(corpus, malicious_texts_have_the_expected_outcome) {
  const fs::path folder = vectors_dir();
  const std::string manifest = read_file(folder / "manifest.json");
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder / "malicious")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with("_idl.thrift")) continue;
    const std::size_t at = manifest.find("malicious/" + name);
    ASSERT_NE(at, std::string::npos) << name;
    const std::size_t key = manifest.rfind("\"expect\":", at);
    ASSERT_NE(key, std::string::npos) << name;
    const std::size_t value = manifest.find('"', key + 9) + 1;
    const std::string wanted = manifest.substr(value, manifest.find('"', value) - value);
    const bool from_disk = idl::try_load(entry.path().string()).has_value();
    const bool from_memory = idl::try_parse(read_file(entry.path())).has_value();
    ++count;
    if (wanted == "either") continue;
    EXPECT_EQ(from_disk, wanted == "ok") << name;
    EXPECT_EQ(from_memory, wanted == "ok") << name;
  }
  EXPECT_GE(count, 29);
}

/// Every prefix of small files; of large ones as many as take the same time.
TEST(corpus, prefixes_neither_crash_nor_hang) {
  SKIP_WITHOUT_CORPUS();
  const fs::path corpus = corpus_dir();
  constexpr std::size_t bytes_per_file = 60'000;
  idl::load_options options;
  options.loader = [](std::string_view, std::string_view) { return std::optional<std::string>(""); };
  std::set<std::string> seen;
  std::size_t prefixes = 0, accepted = 0;
  for (const row& file : read_table(corpus / "open" / "MANIFEST.tsv")) {
    const std::string text = read_file(corpus / file.at("path"));
    if (!seen.insert(text).second) continue;
    const std::size_t step = text.size() * text.size() / 2 / bytes_per_file + 1;
    for (std::size_t size = text.size() % step; size <= text.size(); size += step) {
      accepted += idl::try_parse(std::string_view(text).substr(0, size), options).has_value() ? 1u : 0u;
      ++prefixes;
    }
  }
  EXPECT_GT(prefixes, 50'000u);
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, prefixes);
}

}  // namespace
