// json_to_thrift by rapidjson and Apache Thrift: parse to a DOM, fill the generated struct, encode it; memory
// reused.
#include <apache.hpp>
#include <json_messages.hpp>
#include <json_values.hpp>
#include <thrift_values.hpp>

#include <rapidjson/document.h>

#include <cstdlib>

namespace {

using rapidjson::Value;

std::string text(const Value& from) { return {from.GetString(), from.GetStringLength()}; }

template <class Simple>
  requires requires(Simple& to) { to.ByteField; }
void fill(const Value& from, Simple& to) {
  for (const auto& [name, value] : from.GetObject()) {
    const std::string_view key(name.GetString(), name.GetStringLength());
    if (key == "ByteField")
      to.__set_ByteField(static_cast<std::int8_t>(value.GetInt()));
    else if (key == "I64Field")
      to.__set_I64Field(value.GetInt64());
    else if (key == "DoubleField")
      to.__set_DoubleField(value.GetDouble());
    else if (key == "I32Field")
      to.__set_I32Field(value.GetInt());
    else if (key == "StringField")
      to.__set_StringField(text(value));
    else if (key == "BinaryField")
      to.__set_BinaryField(bench::from_base64({value.GetString(), value.GetStringLength()}));
  }
}

template <class Numbers>
void numbers(const Value& from, Numbers& to) {
  for (const Value& element : from.GetArray())
    to.push_back(static_cast<typename Numbers::value_type>(element.GetInt64()));
}

template <class Nesting>
  requires requires(Nesting& to) { to.ListSimple; }
void fill(const Value& from, Nesting& to) {
  for (const auto& [name, value] : from.GetObject()) {
    const std::string_view key(name.GetString(), name.GetStringLength());
    if (key == "String")
      to.__set_String(text(value));
    else if (key == "Double")
      to.__set_Double(value.GetDouble());
    else if (key == "I32")
      to.__set_I32(value.GetInt());
    else if (key == "I64")
      to.__set_I64(value.GetInt64());
    else if (key == "Byte")
      to.__set_Byte(static_cast<std::int8_t>(value.GetInt()));
    else if (key == "Binary")
      to.__set_Binary(bench::from_base64({value.GetString(), value.GetStringLength()}));
    else if (key == "SimpleStruct")
      fill(value, to.SimpleStruct), to.__isset.SimpleStruct = true;
    else if (key == "ListI32") {
      to.__isset.ListI32 = true;
      numbers(value, to.ListI32);
    } else if (key == "ListI64") {
      to.__isset.ListI64 = true;
      numbers(value, to.ListI64);
    } else if (key == "ListString") {
      to.__isset.ListString = true;
      for (const Value& element : value.GetArray()) to.ListString.push_back(text(element));
    } else if (key == "ListSimple") {
      to.__isset.ListSimple = true;
      for (const Value& element : value.GetArray()) fill(element, to.ListSimple.emplace_back());
    } else if (key == "MapStringString") {
      to.__isset.MapStringString = true;
      for (const auto& [k, v] : value.GetObject()) to.MapStringString[text(k)] = text(v);
    } else if (key == "MapI32I64") {
      to.__isset.MapI32I64 = true;
      for (const auto& [k, v] : value.GetObject()) to.MapI32I64[std::atoi(k.GetString())] = v.GetInt64();
    } else if (key == "MapI64String") {
      to.__isset.MapI64String = true;
      for (const auto& [k, v] : value.GetObject()) to.MapI64String[std::atoll(k.GetString())] = text(v);
    } else if (key == "MapStringSimple") {
      to.__isset.MapStringSimple = true;
      for (const auto& [k, v] : value.GetObject()) fill(v, to.MapStringSimple[text(k)]);
    }
  }
}

template <class Variant, class Struct>
struct from_json {
  bench::apache::channel<Variant> out;
  std::size_t run(const std::string& json) {
    rapidjson::Document parsed;
    parsed.Parse<rapidjson::kParseFullPrecisionFlag>(
        json.data(), json.size());  // the default can be off by one unit in the last place
    Struct value;
    fill(parsed, value);
    value.write(&out.fresh());
    return out.written().size();
  }
  std::string answer(const std::string& json) {
    return run(json), bench::thrift_values<Variant>(out.written(), bench::apache::about<Struct>::name);
  }
};

const bool entered = bench::apache::for_each_variant([]<class Variant>(Variant) {
  if constexpr (!std::is_same_v<Variant, bench::apache::virtual_calls>) {
    const std::string task =
        std::is_same_v<Variant, bench::apache::compact> ? "json_to_thrift_compact" : "json_to_thrift";
    for (const bench::payload& payload : bench::payloads())
      bench::apache::enter_struct<from_json, Variant>(task, payload, bench::json_messages(payload));
  }
});

}  // namespace
