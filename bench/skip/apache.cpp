// skip by Apache Thrift: its skip() over the complete struct.
#include <apache.hpp>

namespace {

template <class Variant, class Struct>
struct skip {
  bench::apache::channel<Variant> in;
  std::uint32_t run(const std::string& bytes) { return in.over(bytes).skip(bench::apache::proto::T_STRUCT); }
  std::string answer(const std::string& bytes) {
    return run(bytes), std::to_string(bytes.size() - in.left());
  }
};

const bool entered = bench::apache::enter_all<skip>("skip");

}  // namespace
