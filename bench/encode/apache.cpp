// encode by Apache Thrift: generated structs into memory that is reused.
#include <apache.hpp>
#include <thrift_values.hpp>

namespace {

template <class Way, class Struct>
struct encode {
  using value = Struct;
  bench::apache::channel<Way> out;

  Struct make(const std::string& bytes) { return bench::apache::decoded<Way, Struct>(bytes); }
  std::size_t run(const Struct& from) { return from.write(&out.fresh()), out.written().size(); }
  std::string answer(const Struct& from) {
    return run(from), bench::thrift_values<Way>(out.written(), bench::apache::about<Struct>::name);
  }
};

const bool entered = bench::apache::enter_all<encode>("encode");

}  // namespace
