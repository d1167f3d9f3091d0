// set_many by Apache Thrift: decode all, replace the values by those of the first message, encode all.
#include <apache.hpp>
#include <thrift_values.hpp>

namespace {

template <class Variant, class Struct>
struct set_many {
  bench::apache::channel<Variant> in, out;
  Struct donor;
  explicit set_many(const bench::payload& of)
      : donor(bench::apache::decoded<Variant, Struct>(of.messages<Variant>()[0])) {}

  std::size_t run(const std::string& bytes) {
    Struct decoded;
    decoded.read(&in.over(bytes));
    change(decoded);
    decoded.write(&out.fresh());
    return out.written().size();
  }
  void change(thriftlens_bench::Simple& of) {
    of.__set_ByteField(donor.ByteField);
    of.__set_DoubleField(donor.DoubleField);
    of.__set_BinaryField(donor.BinaryField);
  }
  template <class Nesting>
  void change(Nesting& of) {
    of.__set_ListSimple(donor.ListSimple);
    of.__set_SimpleStruct(donor.SimpleStruct);
    of.__set_MapStringSimple(donor.MapStringSimple);
  }
  std::string answer(const std::string& bytes) {
    return run(bytes), bench::thrift_values<Variant>(out.written(), bench::apache::about<Struct>::name);
  }
};

const bool entered =
    bench::apache::enter_all<set_many>("set_many", [](const bench::payload& of) { return std::cref(of); });

}  // namespace
