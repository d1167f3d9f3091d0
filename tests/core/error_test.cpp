#include <thriftlens/core/error.hpp>

#include "support/test.hpp"

namespace {

using namespace thriftlens;

TEST(error, message_has_sentence_path_and_offset) {
  const error reason(errc::type_mismatch, "expected i32, found string", 118, "$.user.ids[3]");
  EXPECT_STREQ(reason.what(), "expected i32, found string at $.user.ids[3] (byte 118)");
  EXPECT_EQ(reason.code(), errc::type_mismatch);
  EXPECT_EQ(reason.offset(), 118u);
  EXPECT_EQ(reason.path(), "$.user.ids[3]");
  EXPECT_EQ(reason.detail(), "expected i32, found string");
}

TEST(error, without_detail_uses_the_sentence_of_its_code) {
  EXPECT_STREQ(error(errc::truncated).what(), "the data ends in the middle of a value");
  EXPECT_STREQ(error(errc::truncated, {}, 7).what(), "the data ends in the middle of a value (byte 7)");
  EXPECT_EQ(error(errc::truncated).offset(), error::no_offset);
}

TEST(error, locate_adds_line_and_column) {
  error reason(errc::json_syntax, {}, 10);
  reason.locate(2, 4);
  EXPECT_STREQ(reason.what(), "invalid JSON (byte 10, line 2 column 4)");
  EXPECT_EQ(reason.line(), 2u);
  EXPECT_EQ(reason.column(), 4u);
}

TEST(error, reports_the_source_of_its_offset) {
  EXPECT_EQ(error(errc::truncated, {}, 7).source(), error_source::data);
  const error in_path = error(errc::no_such_field, "no field 'a'", 2, "$").in(error_source::path);
  EXPECT_EQ(in_path.source(), error_source::path);
  EXPECT_STREQ(in_path.what(), "no field 'a' at $ (byte 2 of the path)");
  EXPECT_STREQ(error(errc::path_syntax, "odd", 1).in(error_source::selection).what(),
               "odd (byte 1 of the selection)");
  EXPECT_STREQ(error(errc::path_syntax, "odd").in(error_source::path).what(), "odd");
  error in_json(errc::json_syntax, {}, 10);
  in_json.locate(2, 4);
  EXPECT_EQ(in_json.source(), error_source::json);
  EXPECT_EQ(to_string(error_source::json), "JSON text");
  EXPECT_EQ(to_string(error_source::idl), "IDL");
}

TEST(error, begins_with_its_record_and_ends_with_its_hint) {
  const error plain(errc::truncated, {}, 7);
  EXPECT_EQ(plain.record(), error::no_record);
  EXPECT_EQ(plain.hint(), "");
  EXPECT_EQ(plain.message(), plain.what());
  const error reason = plain.in_record(3).with_hint("the data looks like Compact");
  EXPECT_STREQ(reason.what(),
               "record 3: the data ends in the middle of a value (byte 7); the data looks like Compact");
  EXPECT_EQ(reason.message(), plain.what());
  EXPECT_EQ(reason.detail(), plain.detail());
  EXPECT_EQ(reason.record(), 3u);
  EXPECT_EQ(reason.hint(), "the data looks like Compact");
  EXPECT_EQ(reason.at("$.a").message(), "the data ends in the middle of a value at $.a (byte 7)");
}

TEST(error, of_idl_shows_every_finding) {
  const error reason({{diagnostic::level::error, "a", "f", 1, 1, "first", "x", 0},
                      {diagnostic::level::error, "b", "f", 2, 1, "second", "y", 0}});
  EXPECT_EQ(reason.code(), errc::schema_invalid);
  ASSERT_EQ(reason.diagnostics().size(), 2u);
  EXPECT_EQ(std::string(reason.what()),
            reason.diagnostics()[0].to_string() + '\n' + reason.diagnostics()[1].to_string());
}

TEST(error, is_a_standard_exception_that_keeps_its_text_when_copied) {
  static_assert(std::is_base_of_v<std::exception, error>);
  try {
    detail::raise(error(errc::absent, "nothing here", 3));
    FAIL();
  } catch (const std::exception& caught) {
    const error copy = dynamic_cast<const error&>(caught);
    EXPECT_STREQ(copy.what(), "nothing here (byte 3)");
  }
}

TEST(error, without_a_code_is_raised_as_internal) {
  try {
    detail::raise(error());
    FAIL();
  } catch (const error& caught) {
    EXPECT_EQ(caught.code(), errc::internal);
    EXPECT_STREQ(caught.what(), "internal error of thriftlens; please report it");
  }
}

TEST(error, a_temporary_returns_strings_instead_of_views) {
  const auto result = [] { return error(errc::truncated, std::string(50, 'd'), 7, std::string(50, 'p')); };
  static_assert(std::is_same_v<decltype(result().path()), std::string> &&
                std::is_same_v<decltype(result().detail()), std::string>);
  static_assert(std::is_same_v<decltype(result().diagnostics()), std::vector<thriftlens::diagnostic>>);
  const auto& path = result().path();
  const auto& detail = result().detail();
  EXPECT_EQ(path, std::string(50, 'p'));
  EXPECT_EQ(detail, std::string(50, 'd'));
  EXPECT_EQ(error(errc::truncated).detail(), detail::sentence(errc::truncated));
}

TEST(error, equality_compares_code_text_and_location) {
  const error fault(errc::truncated, {}, 7, "$.a");
  EXPECT_EQ(fault, error(errc::truncated, {}, 7, "$.a"));
  EXPECT_NE(fault, error(errc::truncated, {}, 8, "$.a"));
  EXPECT_NE(fault, error(errc::truncated, {}, 7, "$.b"));
  EXPECT_NE(fault, error(errc::truncated, "words", 7, "$.a"));
  EXPECT_NE(fault, error(errc::truncated, {}, 7, "$.a").in(error_source::path));
}

TEST(error, is_one_pointer_and_copies_share_their_text) {
  static_assert(sizeof(error) == 3 * sizeof(void*));
  static_assert(std::is_nothrow_copy_constructible_v<error> && std::is_nothrow_move_constructible_v<error>);
  const error fault(errc::truncated, std::string(50, 'd'), 7, std::string(50, 'p'));
  error copy = fault;
  EXPECT_EQ(copy.what(), fault.what()) << "the same text, not an equal one";
  copy.locate(2, 4);
  EXPECT_EQ(fault.line(), 0u) << "a change is of one copy";
  EXPECT_EQ(copy.line(), 2u);
}

TEST(error, moved_from_error_is_empty) {
  error fault(errc::truncated, {}, 7);
  const error taken = std::move(fault);
  EXPECT_EQ(taken.offset(), 7u);
  EXPECT_EQ(fault.code(), errc::ok);  // NOLINT: what is moved from is documented
  EXPECT_STREQ(fault.what(), "");
}

}  // namespace
