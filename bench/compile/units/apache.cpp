// Apache's generated code and RapidJSON: JSON to a struct, its bytes, back to a struct and JSON.
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <iostream>
#include "user_types.h"
using apache::thrift::transport::TMemoryBuffer;
int main() {
  rapidjson::Document text;
  text.Parse(R"({"id": 42, "name": "Zoe"})");
  User sent, back;
  sent.id = text["id"].GetInt64();
  sent.name = text["name"].GetString();
  const auto memory = std::make_shared<TMemoryBuffer>();
  apache::thrift::protocol::TBinaryProtocolT<TMemoryBuffer> protocol(memory);
  sent.write(&protocol);
  back.read(&protocol);
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  writer.StartObject();
  writer.Key("id");
  writer.Int64(back.id);
  writer.Key("name");
  writer.String(back.name.c_str());
  writer.EndObject();
  std::cout << back.name << ' ' << out.GetString() << '\n';
}
