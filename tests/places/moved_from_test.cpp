// Calls on moved-from objects: classes with shared immutable data are unchanged, others report it.
#include <thriftlens/http.hpp>

#include <thriftlens/json.hpp>
#include <thriftlens/rpc.hpp>
#include <thriftlens/thriftlens.hpp>
#include "support/test.hpp"

namespace moved_from_test {

const tl::schema& idl() {
  static const tl::schema schema = tl::schema::parse(R"(
    struct User { 1: required i64 id, 2: string name (pii = "blank") }
    struct Order { 1: i64 id, 2: User user (api.body = "user") }
  )");
  return schema;
}
tl::type order() { return idl().type("Order"); }
const tl::buffer& bytes() {
  static const tl::buffer result =
      tl::from_json<tl::binary>(order(), R"({"id":1,"user":{"id":2,"name":"Ann"}})");
  return result;
}
tl::view<tl::binary> order_view() { return tl::view(bytes(), order()); }

/// The error code of a result.
template <class Result>
tl::errc code_of(const Result& from) {
  return from ? tl::errc::ok : from.error().code();
}

struct moved_call {
  const char* name;
  std::function<tl::errc()> call;
};

template <class T>
T& moved_from(T& from) {
  static_cast<void>(T(std::move(from)));
  return from;
}

std::vector<moved_call> calls_that_report() {
  using tl::errc;
  return {
      {"edit, then set and apply",
       [] {
         tl::edit from(order_view());
         moved_from(from).set("$.id", 2);
         return code_of(from.try_apply());
       }},
      {"edit with edits, then apply",
       [] {
         tl::edit from(order_view());
         from.set("$.id", 2);
         return code_of(moved_from(from).try_apply());
       }},
      {"edit, then append to",
       [] {
         tl::edit from(order_view());
         from.set("$.user.name", "a name that is longer than what fits");
         tl::buffer out;
         return code_of(moved_from(from).try_append_to(order_view(), out));
       }},
      {"edit, then apply_gather",
       [] {
         tl::edit from(order_view());
         return code_of(moved_from(from).try_apply_gather());
       }},
      {"edit, then summary and output_size",
       [] {
         tl::edit from(order_view());
         moved_from(from).output_size(100);
         static_cast<void>(from.summary());
         return code_of(from.try_apply());
       }},
      {"rewrite with a redaction, then apply",
       [] {
         tl::rewrite from(order_view());
         from.redact(tl::redaction::compile(order(), {.annotation = "pii"}));
         return code_of(moved_from(from).try_apply());
       }},
      {"rewrite with a redaction, then append to another view",
       [] {
         tl::rewrite from(order_view());
         from.redact(tl::redaction::compile(order(), {.annotation = "pii"}));
         tl::buffer out;
         const auto code = code_of(moved_from(from).try_append_to(order_view(), out));
         return out.empty() ? code : errc::ok;
       }},
      {"rewrite, then trim, redact and apply_gather",
       [] {
         tl::rewrite from(order_view());
         moved_from(from).trim("{ id }").redact(tl::redaction::compile(order(), {.annotation = "pii"}));
         return code_of(from.try_apply_gather());
       }},
      {"stream_trimmer, then feed",
       [] {
         tl::stream_trimmer<tl::binary> from(tl::selection::compile(order(), "{ id }"));
         tl::buffer out;
         return code_of(moved_from(from).try_feed(bytes(), out));
       }},
      {"stream_trimmer, then drop_rest and finish",
       [] {
         tl::stream_trimmer<tl::binary> from(tl::selection::compile(order(), "{ id }"));
         moved_from(from).drop_rest();
         EXPECT_EQ(from.least_left(), 0u);
         return code_of(from.try_finish());
       }},
      {"session, then call",
       [] {
         tl::session from{tl::session_options{}};
         tl::buffer out;
         return code_of(moved_from(from).try_append_call({.name = "f"}, out));
       }},
      {"session, then feed and next",
       [] {
         tl::session from{tl::session_options{}};
         tl::session_event event;
         moved_from(from).feed(bytes());
         EXPECT_NE(from.fault(), nullptr);
         return code_of(from.try_next(event));
       }},
      {"inference, then add",
       [] {
         tl::inference from;
         from.add<tl::binary>(bytes());
         EXPECT_EQ(moved_from(from).count(), 0u);
         EXPECT_EQ(from.idl(), tl::inference().idl());
         return code_of(from.try_add<tl::binary>(bytes()));
       }},
  };
}

TEST(moved_from, calls_report_it) {
  for (const moved_call& item : calls_that_report())
    EXPECT_EQ(item.call(), tl::errc::bad_option) << item.name;
}

TEST(moved_from, classes_with_shared_data_stay_valid) {
  tl::path path = tl::path::compile(order(), "$.user.id");
  EXPECT_EQ(moved_from(path).text(), "$.user.id");
  EXPECT_EQ(order_view().at(path).as<std::int64_t>(), 2);
  tl::selection selection = tl::selection::compile(order(), "{ id }");
  EXPECT_EQ(tl::trim(order_view(), moved_from(selection)).size(), 12u);
  tl::redaction redaction = tl::redaction::compile(order(), {.annotation = "pii"});
  const tl::buffer redacted = tl::redact(order_view(), moved_from(redaction));
  EXPECT_EQ(tl::to_json<tl::binary>(order(), redacted).str(), R"({"id":1,"user":{"id":2,"name":""}})");
  tl::schema schema = idl();
  EXPECT_TRUE(moved_from(schema).type("Order"));
  tl::http_plan plan = tl::http_plan::compile(order());
  EXPECT_EQ(moved_from(plan).request_type(), order());
  tl::validator validator = tl::validator::compile(order());
  EXPECT_TRUE(moved_from(validator).findings<tl::binary>(bytes()).empty());
}

TEST(moved_from, owners_of_data_are_empty) {
  tl::document document;
  document.load<tl::binary>(bytes(), order());
  tl::buffer out;
  EXPECT_EQ(code_of(moved_from(document).try_append_to(out)), tl::errc::absent);
  document.load<tl::binary>(bytes(), order());
  EXPECT_EQ(document["id"].as<std::int64_t>(), 1);
  tl::columns columns = tl::columns::compile(tl::selection::compile(order(), "{ id }"));
  columns.append<tl::binary>(bytes());
  EXPECT_EQ(moved_from(columns).rows(), 0u);
  columns.append<tl::binary>(bytes());
  EXPECT_EQ(columns.rows(), 1u);
  EXPECT_EQ(moved_from(columns).fork().rows(), 0u);
  tl::buffer buffer(bytes());
  EXPECT_TRUE(moved_from(buffer).empty());
}

}  // namespace moved_from_test
