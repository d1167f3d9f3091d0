// set_one by Apache Thrift: decode all, replace the value that get_one reads, encode all.
#include <apache.hpp>
#include <thrift_values.hpp>

namespace {

template <class Variant, class Struct>
struct set_one {
  bench::apache::channel<Variant> in, out;
  std::string value;
  set_one() {
    for (int i = 0; i < 32; ++i) value += static_cast<char>(i % 16);
  }

  std::size_t run(const std::string& bytes) {
    Struct decoded;
    decoded.read(&in.over(bytes));
    change(decoded);
    decoded.write(&out.fresh());
    return out.written().size();
  }
  void change(thriftlens_bench::Simple& of) { of.__set_BinaryField(value); }
  template <class Nesting>
  void change(Nesting& of) {
    if (auto found = of.MapStringSimple.find("15"); found != of.MapStringSimple.end())
      found->second.__set_BinaryField(value);
  }
  std::string answer(const std::string& bytes) {
    return run(bytes), bench::thrift_values<Variant>(out.written(), bench::apache::about<Struct>::name);
  }
};

const bool entered = bench::apache::enter_all<set_one>("set_one");

}  // namespace
