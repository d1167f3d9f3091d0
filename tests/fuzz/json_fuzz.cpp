// Thrift to JSON and back on any bytes: no crash, and accepted input is stable.
#include <thriftlens/json.hpp>
#include <thriftlens/schema/schema.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace tl = thriftlens;

namespace {

const char* const idl = R"(
enum Color { RED = 0, GREEN = 1, BLUE = 5 }
struct Point { 1: i32 x  2: i32 y }
union Pick { 1: i32 i  2: string s  3: Point p  4: bool b }
struct Every {
  1: bool b  2: i8 i8  3: i16 i16  4: i32 i32  5: i64 i64  6: double d  7: string s  8: binary bin  9: Color color  10: uuid id
  11: Point point  12: list<i32> ints  13: set<string> names  14: map<string, i64> by_name  15: map<i32, Every> by_id
  16: map<Point, string> by_point  17: list<list<bool>> bits  18: map<bool, i8> by_bool  19: map<double, i32> by_double
  20: map<binary, i32> by_binary  21: map<Color, i32> by_color  22: map<uuid, i32> by_uuid  23: map<list<i32>, Pick> by_list
  24: Pick pick  25: list<Every> kids  26: i64 with_default = 7  40: optional bool far  1000: optional string farther
}
struct Strict { 1: required i32 must  2: required string also }
struct Sparse { 2: i8 i8  11: Point point  15: map<i32, Sparse> by_id  25: list<Sparse> kids  26: required i64 must }
)";

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

struct choice {
  tl::to_json_options out;
  tl::from_json_options in;
};
// The options that make both directions fit each other, chosen by two bytes.
choice choose(std::uint8_t bits, std::uint8_t more) {
  choice made;
  if (bits & 1) made.out.format.enums = tl::enum_values::name;
  if (bits & 2) made.out.format.int64 = tl::json_int64::string;
  if (bits & 4) made.out.format.pretty = 2;
  if (bits & 8)
    made.out.leniency.duplicates = tl::on_duplicate::last,
    made.in.leniency.duplicates = tl::on_duplicate::last;
  if (bits & 16) made.out.leniency.invalid_utf8 = tl::on_invalid_utf8::replace;
  if (bits & 32) made.out.leniency.mismatch = tl::on_mismatch::drop;
  if (bits & 64) made.in.leniency.unknown = tl::on_unknown::drop;
  if (bits & 128) made.in.defaults = tl::on_absent::write;
  if (more & 8)
    made.out.leniency.unknown = tl::on_unknown::keep, made.in.leniency.unknown = tl::on_unknown::keep;
  if (more & 16) made.in.leniency.missing = tl::on_missing::zero;
  made.out.leniency.nonfinite = made.in.leniency.nonfinite = tl::json_nonfinite::string;
  made.in.leniency.quoted_numbers = tl::json_quoted_numbers::accept;
  return made;
}

template <class Protocol>
void from_thrift(tl::type type, tl::byte_view bytes, const choice& options) {
  tl::buffer json;
  if (const tl::result<void> done = tl::try_append_json<Protocol>(type, bytes, json, options.out); !done) {
    expect(done.error().code() != tl::errc::internal, "a failure has a code");
    return expect(json.empty(), "an error leaves the buffer alone");
  }
  tl::from_json_options in = options.in;
  in.defaults = tl::on_absent::omit;
  const tl::result<tl::buffer> back = tl::try_from_json<Protocol>(type, json.text(), in);
  if (!back) {
    // Only this library quotes doubles, so a repeated -0 or NaN key is the only allowed difference.
    expect(back.error().code() == tl::errc::duplicate_key, "what was written is read");
    return;
  }
  const tl::result<tl::buffer> again = tl::try_to_json<Protocol>(type, *back, options.out);
  expect(again.has_value() && again->text() == json.text(), "JSON -> Thrift -> JSON is stable");
}

template <class Protocol>
void from_text(tl::type type, std::string_view text, const choice& options) {
  tl::buffer bytes;
  const tl::result<void> done = tl::try_append_from_json<Protocol>(type, text, bytes, options.in);
  const bool taken = done.has_value();
  expect(taken || done.error().code() != tl::errc::internal, "a failure has a code");
  if (!taken) return expect(bytes.empty(), "an error leaves the buffer alone");
  tl::to_json_options out = options.out;
  out.leniency.duplicates = tl::on_duplicate::error;
  const tl::result<tl::buffer> json = tl::try_to_json<Protocol>(type, bytes, out);
  expect(json.has_value(), "what was read is written");
  const tl::result<tl::buffer> again = tl::try_from_json<Protocol>(type, json->text(), options.in);
  expect(again.has_value() && again->text() == bytes.text(), "Thrift -> JSON -> Thrift is stable");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tl::schema schema = tl::schema::parse(idl);
  static const tl::type types[] = {schema.type("Every"), schema.type("Strict"), schema.type("Sparse"),
                                   schema.type("Point")};
  if (size < 2) return 0;
  const choice options = choose(data[0], data[1]);
  const tl::type type = types[(data[1] >> 5) % 4];
  const tl::byte_view rest(data + 2, size - 2);
  switch (data[1] % 4) {
    case 0:
      from_thrift<tl::binary>(type, rest, options);
      break;
    case 1:
      from_thrift<tl::compact>(type, rest, options);
      break;
    case 2:
      from_text<tl::binary>(type, rest.text(), options);
      break;
    default:
      from_text<tl::compact>(type, rest.text(), options);
      break;
  }
  return 0;
}
