// The core of a gateway: a JSON request becomes a Thrift call, the Thrift reply becomes JSON. The IDL is
// parsed at start; there is no generated code and no tree between the bytes and the text.
#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace tl = thriftlens;

namespace {

// The JSON object has one key per argument. Unknown keys, numbers out of range and missing arguments are
// errors here, before anything is sent.
tl::result<tl::buffer> to_call(const tl::function_info& function, std::string_view json,
                               std::int32_t sequence_id) {
  return tl::try_write_call<tl::binary>(function, tl::json_text{json}, sequence_id);
}

// The result or the declared exception as JSON.
tl::result<std::string> to_answer(const tl::function_info& function, std::int32_t sequence_id,
                                  tl::byte_view bytes) {
  const auto reply = tl::try_read_reply<tl::binary>(function, sequence_id, bytes);
  if (!reply) return reply.error();
  if (reply->kind == tl::reply_kind::application)
    return tl::error(tl::errc::bad_message, "the service failed: " + reply->refusal.message);
  const auto json = tl::try_to_json(reply->value, {.format = {.enums = tl::enum_values::name}});
  if (!json) return json.error();
  return std::string(json->text());
}

// Stands for the service: it knows one order.
tl::buffer serve(const tl::service_info& shop, tl::byte_view bytes) {
  const auto call = tl::try_read_call<tl::binary>(shop, bytes);
  if (!call) return {};  // a real server closes the connection
  const std::int32_t id = call->header.sequence_id;
  if (call->arguments["id"].value_or<std::int64_t>(0) != 4711000000001)
    return tl::write_thrown<tl::binary>(call->function, "missing",
                                        tl::json_text{R"({"message":"no such order"})"}, {id});
  std::ifstream file("idl/order.bin", std::ios::binary);
  const std::string order{std::istreambuf_iterator<char>(file), {}};
  return tl::write_reply<tl::binary>(call->function, tl::wire_bytes{tl::byte_view(order)}, id);
}

void ask(const tl::service_info& shop, std::string_view json) {
  const tl::function_info get = shop.function("get");
  const auto call = to_call(get, json, 1);
  if (!call) return static_cast<void>(std::printf("400 %s\n", call.error().what()));
  const tl::buffer reply = serve(shop, *call);
  const auto answer = to_answer(get, 1, reply);
  if (!answer) return static_cast<void>(std::printf("502 %s\n", answer.error().what()));
  std::printf("200 %.72s…\n", answer->c_str());
}

}  // namespace

int main() {
  const auto schema = tl::schema::load("idl/shop.thrift");
  const tl::service_info shop = schema.service("Shop");
  ask(shop, R"({"id": 4711000000001})");
  ask(shop, R"({"id": 1})");
  ask(shop, R"({"id": "many"})");
  ask(shop, R"({"order": 1})");
}
