#include <thriftlens/idl/load.hpp>

#include "idl_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#ifdef __unix__
#include <sys/stat.h>
#endif

using namespace thriftlens_test;
using lines = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

/// A folder that is deleted with the test.
class load_files : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ =
        fs::temp_directory_path() / ("thriftlens_idl_" + std::to_string(std::random_device()()) + '_' + name);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  lines load_errors(const std::string& file, const idl::load_options& options = {}) {
    auto loaded = idl::try_load(file, options);
    if (loaded) return {};
    lines all;
    for (const auto& each : loaded.error().diagnostics()) {
      all.push_back(fs::path(each.file).filename().string() + ':' + std::to_string(each.line) + ' ' +
                    each.kind);
    }
    return all;
  }

  fs::path folder_;
};

TEST_F(load_files, raises_the_error_that_try_load_returns) {
  const std::string good = write("good.thrift", "struct G {}"), bad = write("bad.thrift", "struct {");
  EXPECT_EQ(idl::load(good).programs[0].name, "good");
  EXPECT_THROW(static_cast<void>(idl::load(bad)), thriftlens::error);
  EXPECT_EQ(idl::parse("struct G {}").programs.size(), 1u);
  EXPECT_THROW(static_cast<void>(idl::parse("struct {")), thriftlens::error);
}

TEST_F(load_files, finds_includes_next_to_the_file_and_in_include_dirs) {
  write("lib/common.thrift", "struct C {}");
  write("idl/base.thrift", "include 'common.thrift' struct B { 1: common.C c }");
  const std::string root = write("idl/root.thrift", "include 'base.thrift' struct R { 1: base.B b }");
  EXPECT_EQ(load_errors(root), lines{"base.thrift:1 include-not-found"});
  auto loaded =
      idl::try_load(root, {.include_dirs = {(folder_ / "none").string(), (folder_ / "lib").string()}});
  ASSERT_TRUE(loaded) << loaded.error().what();
  ASSERT_EQ(loaded->programs.size(), 3u);
  EXPECT_EQ(loaded->programs[0].name, "root");
  EXPECT_EQ(loaded->programs[2].name, "common");
  EXPECT_EQ(loaded->programs[0].file, root);
}

TEST_F(load_files, prefers_the_file_next_to_it_and_then_the_first_directory) {
  write("a/x.thrift", "struct A {}");
  write("b/x.thrift", "struct B {}");
  const std::string root = write("root.thrift", "include 'x.thrift' struct R { 1: x.A a }");
  EXPECT_TRUE(
      load_errors(root, {.include_dirs = {(folder_ / "a").string(), (folder_ / "b").string()}}).empty());
  EXPECT_EQ(load_errors(root, {.include_dirs = {(folder_ / "b").string(), (folder_ / "a").string()}}),
            lines{"root.thrift:1 undefined-type"});
  write("x.thrift", "struct A {}");
  EXPECT_TRUE(load_errors(root, {.include_dirs = {(folder_ / "b").string()}}).empty());
}

TEST_F(load_files, identifies_files_by_real_path) {
  write("dir/base.thrift", "struct B {}");
  fs::create_symlink(folder_ / "dir" / "base.thrift", folder_ / "link.thrift");
  write("mid.thrift", "include 'dir/../dir/base.thrift' typedef base.B M");
  const std::string root = write("root.thrift",
                                 "include 'link.thrift' include 'dir/base.thrift' include "
                                 "'mid.thrift'\nstruct R { 1: link.B a, 2: base.B b, 3: mid.M c }");
  auto loaded = idl::try_load(root);
  ASSERT_TRUE(loaded) << loaded.error().what();
  EXPECT_EQ(loaded->programs.size(), 3u);
  auto fields = loaded->programs[0].structs[0].fields;
  EXPECT_EQ(fields[0].type.target.program, fields[1].type.target.program);
}

TEST_F(load_files, accepts_absolute_and_parent_includes_of_idl_files) {
  const std::string base = write("base.thrift", "struct B {}");
  const std::string root =
      write("sub/root.thrift", "include '../base.thrift' include '" + base + "' struct R { 1: base.B b }");
  EXPECT_TRUE(load_errors(root).empty());
}

TEST_F(load_files, rejects_other_files_outside) {
  const std::string secret = write("secret", "password = 5");
  const std::string root =
      write("sub/root.thrift", "include '../secret'\ninclude '" + secret + "'\ninclude 'x/../../secret'");
  EXPECT_EQ(load_errors(root), (lines{"root.thrift:1 include-refused", "root.thrift:2 include-refused",
                                      "root.thrift:3 include-refused"}));
  auto loaded = idl::try_load(root);
  EXPECT_EQ(std::string(loaded.error().what()).find("password"), std::string::npos);
}

TEST_F(load_files, confines_texts_from_memory_to_include_dirs) {
  const std::string base = write("base.thrift", "struct B {}");
  write("lib/inner.thrift", "include '../base.thrift' typedef base.B I");
  const idl::load_options options{.include_dirs = {(folder_ / "lib").string()}};
  EXPECT_TRUE(errors_of("include 'inner.thrift' struct R { 1: inner.I i }", options).empty());
  EXPECT_EQ(errors_of("include '../base.thrift'", options), lines{"1:9 include-refused"});
  EXPECT_EQ(errors_of("include '" + base + "'", options), lines{"1:9 include-refused"});
  EXPECT_EQ(errors_of("include 'base.thrift'"), lines{"1:9 include-not-found"});
}

TEST_F(load_files, accepts_limits_of_any_size) {
  const std::string root = write("root.thrift", "struct A {}");
  for (std::size_t limit : {std::size_t{11}, std::size_t{12}, std::numeric_limits<std::size_t>::max()}) {
    auto loaded = idl::try_load(root, {.limits = {.source_size = limit}});
    ASSERT_TRUE(loaded) << limit;
    EXPECT_EQ(loaded->programs[0].structs.size(), 1u);
  }
  EXPECT_EQ(load_errors(root, {.limits = {.source_size = 10}}), lines{"root.thrift:1 size-limit"});
}

TEST_F(load_files, reports_paths_that_are_not_files) {
  const std::string root = write("root.thrift", "include 'none.thrift'\ninclude '.'\ninclude ''");
  EXPECT_EQ(load_errors(root), (lines{"root.thrift:1 include-not-found", "root.thrift:2 include-not-found",
                                      "root.thrift:3 include-not-found"}));
  for (const std::string& each : {(folder_ / "none.thrift").string(), folder_.string(), std::string()}) {
    auto loaded = idl::try_load(each);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code(), thriftlens::errc::io);
    const bool is_folder = each == folder_.string();
    EXPECT_EQ(std::string(loaded.error().what()),
              "cannot read '" + each + (is_folder ? "': it is a folder" : "': there is no such file"));
  }
}

#ifdef __linux__
TEST_F(load_files, reads_files_of_unknown_size_and_reports_unreadable_ones) {
  auto empty = idl::try_load("/proc/self/mem");  // opens, has size 0, and cannot be read at offset 0
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code(), thriftlens::errc::io);
  auto unsized_ = idl::try_load("/proc/self/status");  // "Name: …"
  ASSERT_FALSE(unsized_);
  EXPECT_EQ(unsized_.error().diagnostics().at(0).kind, "unexpected-token");
}
#endif

#ifdef __unix__
TEST_F(load_files, reads_the_root_from_a_pipe_but_no_include) {
  const std::string pipe = (folder_ / "pipe.thrift").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(load_errors(write("root.thrift", "include 'pipe.thrift'")),
            lines{"root.thrift:1 include-not-found"});
  write("beside.thrift", "");
  for (const std::string& text :
       {std::string("struct A { 1: i32 a }"), "include 'beside.thrift' //" + std::string(100'000, 'x')}) {
    std::thread writer([&] { std::ofstream(pipe) << text; });
    auto loaded = idl::try_load(pipe, {.include_dirs = {text[0] == 's' ? "" : folder_.string()}});
    writer.join();
    ASSERT_TRUE(loaded) << loaded.error().what();
    EXPECT_EQ(loaded->programs[0].source, text);
    EXPECT_EQ(loaded->programs[0].name, "pipe");
  }
  auto loaded = idl::try_load("/dev/zero", {.limits = {.source_size = 1000}});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().diagnostics()[0].kind, "size-limit");
}
#endif

TEST_F(load_files, shows_findings_of_all_files_in_order) {
  write("bad.thrift", "struct A {\n  1: i32\n}");
  write("worse.thrift", "const i32 x = 'a'");
  const std::string root =
      write("root.thrift", "include 'bad.thrift'\ninclude 'worse.thrift'\nstruct B { 1: Missing m }");
  EXPECT_EQ(load_errors(root), (lines{"root.thrift:3 undefined-type", "bad.thrift:3 unexpected-token",
                                      "worse.thrift:1 const-type"}));
  auto loaded = idl::try_load(root);
  EXPECT_THAT(loaded.error().what(),
              testing::HasSubstr(
                  "bad.thrift:3:1: error: expected a field's name, found '}' [unexpected-token]\n  }\n  ^"));
}

TEST_F(load_files, reports_include_cycles_at_the_closing_include) {
  write("a.thrift", "include 'b.thrift'");
  write("b.thrift", "\ninclude 'a.thrift'");
  EXPECT_EQ(load_errors((folder_ / "a.thrift").string()), lines{"b.thrift:2 include-cycle"});
  const std::string self = write("self.thrift", "include 'self.thrift'");
  EXPECT_EQ(load_errors(self), lines{"self.thrift:1 include-cycle"});
}

TEST(try_parse, prefers_includes_from_memory) {
  idl::load_options options;
  options.includes["dir/a.thrift"] = "include 'b.thrift' include 'dir/c.thrift' typedef b.B A";
  options.includes["dir/b.thrift"] = "struct B {}";
  options.includes["dir/c.thrift"] = "struct C {}";
  auto set = parsed("include 'dir/a.thrift' struct R { 1: a.A a }", options);
  ASSERT_EQ(set.programs.size(), 4u);
  EXPECT_EQ(set.programs[1].name, "a");
  EXPECT_EQ(set.programs[2].file, "dir/b.thrift");
}

TEST(try_parse, calls_the_loader_after_memory_and_before_the_disk) {
  lines asked;
  idl::load_options options;
  options.includes["known.thrift"] = "struct K {}";
  options.loader = [&asked](std::string_view path, std::string_view from) -> std::optional<std::string> {
    asked.push_back(std::string(path) + " from " + std::string(from));
    if (path == "a.thrift") return "include 'b.thrift'";
    if (path == "b.thrift") return "struct B {}";
    return std::nullopt;
  };
  auto set =
      parsed("include 'known.thrift' include 'a.thrift' include 'b.thrift' struct R { 1: b.B b }", options);
  EXPECT_EQ(asked, (lines{"a.thrift from <text>", "b.thrift from <text>", "b.thrift from a.thrift"}));
  EXPECT_EQ(set.programs.size(), 4u);
  EXPECT_EQ(errors_of("include 'c.thrift'", options), lines{"1:9 include-not-found"});
}

TEST(try_parse, the_loader_may_resolve_one_path_to_two_sources) {
  idl::load_options options;
  options.loader = [](std::string_view path, std::string_view from) -> std::optional<std::string> {
    if (path == "a.thrift") return "include 'base.thrift' typedef base.A T";
    if (path == "b.thrift") return "include 'base.thrift' typedef base.B T";
    return from == "a.thrift" ? "struct A {}" : "struct B {}";
  };
  auto set = parsed("include 'a.thrift' include 'b.thrift' struct R { 1: a.T a, 2: b.T b }", options);
  EXPECT_EQ(set.programs.size(), 5u);
}

TEST(try_parse, stops_a_loader_that_never_ends) {
  idl::load_options options;
  int count = 0;
  options.loader = [&count](std::string_view, std::string_view) {
    ++count;
    return std::optional<std::string>("include 'x" + std::to_string(count) + ".thrift'");
  };
  auto errors = errors_of("include 'x.thrift'", options);
  EXPECT_THAT(errors, testing::Contains("1:9 size-limit"));
  EXPECT_THAT(errors, testing::Contains("1:9 depth-limit"));
  EXPECT_LE(count, 10'000);
}

TEST(try_parse, names_the_program_after_the_text) {
  EXPECT_EQ(parsed("").programs[0].name, "text");
  EXPECT_EQ(idl::try_parse("", {}, "dir/shop.thrift")->programs[0].name, "shop");
  EXPECT_EQ(idl::try_parse("", {}, "shop")->programs[0].name, "shop");
  auto failed = idl::try_parse("struct", {}, "shop.thrift");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), thriftlens::errc::schema_invalid);
  EXPECT_EQ(failed.error().diagnostics()[0].file, "shop.thrift");
}

TEST(try_parse, does_not_keep_the_callers_text) {
  std::string text = "struct A { 1: i32 name }";
  auto set = parsed(text);
  text.assign(text.size(), 'x');
  EXPECT_EQ(set.programs[0].structs[0].fields[0].name, "name");
  idl::program_set moved = std::move(set);
  EXPECT_EQ(moved.programs[0].structs[0].name, "A");
}

TEST(try_parse, accepts_minimal_files) {
  for (std::string_view text :
       {std::string_view(""), std::string_view("\xEF\xBB\xBF"), std::string_view("  \r\n\t"),
        std::string_view("// x"), std::string_view("struct A {}\rstruct B {}\r// x\r")}) {
    EXPECT_TRUE(errors_of(text).empty());
  }
  EXPECT_EQ(parsed("// x\rstruct B {}").programs[0].structs.size(), 1u);
  EXPECT_EQ(errors_of(std::string_view("\0", 1)), lines{"1:1 unexpected-char"});
  EXPECT_EQ(errors_of("\xFF\xFE"
                      "s"),
            lines{"1:1 unexpected-char"});
}

TEST(try_parse, bounds_sizes) {
  idl::load_options options;
  options.limits.source_size = 20;
  EXPECT_TRUE(errors_of("struct A { }", options).empty());
  EXPECT_EQ(errors_of("struct A { 1: i32 abc }", options), lines{"1:1 size-limit"});
  options.limits.source_size = 1000;
  options.limits.total_size = 50;
  options.includes["a.thrift"] = std::string(100, ' ');
  options.includes["b.thrift"] = "";
  EXPECT_EQ(errors_of("include 'a.thrift'\ninclude 'b.thrift'", options), lines{"2:9 size-limit"});
}

TEST(try_parse, bounds_the_depth_of_includes) {
  idl::load_options options;
  for (int i = 0; i < 200; ++i)
    options.includes["f" + std::to_string(i) + ".thrift"] = "include 'f" + std::to_string(i + 1) + ".thrift'";
  options.includes["f200.thrift"] = "";
  auto errors = errors_of("include 'f150.thrift'", options);
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(errors_of("include 'f0.thrift'", options), lines{"1:9 depth-limit"});
}

}  // namespace
