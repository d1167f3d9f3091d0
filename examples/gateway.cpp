// The core of a gateway: a JSON request becomes a Thrift call, the Thrift reply becomes JSON. The IDL is read
// when the program starts; there is no generated code and no tree between the bytes and the text.
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

// A call as it goes over the wire: header, then the arguments as a struct. The JSON object has one key an
// argument.
tl::result<tl::buffer> to_call(const tl::function_info& function, std::string_view json,
                               std::int32_t sequence_id) {
  tl::buffer out;
  tl::binary::writer writer(out);
  const auto kind = function.oneway() ? tl::message_type::oneway : tl::message_type::call;
  tl::write_message(writer, {.name = function.name(), .type = kind, .sequence_id = sequence_id});
  // Unknown keys, numbers out of range, missing arguments: the caller hears of it before the service does.
  if (auto done = tl::try_append_from_json<tl::binary>(function.arguments(), json, out); !done)
    return done.error();
  return out;
}

// A reply is a struct with one field: 0 for the result, or that of the exception which was thrown.
tl::result<std::string> to_answer(const tl::function_info& function, tl::byte_view reply) {
  tl::binary::reader reader(reply);
  tl::message_header header;
  if (!tl::read_message(reader, header)) return tl::error(tl::errc::bad_message, "not a reply");
  if (header.type == tl::message_type::exception)
    return tl::error(tl::errc::bad_message, "the service failed");
  const auto result = tl::view<tl::binary>(tl::byte_view(reader.at(), reader.remaining()), function.result());
  for (const auto& field : result.fields()) {
    const auto json = tl::try_to_json(field.value, {.enums = tl::json_enums::name});
    if (!json) return json.error();
    return std::string(json->text());
  }
  return std::string("null");
}

// Stands for the service: it knows one order.
tl::buffer serve(const tl::function_info& get, tl::byte_view call) {
  std::ifstream file("idl/order.bin", std::ios::binary);
  const std::string order{std::istreambuf_iterator<char>(file), {}};
  tl::binary::reader reader(call);
  tl::message_header header;
  if (!tl::read_message(reader, header)) return {};
  const auto id = tl::view<tl::binary>(tl::byte_view(reader.at(), reader.remaining()), get.arguments())["id"]
                      .as<std::int64_t>();
  tl::buffer reply;
  tl::binary::writer writer(reply);
  tl::write_message(
      writer, {.name = header.name, .type = tl::message_type::reply, .sequence_id = header.sequence_id});
  const bool known = id == 4711000000001;
  std::int16_t last_id = 0;
  reply.commit(tl::binary::put_field(reply.reserve(tl::binary::field_room), tl::ttype::struct_, known ? 0 : 1,
                                     last_id));
  const tl::buffer missing =
      tl::from_json<tl::binary>(get.result().field("missing").type(), R"({"message":"no such order"})");
  reply.append(known ? tl::byte_view(order) : tl::byte_view(missing));
  reply.append(tl::byte_view("\0", 1));
  return reply;
}

void ask(const tl::function_info& function, std::string_view json) {
  const auto call = to_call(function, json, 1);
  if (!call) return static_cast<void>(std::printf("400 %s\n", call.error().what()));
  const tl::buffer reply = serve(function, *call);
  const auto answer = to_answer(function, reply);
  if (!answer) return static_cast<void>(std::printf("502 %s\n", answer.error().what()));
  std::printf("200 %.72s…\n", answer->c_str());
}

}  // namespace

int main() {
  const auto schema = tl::schema::load("idl/shop.thrift");
  const auto get = schema.service("Shop").function("get");
  ask(get, R"({"id": 4711000000001})");
  ask(get, R"({"id": 1})");
  ask(get, R"({"id": "many"})");
  ask(get, R"({"order": 1})");
}
