// trim by Apache Thrift: read into the partial struct of idl/bench.thrift, which skips the rest, and write it.
#include <apache.hpp>
#include <thrift_values.hpp>

namespace {

template <class Struct>
struct partial {
  using type = thriftlens_bench::PartialNesting;
};
template <>
struct partial<thriftlens_bench::Simple> {
  using type = thriftlens_bench::PartialSimple;
};

template <class Way, class Struct>
struct trim {
  bench::apache::channel<Way> in, out;
  std::size_t run(const std::string& bytes) {
    typename partial<Struct>::type kept;
    kept.read(&in.over(bytes));
    kept.write(&out.fresh());
    return out.written().size();
  }
  std::string answer(const std::string& bytes) { return run(bytes), bench::thrift_values<Way>(out.written(), std::is_same_v<Struct, thriftlens_bench::Simple> ? "Simple" : "Nesting"); }
};

const bool entered = bench::apache::enter_all<trim>("trim");

}  // namespace
