// thrift_to_json by Apache Thrift and rapidjson: decode with generated code, write the struct with
// rapidjson's Writer; buffers reused.
#include <apache.hpp>
#include <json_values.hpp>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace {

using writer = rapidjson::Writer<rapidjson::StringBuffer>;

void text(writer& out, const std::string& value) {
  out.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
}
[[maybe_unused]] void key(writer& out, const std::string& value) {
  out.Key(value.data(), static_cast<rapidjson::SizeType>(value.size()));
}

/// Writes the fields that the message has, like the other contestants. Only fields distinguish Simple and
/// Nesting.
template <class Simple>
  requires requires(const Simple& from) { from.ByteField; }
void write(writer& out, const Simple& from) {
  out.StartObject();
  if (from.__isset.ByteField) out.Key("ByteField"), out.Int(from.ByteField);
  if (from.__isset.I64Field) out.Key("I64Field"), out.Int64(from.I64Field);
  if (from.__isset.DoubleField) out.Key("DoubleField"), out.Double(from.DoubleField);
  if (from.__isset.I32Field) out.Key("I32Field"), out.Int(from.I32Field);
  if (from.__isset.StringField) out.Key("StringField"), text(out, from.StringField);
  if (from.__isset.BinaryField) out.Key("BinaryField"), text(out, bench::base64(from.BinaryField));
  out.EndObject();
}

template <class Nesting>
  requires requires(const Nesting& from) { from.ListSimple; }
void write(writer& out, const Nesting& from) {
  auto list = [&](const char* name, const auto& values, auto each) {
    out.Key(name), out.StartArray();
    for (const auto& value : values) each(value);
    out.EndArray();
  };
  auto map = [&](const char* name, const auto& values, auto name_of, auto each) {
    out.Key(name), out.StartObject();
    for (const auto& [k, v] : values) key(out, name_of(k)), each(v);
    out.EndObject();
  };
  auto same = [](const std::string& k) -> const std::string& { return k; };
  auto digits = [](auto k) { return std::to_string(k); };
  auto as_text = [&](const std::string& v) { text(out, v); };
  auto as_i64 = [&](std::int64_t v) { out.Int64(v); };
  auto as_struct = [&](const auto& v) { write(out, v); };
  out.StartObject();
  if (from.__isset.String) out.Key("String"), text(out, from.String);
  if (from.__isset.ListSimple) list("ListSimple", from.ListSimple, as_struct);
  if (from.__isset.Double) out.Key("Double"), out.Double(from.Double);
  if (from.__isset.I32) out.Key("I32"), out.Int(from.I32);
  if (from.__isset.ListI32) list("ListI32", from.ListI32, as_i64);
  if (from.__isset.I64) out.Key("I64"), out.Int64(from.I64);
  if (from.__isset.MapStringString) map("MapStringString", from.MapStringString, same, as_text);
  if (from.__isset.SimpleStruct) out.Key("SimpleStruct"), write(out, from.SimpleStruct);
  if (from.__isset.MapI32I64) map("MapI32I64", from.MapI32I64, digits, as_i64);
  if (from.__isset.ListString) list("ListString", from.ListString, as_text);
  if (from.__isset.Binary) out.Key("Binary"), text(out, bench::base64(from.Binary));
  if (from.__isset.MapI64String) map("MapI64String", from.MapI64String, digits, as_text);
  if (from.__isset.ListI64) list("ListI64", from.ListI64, as_i64);
  if (from.__isset.Byte) out.Key("Byte"), out.Int(from.Byte);
  if (from.__isset.MapStringSimple) map("MapStringSimple", from.MapStringSimple, same, as_struct);
  out.EndObject();
}

template <class Variant, class Struct>
struct to_json {
  bench::apache::channel<Variant> in;
  rapidjson::StringBuffer buffer;
  std::size_t run(const std::string& bytes) {
    Struct value;
    value.read(&in.over(bytes));
    buffer.Clear();
    writer out(buffer);
    write(out, value);
    return buffer.GetSize();
  }
  std::string answer(const std::string& bytes) {
    return run(bytes), bench::json_values({buffer.GetString(), buffer.GetSize()});
  }
};

const bool entered = bench::apache::enter_all<to_json>("thrift_to_json");

}  // namespace
