// sample: requests and answers of small IDLs, through both protocols.
#pragma once

#include <thriftlens/http/plan.hpp>
#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/to_json.hpp>
#include <thriftlens/schema/schema.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace thriftlens_test {

/// A plan of the type `Root` of an IDL.
struct http_sample {
  explicit http_sample(std::string_view idl, const thriftlens::http_options& options = {})
      : schema(thriftlens::schema::parse(std::string(idl))),
        root(schema.type("Root")),
        plan(thriftlens::http_plan::compile(root, options)) {}

  /// What a request becomes, as JSON; an error as its text. Both protocols must agree.
  [[nodiscard]] std::string read(const thriftlens::http_request& request) const {
    thriftlens::buffer binary_out, compact_out;
    binary_out.append({"kept", 4});
    const auto appended = plan.try_append_request<thriftlens::binary>(request, binary_out);
    const auto also = plan.try_append_request<thriftlens::compact>(request, compact_out);
    if (!appended) {
      EXPECT_EQ(binary_out.text(), "kept");
      EXPECT_TRUE(compact_out.empty());
      EXPECT_STREQ(appended.error().what(), also ? "" : also.error().what());
      return appended.error().what();
    }
    EXPECT_TRUE(also) << also.error().what();
    const thriftlens::byte_view bytes(binary_out.data() + 4, binary_out.size() - 4);
    const std::string json = thriftlens::to_json<thriftlens::binary>(root, bytes).str();
    EXPECT_EQ(json, thriftlens::to_json<thriftlens::compact>(root, thriftlens::byte_view(compact_out)).str());
    return json;
  }
  [[nodiscard]] std::string query(std::string_view text) const {
    const std::string url = "/x?" + std::string(text);
    return read({.url = url});
  }
  [[nodiscard]] std::string body(std::string_view json, std::string_view url = "/x") const {
    const thriftlens::http_pair headers[] = {{"Content-Type", "application/json"}};
    return read({.method = "POST", .url = url, .headers = headers, .body = json});
  }
  /// The response for a value passed as JSON: "status|name: value|name=value|body"; an error as its text.
  [[nodiscard]] std::string answer(std::string_view json) const {
    const thriftlens::buffer data = thriftlens::from_json<thriftlens::binary>(root, json);
    const auto response = plan.try_response<thriftlens::binary>(data);
    const thriftlens::buffer other = thriftlens::from_json<thriftlens::compact>(root, json);
    const auto also = plan.try_response<thriftlens::compact>(other);
    EXPECT_EQ(static_cast<bool>(response), static_cast<bool>(also));
    if (!response) return response.error().what();
    EXPECT_EQ(shown(*response), shown(*also));
    return shown(*response);
  }
  [[nodiscard]] static std::string shown(const thriftlens::http_response& from) {
    std::string text = std::to_string(from.status) + '|';
    for (const auto& each : from.headers) text += each.name + ": " + each.value + '|';
    for (const auto& each : from.cookies) text += thriftlens::set_cookie(each) + '|';
    return text + from.body.str();
  }

  thriftlens::schema schema;
  thriftlens::type root;
  thriftlens::http_plan plan;
};

}  // namespace thriftlens_test
