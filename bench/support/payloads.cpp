// Fills the payloads. Small and Medium hold what dynamicgo's samples hold; the others are made from a fixed seed.
#include "payloads.hpp"

#include "apache.hpp"
#include "contest.hpp"

#include <cstdio>
#include <limits>
#include <random>

namespace bench {
namespace {

using thriftlens_bench::Nesting;
using thriftlens_bench::Simple;

constexpr const char* text = "你好,\b\n\r\t世界你好,\b\n\r\t世界";

std::string raw() {
  std::string bytes;
  for (int i = 0; i < 32; ++i) bytes += static_cast<char>(i % 16);
  return bytes;
}

Simple small() {
  Simple made;
  made.__set_ByteField(std::numeric_limits<std::int8_t>::max());
  made.__set_I64Field(std::numeric_limits<std::int64_t>::max());
  made.__set_DoubleField(std::numeric_limits<double>::max());
  made.__set_I32Field(std::numeric_limits<std::int32_t>::max());
  made.__set_StringField(text);
  made.__set_BinaryField(raw());
  return made;
}

/// Nesting with `count` elements in every list and map, keys in ascending order of their numbers (a std::map would sort them
/// as text), written call by call.
template <class Way>
std::string nesting(std::int32_t count) {
  using namespace apache::proto;
  apache::channel<Way> channel;
  auto& out = channel.fresh();
  const Simple simple = small();
  auto field = [&](std::int16_t id, TType type) { out.writeFieldBegin("", type, id); };
  auto list = [&](std::int16_t id, TType element, auto each) {
    field(id, T_LIST);
    out.writeListBegin(element, static_cast<std::uint32_t>(count));
    for (std::int32_t i = 0; i < count; ++i) each();
    out.writeListEnd();
  };
  auto map = [&](std::int16_t id, TType key, TType value, auto each) {
    field(id, T_MAP);
    out.writeMapBegin(key, value, static_cast<std::uint32_t>(count));
    for (std::int32_t i = 0; i < count; ++i) each(i);
    out.writeMapEnd();
  };
  const std::string words = text;
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  out.writeStructBegin("Nesting");
  field(1, T_STRING), out.writeString(words);
  list(2, T_STRUCT, [&] { simple.write(&out); });
  field(3, T_DOUBLE), out.writeDouble(std::numeric_limits<double>::max());
  field(4, T_I32), out.writeI32(std::numeric_limits<std::int32_t>::max());
  list(5, T_I32, [&] { out.writeI32(std::numeric_limits<std::int32_t>::min()); });
  field(6, T_I64), out.writeI64(std::numeric_limits<std::int64_t>::max());
  map(7, T_STRING, T_STRING, [&](std::int32_t i) { out.writeString(std::to_string(i)), out.writeString(words); });
  field(8, T_STRUCT), simple.write(&out);
  map(9, T_I32, T_I64, [&](std::int32_t i) { out.writeI32(i), out.writeI64(lowest); });
  list(10, T_STRING, [&] { out.writeString(words); });
  field(11, T_STRING), out.writeBinary(raw());
  map(12, T_I64, T_STRING, [&](std::int32_t i) { out.writeI64(i), out.writeString(words); });
  list(13, T_I64, [&] { out.writeI64(lowest); });
  field(14, T_BYTE), out.writeByte(std::numeric_limits<std::int8_t>::max());
  map(15, T_STRING, T_STRUCT, [&](std::int32_t i) { out.writeString(std::to_string(i)), simple.write(&out); });
  out.writeFieldStop();
  out.writeStructEnd();
  return std::string(channel.written());
}

/// Random values, lengths and counts near Medium's; generated code writes every field, so none is missing.
class varied {
 public:
  Nesting next() {
    Nesting made;
    made.__set_String(word());
    made.__set_Double(std::normal_distribution<double>(0, 1e6)(dice_));
    made.__set_I32(static_cast<std::int32_t>(number()));
    made.__set_I64(number());
    made.__set_SimpleStruct(simple());
    made.__set_Binary(word());
    made.__set_Byte(static_cast<std::int8_t>(number()));
    for (std::size_t n = count(); n > 0; --n) made.ListSimple.push_back(simple());
    for (std::size_t n = count(); n > 0; --n) made.ListI32.push_back(static_cast<std::int32_t>(number()));
    for (std::size_t n = count(); n > 0; --n) made.ListI64.push_back(number());
    for (std::size_t n = count(); n > 0; --n) made.ListString.push_back(word());
    for (std::size_t n = count(); n > 0; --n) made.MapStringString[word()] = word();
    for (std::size_t n = count(); n > 0; --n) made.MapI32I64[static_cast<std::int32_t>(number())] = number();
    for (std::size_t n = count(); n > 0; --n) made.MapI64String[number()] = word();
    for (std::size_t n = count(); n > 0; --n) made.MapStringSimple[std::to_string(n)] = simple();
    return made;
  }

 private:
  Simple simple() {
    Simple made;
    made.__set_ByteField(static_cast<std::int8_t>(number()));
    made.__set_I64Field(number());
    made.__set_DoubleField(std::normal_distribution<double>(0, 1e6)(dice_));
    made.__set_I32Field(static_cast<std::int32_t>(number()));
    made.__set_StringField(word());
    made.__set_BinaryField(word());
    return made;
  }
  std::size_t count() { return 8 + dice_() % 17; }
  std::int64_t number() { return static_cast<std::int64_t>(dice_() >> (dice_() % 60)); }
  std::string word() {
    static const char* const parts[] = {"alpha", "beta ", "\"quoted\"", "naïve", "数据", "line\n", "0123456789", "-", "tab\t", "plain words here"};
    std::string made;
    for (std::size_t n = dice_() % 8; n > 0; --n) made += parts[dice_() % std::size(parts)];
    return made;
  }
  std::mt19937_64 dice_{20261121};
};

template <class Struct>
payload kind(std::string name, const std::vector<Struct>& values) {
  payload made{std::move(name), std::is_same_v<Struct, Simple>, {}, {}};
  for (const Struct& each : values) {
    made.binary.push_back(apache::encoded<apache::templates>(each));
    made.compact.push_back(apache::encoded<apache::compact>(each));
  }
  return made;
}

/// Small and Medium must be the published samples, where those are at hand.
void check_against_samples(const std::vector<payload>& made) {
  const std::string shared = shared_dir();
  if (shared.empty()) return;
  for (const payload& each : made) {
    if (each.name != "small" && each.name != "medium") continue;
    if (read_file(shared + "/payloads/" + each.name + ".bin") != each.binary[0]) std::fprintf(stderr, "payload %s is not the published sample\n", each.name.c_str());
  }
}

}  // namespace

const std::vector<payload>& payloads() {
  static const std::vector<payload> all = [] {
    std::vector<Nesting> many;
    varied source;
    for (int i = 0; i < 512; ++i) many.push_back(source.next());
    std::vector<payload> made;
    made.push_back(kind("small", std::vector<Simple>{small()}));
    made.push_back({"medium", false, {nesting<apache::templates>(16)}, {nesting<apache::compact>(16)}});
    made.push_back(kind("medium_varied", many));
    made.push_back({"1mb", false, {nesting<apache::templates>(2600)}, {nesting<apache::compact>(2600)}});
    made.push_back({"6mb", false, {nesting<apache::templates>(15500)}, {nesting<apache::compact>(15500)}});
    check_against_samples(made);
    return made;
  }();
  return all;
}

std::string bench_idl() { return std::string(THRIFTLENS_SOURCE_DIR) + "/idl/bench.thrift"; }

}  // namespace bench
