// Plans both ways on any bytes: no crash, an error leaves the buffer alone, what is written can be read, and
// no answer holds a line break in a header.
#include <thriftlens/http.hpp>
#include <thriftlens/json/to_json.hpp>
#include <thriftlens/schema/schema.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace tl = thriftlens;

namespace {

const char* const idl = R"(
enum Color { RED = 0, BLUE = 5 }
struct In { 1: i32 x (api.query="x", api.body="n"), 2: required bool c (api.cookie="c"), 3: In in, 4: string h (api.header="H") }
struct Parts { 1: i32 a (api.query="a"), 2: string b (api.header="B"), 3: Parts p (api.no_body_struct="") }
struct Root {
  1: bool b (api.query="b")  2: i8 i8 (api.path="i8", api.query="i8")  3: i64 i64 (api.js_conv="", api.header="N")  4: double d (api.form="d", api.query="d")
  5: string s (api.query="s", api.header="S", api.cookie="s", api.body="s")  6: binary bin (api.query="bin", api.raw_body="")  7: Color color (api.query="color")
  8: list<i32> ints (api.query="ints", api.form="ints")  9: map<string, i64> m (api.query="m")  10: In in (api.query="in")  11: list<In> many
  12: string dyn (agw.body_dynamic="")  13: i32 st (api.http_code="")  14: string key (go.tag="json:\"k,omitempty\"")  15: optional uuid id (api.query="id")
  16: i32 none (api.none="")  17: i16 gone (dynamicgo.deprecated="")  18: list<i64> longs (api.js_conv="")  19: set<string> names (api.header="Names")
  20: Parts parts (agw.source="not_body_struct")  21: i32 w = 7  22: map<i8, binary> mb (api.header="Mb")
}
)";

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}
tl::http_options choose(std::uint8_t bits) {
  tl::http_options made;
  if (bits & 1)
    made.request = {.unknown = tl::on_unknown::drop, .quoted_numbers = tl::json_quoted_numbers::accept};
  if (bits & 2) made.request.fallback = made.request.traceback = tl::http_switch::on;
  if (bits & 4)
    made.absent = {tl::http_absent::write, tl::http_absent::write, tl::http_absent::write,
                   tl::http_switch::on};
  if (bits & 8) made.binary = tl::http_binary::raw;
  if (bits & 16) made.response.text = tl::http_text::kitex;
  if (bits & 32) {
    made.response.unfit = tl::http_unplaced::drop;
    made.response.missing_required = tl::on_missing::omit;
  }
  if (bits & 64) made.idl.names = tl::json_names::both;
  if (bits & 128) made.request.body = tl::http_body::stated;
  return made;
}
// The text up to the next line break.
std::string_view line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view first = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return first;
}
template <class Protocol>
void requests(const tl::http_plan& plan, std::string_view rest) {
  static constexpr std::string_view methods[] = {"GET", "POST", "PUT"};
  static constexpr std::string_view types[] = {"application/json; charset=utf-8",
                                               "application/x-www-form-urlencoded",
                                               "multipart/form-data; boundary=B", "text/plain"};
  const auto first = rest.empty() ? 0u : static_cast<unsigned char>(rest[0]);
  const std::string_view url = line(rest), header = line(rest), cookie = line(rest), path = line(rest);
  const std::vector<tl::http_pair> headers = {
      {"Content-Type", types[first % 4]}, {"S", header}, {"N", header}, {"cookie", cookie}};
  const tl::http_pair params[] = {{"i8", path}};
  tl::buffer out;
  const auto done = plan.try_append_request<Protocol>(
      {.method = methods[first / 4 % 3], .url = url, .headers = headers, .path_params = params, .body = rest},
      out);
  if (!done) {
    expect(done.error().code() != tl::errc::internal && done.error().code() != tl::errc::ok,
           "a failure has a code");
    return expect(out.empty(), "an error leaves the buffer alone");
  }
  const auto json = tl::try_to_json<Protocol>(plan.request_type(), tl::byte_view(out),
                                              {.nonfinite = tl::json_nonfinite::string,
                                               .invalid_utf8 = tl::on_invalid_utf8::replace,
                                               .missing_required = tl::on_missing::omit});
  const bool sets_repeat = !json && json.error().code() == tl::errc::duplicate_key;
  expect(json || sets_repeat, "what is written can be read");
}
template <class Protocol>
void answers(const tl::http_plan& plan, tl::byte_view bytes) {
  const auto made = plan.try_response<Protocol>(bytes);
  if (!made) return expect(made.error().code() != tl::errc::internal, "a failure has a code");
  expect(made->status == 0 || (made->status >= 100 && made->status <= 599), "a status is one");
  for (const auto& each : made->headers)
    expect(each.value.find_first_of("\r\n") == std::string::npos, "no header holds a line break");
  for (const auto& each : made->cookies)
    expect(tl::set_cookie(each).find_first_of("\r\n;") == std::string::npos, "no cookie holds another");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tl::schema schema = tl::schema::parse(idl);
  if (size < 2) return 0;
  const tl::http_plan plan = tl::http_plan::compile(schema.type("Root"), choose(data[0]));
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  if ((data[1] & 1) != 0) {
    requests<tl::binary>(plan, rest);
    requests<tl::compact>(plan, rest);
  } else {
    answers<tl::binary>(plan, {data + 2, size - 2});
    answers<tl::compact>(plan, {data + 2, size - 2});
  }
  tl::http_router router;
  static_cast<void>(router.try_add("GET", rest.substr(0, rest.size() / 2), 1));
  static_cast<void>(router.find("GET", rest.substr(rest.size() / 2)));
  return 0;
}
