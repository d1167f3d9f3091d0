// decode by Apache Thrift: generated code, a new object each time.
#include <apache.hpp>
#include <thrift_values.hpp>

namespace {

template <class Variant, class Struct>
struct decode {
  bench::apache::channel<Variant> in;
  std::size_t run(const std::string& bytes) {
    Struct value;
    const std::uint32_t read = value.read(&in.over(bytes));
    benchmark::DoNotOptimize(value);
    return read;
  }
  std::string answer(const std::string& bytes) {
    return bench::thrift_values<Variant>(
        bench::apache::encoded<Variant>(bench::apache::decoded<Variant, Struct>(bytes)),
        bench::apache::about<Struct>::name);
  }
};

const bool entered = bench::apache::enter_all<decode>("decode");

}  // namespace
