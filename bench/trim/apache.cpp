// trim by Apache Thrift: read into the partial struct of idl/bench.thrift, which skips the rest, and write
// it.
#include <apache.hpp>
#include <thrift_values.hpp>

namespace {

template <class Variant, class Struct>
struct trim {
  bench::apache::channel<Variant> in, out;
  std::size_t run(const std::string& bytes) {
    typename bench::apache::about<Struct>::partial kept;
    kept.read(&in.over(bytes));
    kept.write(&out.fresh());
    return out.written().size();
  }
  std::string answer(const std::string& bytes) {
    return run(bytes), bench::thrift_values<Variant>(out.written(), bench::apache::about<Struct>::name);
  }
};

const bool entered = bench::apache::enter_all<trim>("trim");

}  // namespace
