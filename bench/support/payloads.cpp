// Fills the payloads. Small and Medium equal dynamicgo's samples; the others are generated from a fixed seed.
#include "payloads.hpp"

#include "apache.hpp"
#include "contest.hpp"

#include <cstdio>
#include <limits>
#include <random>

namespace bench {
namespace {

using thriftlens_bench::Simple;
using thriftlens_bench::SparseNesting;
using thriftlens_bench::SparseSimple;

constexpr const char* text = "你好,\b\n\r\t世界你好,\b\n\r\t世界";

std::string raw() {
  std::string bytes;
  for (int i = 0; i < 32; ++i) bytes += static_cast<char>(i % 16);
  return bytes;
}

Simple small() {
  Simple value;
  value.__set_ByteField(std::numeric_limits<std::int8_t>::max());
  value.__set_I64Field(std::numeric_limits<std::int64_t>::max());
  value.__set_DoubleField(std::numeric_limits<double>::max());
  value.__set_I32Field(std::numeric_limits<std::int32_t>::max());
  value.__set_StringField(text);
  value.__set_BinaryField(raw());
  return value;
}

/// Nesting with `count` elements in every list and map, keys in ascending order of their numbers (a std::map
/// would sort them as text), written call by call.
template <class Variant>
std::string nesting(std::int32_t count) {
  using namespace apache::proto;
  apache::channel<Variant> channel;
  auto& out = channel.fresh();
  const Simple simple = small();
  auto field = [&](std::int16_t id, TType type) { out.writeFieldBegin("", type, id); };
  auto list = [&](std::int16_t id, TType element, auto write_entry) {
    field(id, T_LIST);
    out.writeListBegin(element, static_cast<std::uint32_t>(count));
    for (std::int32_t i = 0; i < count; ++i) write_entry();
    out.writeListEnd();
  };
  auto map = [&](std::int16_t id, TType key, TType value, auto write_entry) {
    field(id, T_MAP);
    out.writeMapBegin(key, value, static_cast<std::uint32_t>(count));
    for (std::int32_t i = 0; i < count; ++i) write_entry(i);
    out.writeMapEnd();
  };
  const std::string string_value = text;
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  out.writeStructBegin("Nesting");
  field(1, T_STRING), out.writeString(string_value);
  list(2, T_STRUCT, [&] { simple.write(&out); });
  field(3, T_DOUBLE), out.writeDouble(std::numeric_limits<double>::max());
  field(4, T_I32), out.writeI32(std::numeric_limits<std::int32_t>::max());
  list(5, T_I32, [&] { out.writeI32(std::numeric_limits<std::int32_t>::min()); });
  field(6, T_I64), out.writeI64(std::numeric_limits<std::int64_t>::max());
  map(7, T_STRING, T_STRING,
      [&](std::int32_t i) { out.writeString(std::to_string(i)), out.writeString(string_value); });
  field(8, T_STRUCT), simple.write(&out);
  map(9, T_I32, T_I64, [&](std::int32_t i) { out.writeI32(i), out.writeI64(lowest); });
  list(10, T_STRING, [&] { out.writeString(string_value); });
  field(11, T_STRING), out.writeBinary(raw());
  map(12, T_I64, T_STRING, [&](std::int32_t i) { out.writeI64(i), out.writeString(string_value); });
  list(13, T_I64, [&] { out.writeI64(lowest); });
  field(14, T_BYTE), out.writeByte(std::numeric_limits<std::int8_t>::max());
  map(15, T_STRING, T_STRUCT,
      [&](std::int32_t i) { out.writeString(std::to_string(i)), simple.write(&out); });
  out.writeFieldStop();
  out.writeStructEnd();
  return std::string(channel.written());
}

/// Random values, lengths and counts near Medium's; so many percent of the fields are missing, but for the
/// first message.
class varied {
 public:
  explicit varied(unsigned absent_percent) : absent_percent_(absent_percent) {}

  SparseNesting next() {
    SparseNesting value;
    if (there()) value.__set_String(word());
    if (there()) value.__set_Double(real());
    if (there()) value.__set_I32(static_cast<std::int32_t>(number()));
    if (there()) value.__set_I64(number());
    if (there()) value.__set_SimpleStruct(simple());
    if (there()) value.__set_Binary(word());
    if (there()) value.__set_Byte(static_cast<std::int8_t>(number()));
    if ((value.__isset.ListSimple = there())) times([&] { value.ListSimple.push_back(simple()); });
    if ((value.__isset.ListI32 = there()))
      times([&] { value.ListI32.push_back(static_cast<std::int32_t>(number())); });
    if ((value.__isset.ListI64 = there())) times([&] { value.ListI64.push_back(number()); });
    if ((value.__isset.ListString = there())) times([&] { value.ListString.push_back(word()); });
    if ((value.__isset.MapStringString = there())) times([&] { value.MapStringString[word()] = word(); });
    if ((value.__isset.MapI32I64 = there()))
      times([&] { value.MapI32I64[static_cast<std::int32_t>(number())] = number(); });
    if ((value.__isset.MapI64String = there())) times([&] { value.MapI64String[number()] = word(); });
    int key = 0;
    if ((value.__isset.MapStringSimple = there()))
      times([&] { value.MapStringSimple[std::to_string(++key)] = simple(); });
    complete_ = false;
    return value;
  }

 private:
  SparseSimple simple() {
    SparseSimple value;
    if (there()) value.__set_ByteField(static_cast<std::int8_t>(number()));
    if (there()) value.__set_I64Field(number());
    if (there()) value.__set_DoubleField(real());
    if (there()) value.__set_I32Field(static_cast<std::int32_t>(number()));
    if (there()) value.__set_StringField(word());
    if (there()) value.__set_BinaryField(word());
    return value;
  }
  template <class Make>
  void times(Make make) {
    for (std::size_t n = 8 + dice_() % 17; n > 0; --n) make();
  }
  bool there() { return dice_() % 100 >= absent_percent_ || complete_; }
  double real() { return std::normal_distribution<double>(0, 1e6)(dice_); }
  std::int64_t number() { return static_cast<std::int64_t>(dice_() >> (dice_() % 60)); }
  std::string word() {
    static const char* const parts[] = {"alpha",  "beta ",      "\"quoted\"", "naïve", "数据",
                                        "line\n", "0123456789", "-",          "tab\t", "plain words here"};
    std::string text_of_parts;
    for (std::size_t n = dice_() % 8; n > 0; --n) text_of_parts += parts[dice_() % std::size(parts)];
    return text_of_parts;
  }
  std::mt19937_64 dice_{20261121};
  unsigned absent_percent_;
  bool complete_ = true;
};

template <class Struct>
payload of_structs(std::string name, kind holds, const std::vector<Struct>& values) {
  payload result{std::move(name), holds, {}, {}};
  for (const Struct& value : values) {
    result.binary.push_back(apache::encoded<apache::templates>(value));
    result.compact.push_back(apache::encoded<apache::compact>(value));
  }
  return result;
}

payload of_size(std::string name, std::int32_t count) {
  return {
      std::move(name), kind::nesting, {nesting<apache::templates>(count)}, {nesting<apache::compact>(count)}};
}

payload of_varied(std::string name, unsigned absent_percent) {
  std::vector<SparseNesting> values;
  varied source(absent_percent);
  for (int i = 0; i < 512; ++i) values.push_back(source.next());
  return of_structs(std::move(name), kind::sparse, values);
}

/// Small and Medium must equal the published samples, if those are present.
void check_against_samples(const std::vector<payload>& checked) {
  const std::string shared = shared_dir();
  if (shared.empty()) return;
  for (const payload& input : checked) {
    if (input.name != "small" && input.name != "medium") continue;
    if (read_file(shared + "/payloads/" + input.name + ".bin") != input.binary[0])
      std::fprintf(stderr, "payload %s is not the published sample\n", input.name.c_str());
  }
}

}  // namespace

const std::vector<payload>& payloads() {
  static const std::vector<payload> payloads_in_order = [] {
    std::vector<payload> built;
    built.push_back(of_structs("small", kind::simple, std::vector<Simple>{small()}));
    built.push_back(of_size("medium", 16));
    built.push_back(of_varied("varied_0", 0));
    built.push_back(of_varied("varied_10", 10));
    built.push_back(of_varied("medium_varied", 25));
    built.push_back(of_varied("varied_50", 50));
    built.push_back(of_size("1mb", 2600));
    built.push_back(of_size("6mb", 15500));
    check_against_samples(built);
    return built;
  }();
  return payloads_in_order;
}

std::string bench_idl() { return std::string(THRIFTLENS_SOURCE_DIR) + "/idl/bench.thrift"; }

}  // namespace bench
