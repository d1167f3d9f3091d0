// Calls that append to a buffer reject inputs inside that buffer.
#include <thriftlens/http.hpp>

#include <thriftlens/json.hpp>
#include <thriftlens/rpc.hpp>
#include <thriftlens/thriftlens.hpp>
#include "support/test.hpp"

namespace overlap_test {

const tl::schema& idl() {
  static const tl::schema schema = tl::schema::parse(R"(
    struct User { 1: i64 id, 2: string name (pii = "blank") }
    service Users { User save(1: i64 id, 2: string name), string name() }
  )");
  return schema;
}
tl::type user() { return idl().type("User"); }
tl::function_info save() { return idl().service("Users").function("save"); }

struct appending_call {
  const char* name;
  bool is_text;
  std::function<tl::errc(tl::byte_view input, tl::buffer& out)> call;
};
template <class Result>
tl::errc code_of(const Result& from) {
  return from ? tl::errc::ok : from.error().code();
}

std::vector<appending_call> calls() {
  using tl::binary, tl::compact, tl::buffer, tl::byte_view;
  return {
      {"trimmed", false,
       [](byte_view in, buffer& out) {
         return code_of(tl::try_append_trimmed(tl::view(in, user()), "{ id }", out));
       }},
      {"redacted", false,
       [](byte_view in, buffer& out) {
         const auto rules = tl::redaction::compile(user(), {.annotation = "pii"});
         return code_of(tl::try_append_redacted(tl::view(in, user()), rules, out));
       }},
      {"edit", false,
       [](byte_view in, buffer& out) {
         return code_of(tl::edit(tl::view(in, user())).set("$.id", 5).try_append_to(out));
       }},
      {"rewrite", false,
       [](byte_view in, buffer& out) {
         return code_of(tl::rewrite(tl::view(in, user())).trim("{ id }").try_append_to(out));
       }},
      {"json", false,
       [](byte_view in, buffer& out) { return code_of(tl::try_append_json<binary>(user(), in, out)); }},
      {"converted", false,
       [](byte_view in, buffer& out) { return code_of(tl::try_append_converted<binary, compact>(in, out)); }},
      {"framed", false,
       [](byte_view in, buffer& out) { return code_of(tl::try_append_framed(in, tl::framing::hex, out)); }},
      {"document", false,
       [](byte_view in, buffer& out) {
         tl::document document;
         document.load<binary>(in, user());
         return code_of(document.try_append_to(out));
       }},
      {"stream_trimmer", false,
       [](byte_view in, buffer& out) {
         tl::stream_trimmer<binary> trimmer(tl::selection::compile(user(), "{ id }"));
         return code_of(trimmer.try_feed(in, out));
       }},
      {"call with wire bytes", false,
       [](byte_view in, buffer& out) {
         return code_of(tl::try_append_result<binary>(save(), tl::wire_bytes{in}, out));
       }},
      {"call with a view", false,
       [](byte_view in, buffer& out) {
         return code_of(tl::try_append_result<binary>(save(), tl::view(in, user()), out));
       }},
      {"result with a text", true,
       [](byte_view in, buffer& out) {
         const tl::function_info name = idl().service("Users").function("name");
         return code_of(tl::try_append_result<binary>(name, in.text(), out));
       }},
      {"call with JSON", true,
       [](byte_view in, buffer& out) {
         return code_of(tl::try_append_call<binary>(save(), tl::json_text{in.text()}, {}, out));
       }},
      {"session", false,
       [](byte_view in, buffer& out) {
         tl::session client(
             {.transport = tl::transport_id::framed, .protocol = tl::message_protocol::binary});
         return code_of(client.try_append_call({.name = "save", .arguments = in}, out));
       }},
      {"from JSON", true,
       [](byte_view in, buffer& out) {
         return code_of(tl::try_append_from_json<binary>(user(), in.text(), out));
       }},
      {"http request", true,
       [](byte_view in, buffer& out) {
         const auto plan = tl::http_plan::compile(user());
         const std::vector<tl::http_pair> headers = {{"Content-Type", "application/json"}};
         return code_of(plan.try_append_request<binary>(
             {.method = "POST", .url = "/", .headers = headers, .body = in.text()}, out));
       }},
  };
}

TEST(overlap, is_refused_and_the_buffer_unchanged) {
  const std::string json = R"({"id":7,"name":"Ann"})";
  const tl::buffer wire = tl::from_json<tl::binary>(user(), json);
  for (const appending_call& item : calls()) {
    tl::buffer out(item.is_text ? tl::byte_view(json) : tl::byte_view(wire));
    const tl::buffer previous = out;
    EXPECT_EQ(item.call(tl::byte_view(out.data(), out.size()), out), tl::errc::bad_option) << item.name;
    EXPECT_EQ(out, previous) << item.name;
    tl::buffer other;
    EXPECT_EQ(item.call(previous, other), tl::errc::ok) << item.name;
    EXPECT_FALSE(other.empty()) << item.name;
  }
}

}  // namespace overlap_test
