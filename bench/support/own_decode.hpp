// own_decode: decoding into the user's structs, as contestants. Never keeps a view longer than its bytes.
#pragma once

#include "own_contest.hpp"
#include "thrift_values.hpp"

namespace bench::own {

template <class Protocol, class Struct>
std::string values_of(const Struct& value, const char* type) {
  thriftlens::buffer out;
  thriftlens::append_encoded<Protocol>(value, out);
  return thrift_values<Protocol>(out.text(), type);
}

template <class Protocol, class Struct>
struct decode_new {
  const char* type;
  explicit decode_new(const char* of) : type(of) {}
  bool run(const std::string& bytes) {
    auto value = thriftlens::try_decode<Struct, Protocol>(bytes);
    benchmark::DoNotOptimize(value);
    return value.has_value();
  }
  std::string answer(const std::string& bytes) {
    return values_of<Protocol>(thriftlens::decode<Struct, Protocol>(bytes), type);
  }
};

template <class Protocol, class Struct>
struct decode_over {
  const char* type;
  Struct value{};
  explicit decode_over(const char* of) : type(of) {}
  bool run(const std::string& bytes) {
    const bool is_decoded = thriftlens::try_decode_into<Protocol>(bytes, value).has_value();
    benchmark::DoNotOptimize(value);
    return is_decoded;
  }
  std::string answer(const std::string& bytes) { return run(bytes), values_of<Protocol>(value, type); }
};

}  // namespace bench::own
