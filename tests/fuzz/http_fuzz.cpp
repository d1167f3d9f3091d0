// Plans of a type and of functions on any bytes in both directions, with a Base for the request and
// exceptions in the reply: no crash, an error leaves the buffer unchanged, output can be read, no header of a
// response has a line break, and its body is JSON.
#include <thriftlens/http.hpp>
#include <thriftlens/http/json_check.hpp>
#include <thriftlens/json/from_json.hpp>
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

const char* const base_idl = R"(
struct Env { 1: bool open, 2: string name }
struct Base { 1: string log, 2: string caller, 5: optional Env env, 6: optional map<string, string> extra, 7: bool last, 8: optional map<string, Env> envs }
struct BaseResp { 1: string message, 2: i32 code, 3: optional map<string, string> extra }
)";
const char* const idl = R"(
include "base.thrift"
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
struct Ask { 1: required i64 id (api.path="i8")  2: list<In> many  3: string s (api.query="s", api.header="S")  254: In in  255: base.Base base }
struct Told { 1: required string s (api.header="S")  2: In in  3: i32 st (api.http_code="")  4: list<i64> longs (api.js_conv="")  255: base.BaseResp baseResp }
exception Oops { 1: string why (api.header="X-Why")  2: i32 st (api.http_code="")  3: list<In> more  4: Oops inner }
exception Raw { 1: binary body (api.raw_body="")  2: string c (api.cookie="c") } (api.http_code = "404")
service Svc {
  Told ask(1: Ask ask) throws (1: Oops oops, 2: Raw raw) (api.post="/ask/:i8")
  Told several(1: required i32 n (api.query="n"), 2: string s (api.header="S"), 3: In in, 4: required base.Base base, 5: set<i16> many (api.body="many")) throws (4: Raw raw)
  list<Told> plain(1: Root root) throws (1: Oops oops)
  oneway void note(1: string text (api.body="text"), 2: Color color (api.cookie="s"))
  void nothing() throws (1: Oops oops)
}
)";

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}
tl::http_options choose(std::uint8_t bits) {
  tl::http_options options;
  if (bits & 1)
    options.request = {.unknown = tl::on_unknown::drop, .quoted_numbers = tl::json_quoted_numbers::accept};
  if (bits & 2) options.request.fallback = options.request.traceback = true;
  if (bits & 4)
    options.absent = {tl::http_absent::write, tl::http_absent::write, tl::http_absent::write, true};
  if (bits & 8) options.binary = tl::http_binary::raw;
  if (bits & 16) options.response.text = tl::http_text::kitex;
  if (bits & 32) {
    options.response.unfit = tl::http_unplaced::drop;
    options.response.missing_required = tl::on_missing::omit;
  }
  if (bits & 64) options.idl.names = tl::json_names::both;
  if (bits & 128) options.request.body = tl::http_body::stated;
  return options;
}
// The text up to the next line break.
std::string_view line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view first = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return first;
}
const tl::schema& schema() {
  static const tl::schema loaded = tl::schema::parse(idl, {.includes = {{"base.thrift", base_idl}}});
  return loaded;
}
// Of Root, or of a function of the service.
tl::http_plan compile(std::uint8_t choice, const tl::http_options& options) {
  static constexpr std::string_view functions[] = {"ask", "several", "plain", "note", "nothing"};
  const unsigned which = (choice >> 1 & 15u) % 6;
  if (which == 0) return tl::http_plan::compile(schema().type("Root"), options);
  return tl::http_plan::compile(schema().service("Svc").function(functions[which - 1]), options);
}
// The struct that a request becomes.
tl::type written_type(const tl::http_plan& plan) {
  return plan.function() ? plan.function().arguments() : plan.request_type();
}
// A Base from JSON, or invalid bytes.
template <class Protocol>
tl::buffer base_of(std::string_view text, bool& is_base) {
  auto parsed = tl::try_from_json<Protocol>(schema().type("base.Base"), text);
  is_base = parsed.has_value();
  return is_base ? *std::move(parsed) : tl::buffer(tl::byte_view(text));
}
template <class Protocol>
bool is_struct(tl::byte_view bytes) {
  typename Protocol::reader in(bytes);
  return in.skip(tl::ttype::struct_) && in.at_end();
}
template <class Protocol>
void requests(const tl::http_plan& plan, std::string_view rest, bool has_base) {
  static constexpr std::string_view methods[] = {"GET", "POST", "PUT"};
  static constexpr std::string_view types[] = {"application/json; charset=utf-8",
                                               "application/x-www-form-urlencoded",
                                               "multipart/form-data; boundary=B", "text/plain"};
  const auto first = rest.empty() ? 0u : static_cast<unsigned char>(rest[0]);
  const std::string_view url = line(rest), header = line(rest), cookie = line(rest), path = line(rest);
  const std::vector<tl::http_pair> headers = {
      {"Content-Type", types[first % 4]}, {"S", header}, {"N", header}, {"cookie", cookie}};
  const tl::http_pair params[] = {{"i8", path}};
  bool is_base = true;
  const tl::buffer base = has_base ? base_of<Protocol>(line(rest), is_base) : tl::buffer();
  tl::buffer out(tl::byte_view(std::string_view("kept")));
  const auto done = plan.try_append_request<Protocol>({.method = methods[first / 4 % 3],
                                                       .url = url,
                                                       .headers = headers,
                                                       .path_params = params,
                                                       .body = rest,
                                                       .base = base},
                                                      out);
  expect(out.text().starts_with("kept"), "what stood before is left alone");
  if (!done) {
    expect(done.error().code() != tl::errc::internal && done.error().code() != tl::errc::ok,
           "a failure has a code");
    return expect(out.size() == 4, "an error leaves the buffer alone");
  }
  if (!is_base) return;  // supplied by the caller and written unchanged
  const auto json = tl::try_to_json<Protocol>(written_type(plan), tl::byte_view(out).part(4, out.size() - 4),
                                              {.leniency = {.missing_required = tl::on_missing::omit,
                                                            .invalid_utf8 = tl::on_invalid_utf8::replace,
                                                            .nonfinite = tl::json_nonfinite::string}});
  const bool sets_repeat = !json && json.error().code() == tl::errc::duplicate_key;
  expect(json || sets_repeat, "what is written can be read");
}
template <class Protocol>
void answers(const tl::http_plan& plan, tl::byte_view bytes, tl::type as) {
  const auto reply = plan.try_response<Protocol>(bytes, as);
  if (!reply) {
    expect(reply.error().code() != tl::errc::internal && reply.error().code() != tl::errc::ok,
           "a failure has a code");
    return;
  }
  expect(reply->status == 0 || (reply->status >= 100 && reply->status <= 599), "a status is one");
  for (const auto& each : reply->headers)
    expect(each.value.find_first_of("\r\n") == std::string::npos, "no header holds a line break");
  for (const auto& each : reply->cookies)
    expect(tl::set_cookie(each).find_first_of("\r\n;") == std::string::npos, "no cookie holds another");
  const bool is_json = tl::detail::is_json(*schema().image(), reply->body.text(), {});
  expect(reply->is_raw || is_json, "a body is JSON");
  expect(reply->base.empty() || is_struct<Protocol>(reply->base), "what is taken for a BaseResp is a struct");
}
// As the result of the plan, as each exception of its function, and as a type that it does not know.
template <class Protocol>
void all_answers(const tl::http_plan& plan, tl::byte_view bytes) {
  answers<Protocol>(plan, bytes, {});
  const auto wrong = plan.try_response<Protocol>(bytes, schema().type("Parts"));
  expect(!wrong && wrong.error().code() == tl::errc::wrong_type, "a type that is not the plan's is none");
  if (!plan.function()) return;
  for (const tl::field_info each : plan.function().result().fields())
    if (each.id() != 0) answers<Protocol>(plan, bytes, each.type());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  tl::http_options options = choose(data[0]);
  static constexpr tl::http_base bases[] = {tl::http_base::context, tl::http_base::merge, tl::http_base::off,
                                            tl::http_base::merge};
  options.base = bases[data[1] >> 6];
  const tl::http_plan plan = compile(data[1], options);
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  const bool has_base = (data[1] & 0x20) != 0;
  if ((data[1] & 1) != 0) {
    requests<tl::binary>(plan, rest, has_base);
    requests<tl::compact>(plan, rest, has_base);
  } else {
    all_answers<tl::binary>(plan, {data + 2, size - 2});
    all_answers<tl::compact>(plan, {data + 2, size - 2});
  }
  tl::http_router router;
  static_cast<void>(router.try_add("GET", rest.substr(0, rest.size() / 2), 1));
  static_cast<void>(router.find("GET", rest.substr(rest.size() / 2)));
  return 0;
}
