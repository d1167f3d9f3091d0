// list_i64 by Apache Thrift: generated code with a reused struct; the column is created here.
#include "column.hpp"

#include <apache.hpp>

#include <numeric>
#include <random>

namespace bench {

const std::vector<std::int64_t>& column() {
  static const std::vector<std::int64_t> values = [] {
    std::mt19937_64 dice(7);
    std::vector<std::int64_t> numbers(131072);
    for (std::int64_t& value : numbers) value = static_cast<std::int64_t>(dice() >> 8);
    return numbers;
  }();
  return values;
}
const std::vector<std::string>& column_messages() {
  static const std::vector<std::string> messages = [] {
    thriftlens_bench::Numbers numbers;
    numbers.__set_Values(column());
    return std::vector{apache::encoded<apache::templates>(numbers)};
  }();
  return messages;
}

}  // namespace bench

namespace {

std::string sum_of(const std::vector<std::int64_t>& values) {
  return std::to_string(std::accumulate(values.begin(), values.end(), std::int64_t{0}));
}

template <class Variant>
struct decode {
  bench::apache::channel<Variant> in;
  thriftlens_bench::Numbers into;
  std::int64_t run(const std::string& bytes) { return into.read(&in.over(bytes)), into.Values.back(); }
  std::string answer(const std::string& bytes) { return run(bytes), sum_of(into.Values); }
};
template <class Variant>
struct encode {
  bench::apache::channel<Variant> out;
  thriftlens_bench::Numbers from;
  encode() { from.__set_Values(bench::column()); }
  std::size_t run(const std::string&) { return from.write(&out.fresh()), out.written().size(); }
  std::string answer(const std::string& bytes) { return run(bytes), std::string(out.written()); }
};
/// Decoding is the only way.
template <class Variant>
struct sum : decode<Variant> {
  std::int64_t run(const std::string& bytes) {
    decode<Variant>::run(bytes);
    return std::accumulate(this->into.Values.begin(), this->into.Values.end(), std::int64_t{0});
  }
  std::string answer(const std::string& bytes) { return std::to_string(run(bytes)); }
};

template <class Variant>
bool enter() {
  return bench::enter_column<decode<Variant>>("list_i64_decode", Variant::name, 0) &&
         bench::enter_column<encode<Variant>>("list_i64_encode", Variant::name, 0) &&
         bench::enter_column<sum<Variant>>("list_i64_sum", Variant::name, 0);
}
const bool entered = enter<bench::apache::templates>() && enter<bench::apache::virtual_calls>();

}  // namespace
