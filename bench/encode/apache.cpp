// encode by Apache Thrift: generated structs into memory that is reused.
#include <apache.hpp>
#include <thrift_values.hpp>

namespace {

template <class Variant, class Struct>
struct encode {
  using value = Struct;
  bench::apache::channel<Variant> out;

  Struct make(const std::string& bytes) { return bench::apache::decoded<Variant, Struct>(bytes); }
  std::size_t run(const Struct& from) { return from.write(&out.fresh()), out.written().size(); }
  std::string answer(const Struct& from) {
    return run(from), bench::thrift_values<Variant>(out.written(), bench::apache::about<Struct>::name);
  }
};

const bool entered = bench::apache::enter_all<encode>("encode");

}  // namespace
