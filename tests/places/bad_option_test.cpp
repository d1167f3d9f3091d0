// An option value that an operation does not accept is an error that lists the accepted ones.
#include <thriftlens/http.hpp>

#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>
#include "support/test.hpp"

namespace bad_option_test {

struct user {
  std::int64_t id = 0;
};
struct users {
  std::vector<user> list;
};

}  // namespace bad_option_test
template <>
struct tl::binding<bad_option_test::user> : tl::numbered {};
template <>
struct tl::binding<bad_option_test::users> : tl::numbered {};

namespace bad_option_test {

const tl::schema& idl() {
  static const tl::schema schema = tl::schema::parse("struct User { 1: i64 id (pii = \"drop\") }");
  return schema;
}
template <class Result>
std::string text_of(const Result& from) {
  return from ? "no error"
              : std::string(tl::to_string(from.error().code())) + ": " + std::string(from.error().detail());
}

const tl::buffer& bytes() {
  static const tl::buffer encoded = tl::encode(user{7});
  return encoded;
}
TEST(bad_option, is_an_error_of_the_result) {
  constexpr auto odd = static_cast<tl::on_missing>(77);
  const tl::type of = idl().type("User");
  const tl::decode_options decode{.unknown = tl::on_unknown::keep};
  tl::buffer other = tl::encode<tl::compact>(user{7});
  tl::document document;
  tl::redact_options redact{.annotation = "pii", .unknown = tl::on_unknown::selected};
  tl::http_options request, answer, unplaced;
  request.request.unknown = tl::on_unknown::keep;
  answer.response.missing_required = tl::on_missing::zero;
  unplaced.response.unplaced = tl::http_unplaced::drop;
  const tl::selection full = tl::selection::compile(of, "{id}");
  user into;
  const std::pair<std::string, std::string> errors[] = {
      {"unknown = keep; expected error or drop", text_of(tl::try_decode<user>(bytes(), decode))},
      {"unknown = keep; expected error or drop", text_of(tl::try_decode<users>(bytes(), decode))},
      {"unknown = keep; expected error or drop", text_of(tl::try_decode<user, tl::compact>(other, decode))},
      {"unknown = keep; expected error or drop", text_of(tl::try_decode_into(bytes(), into, decode))},
      {"missing_required = 77; expected error or omit",
       text_of(tl::try_decode<user>(bytes(), {.missing_required = odd}))},
      {"mismatch = keep; expected error or drop",
       text_of(tl::try_decode<user>(bytes(), {.mismatch = tl::on_mismatch::keep}))},
      {"names = both; expected field or alias",
       text_of(tl::try_to_json<tl::binary>(of, bytes(), {.names = tl::json_names::both}))},
      {"unknown = selected; expected error or drop or keep",
       text_of(tl::try_to_json<tl::compact>(of, other, {.leniency = {.unknown = tl::on_unknown::selected}}))},
      {"invalid_utf8 = keep; expected error or replace or surrogateescape",
       text_of(tl::try_to_json(tl::view(bytes(), of),
                               {.leniency = {.invalid_utf8 = tl::on_invalid_utf8::keep}}))},
      {"missing = omit; expected error or zero",
       text_of(tl::try_from_json<tl::binary>(of, "{}", {.leniency = {.missing = tl::on_missing::omit}}))},
      {"mismatch = drop; expected error or keep",
       text_of(document.try_load<tl::binary>(bytes(), of, {.mismatch = tl::on_mismatch::drop}))},
      {"missing_required = zero; expected error or omit",
       text_of(document.try_load(tl::view(bytes(), of), {.missing_required = tl::on_missing::zero}))},
      {"unknown = drop; expected error or keep",
       text_of(tl::validator::try_compile(of, {.unknown = tl::on_unknown::drop}))},
      {"unknown = selected; expected error or drop or keep", text_of(tl::redaction::try_compile(of, redact))},
      {"request.unknown = keep; expected error or drop", text_of(tl::http_plan::try_compile(of, request))},
      {"response.missing_required = zero; expected error or omit",
       text_of(tl::http_plan::try_compile(of, answer))},
      {"response.unplaced = drop; expected body or error", text_of(tl::http_plan::try_compile(of, unplaced))},
      {"unknown = keep; expected error or drop",
       text_of(tl::columns::try_compile(full, {.leniency = {.unknown = tl::on_unknown::keep}}))},
      {"unknown = keep; expected error or drop",
       text_of(tl::try_from_columns<tl::binary>(of, {}, {}, {.unknown = tl::on_unknown::keep}))},
  };
  for (const auto& [expected, actual] : errors) EXPECT_EQ(actual, "bad_option: " + expected);
}

}  // namespace bad_option_test
