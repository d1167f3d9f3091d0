// encode by thriftlens: structs of the user's own, owning and borrowing ones; the buffer is reused.
#include <own_contest.hpp>
#include <thrift_values.hpp>

namespace {

template <class Protocol, class Struct>
struct encode {
  using value = Struct;
  const char* type;
  thriftlens::buffer out;
  explicit encode(const char* of) : type(of) {}

  Struct make(const std::string& bytes) { return thriftlens::decode<Struct, Protocol>(bytes); }
  std::size_t run(const Struct& from) {
    out.clear();
    return thriftlens::try_append_encoded<Protocol>(from, out).has_value() ? out.size() : 0;
  }
  std::string answer(const Struct& from) {
    return run(from), bench::thrift_values<Protocol>(out.text(), type);
  }
};

const bool entered = bench::own::enter_all<encode, bench::own::standard>("encode", "thriftlens_std") &&
                     bench::own::enter_all<encode, bench::own::views>("encode", "thriftlens_views");

}  // namespace
