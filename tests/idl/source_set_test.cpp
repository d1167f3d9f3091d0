#include <thriftlens/idl/source_set.hpp>

#include <thriftlens/idl/load.hpp>

#include "idl_support.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

/// One path refers to two files, and one file has two paths.
idl::program_set loaded_by_loader() {
  const auto find = [](std::string_view path, std::string_view from) -> std::optional<std::string> {
    if (path == "sub/mid.thrift") return "include 'base.thrift' struct Mid { 1: base.B b }";
    if (path != "base.thrift") return std::nullopt;
    return from == "sub/mid.thrift" ? "struct B { 1: string deep }" : "struct B { 1: i32 shallow }";
  };
  return idl::parse("include 'sub/mid.thrift' include 'base.thrift' struct R { 1: mid.Mid m, 2: base.B b }",
                    {.loader = find}, "root.thrift");
}

TEST(source_set, reloads_a_source_set) {
  const idl::source_set sources = idl::sources_of(loaded_by_loader());
  ASSERT_EQ(sources.files.size(), 4u);
  EXPECT_EQ(sources.files[0].file, "root.thrift");
  EXPECT_EQ(sources.files[0].includes, (std::vector<std::uint32_t>{1, 2}));
  const idl::program_set again = idl::load(sources);
  EXPECT_EQ(idl::sources_of(again), sources);
  EXPECT_EQ(again.programs[1].name, "mid");
  EXPECT_EQ(again.programs[1].includes[0].program, 3u);
  EXPECT_EQ(again.programs[3].structs[0].fields[0].name, "deep");
}

TEST(source_set, a_missing_source_is_an_error) {
  EXPECT_EQ(idl::try_load(idl::source_set{}).error().code(), thriftlens::errc::schema_invalid);
  idl::source_set sources = idl::sources_of(loaded_by_loader());
  sources.files[1].includes = {9};
  const auto missing = idl::try_load(sources);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().diagnostics()[0].kind, "include-not-found");
  sources.files[1].includes.clear();
  EXPECT_FALSE(idl::try_load(sources));
}

TEST(source_set, cycles_are_found) {
  const idl::source_set sources{{{"a.thrift", "include 'a.thrift'", {0}}}};
  const auto failed = idl::try_load(sources);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().diagnostics()[0].kind, "include-cycle");
}

}  // namespace
