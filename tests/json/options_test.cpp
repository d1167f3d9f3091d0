#include <thriftlens/json/options.hpp>

#include "support/test.hpp"

TEST(json_options, defaults_are_as_documented) {
  constexpr tl::to_json_options out;
  static_assert(out.format.enums == tl::enum_values::number && out.format.int64 == tl::json_int64::number &&
                out.leniency.nonfinite == tl::json_nonfinite::error);
  static_assert(out.leniency.unknown == tl::on_unknown::drop && out.defaults == tl::on_absent::omit &&
                out.names == tl::json_names::field);
  static_assert(out.leniency.missing_required == tl::on_missing::error && out.select == nullptr);
  static_assert(out.leniency.invalid_utf8 == tl::on_invalid_utf8::error && out.format.pretty == 0 &&
                out.leniency.duplicates == tl::on_duplicate::error);
  constexpr tl::from_json_options in;
  static_assert(in.leniency.unknown == tl::on_unknown::error &&
                in.leniency.quoted_numbers == tl::json_quoted_numbers::error);
  static_assert(in.leniency.base64 == tl::json_base64::strict &&
                in.leniency.duplicates == tl::on_duplicate::error && in.names == tl::json_names::field);
  EXPECT_EQ(out, tl::to_json_options{});
  EXPECT_NE(in, (tl::from_json_options{.leniency = {.unknown = tl::on_unknown::drop}}));
  EXPECT_EQ(in.leniency.missing, tl::on_missing::error);
}
