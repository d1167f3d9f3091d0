#include <thriftlens/json/options.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

TEST(json_options, default_is_the_documented_behaviour) {
  constexpr tl::to_json_options out;
  static_assert(out.enums == tl::json_enums::number && out.int64 == tl::json_int64::number &&
                out.nonfinite == tl::json_nonfinite::error);
  static_assert(out.unknown == tl::on_unknown::drop && out.defaults == tl::on_absent::omit &&
                out.names == tl::json_names::field);
  static_assert(out.missing_required == tl::on_missing::error && out.select == nullptr);
  static_assert(out.invalid_utf8 == tl::on_invalid_utf8::error && out.pretty == 0 &&
                out.duplicates == tl::on_duplicate::error);
  constexpr tl::from_json_options in;
  static_assert(in.unknown == tl::on_unknown::error && in.quoted_numbers == tl::json_quoted_numbers::error);
  static_assert(in.base64 == tl::json_base64::strict && in.duplicates == tl::on_duplicate::error &&
                in.names == tl::json_names::field);
  EXPECT_EQ(out, tl::to_json_options{});
  EXPECT_NE(in, (tl::from_json_options{.unknown = tl::on_unknown::drop}));
  EXPECT_EQ(in.missing, tl::on_missing::error);
}
