// list_i64 by thriftlens: the column into a vector and back, and its sum without a vector.
#include "column.hpp"

#include <lens.hpp>

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/view/view.hpp>

#include <numeric>

namespace {

namespace tl = thriftlens;

struct numbers {
  std::vector<std::int64_t> values;
};

}  // namespace

template <>
struct tl::binding<numbers> : tl::numbered {};

namespace {

struct decode {
  numbers into;
  std::int64_t run(const std::string& bytes) {
    return tl::try_decode_into<tl::binary>(bytes, into) ? into.values.back() : 0;
  }
  std::string answer(const std::string& bytes) {
    run(bytes);
    return std::to_string(std::accumulate(into.values.begin(), into.values.end(), std::int64_t{0}));
  }
};
struct encode {
  numbers from{bench::column()};
  tl::buffer out;
  std::size_t run(const std::string&) {
    out.clear();
    return tl::try_append_encoded<tl::binary>(from, out) ? out.size() : 0;
  }
  std::string answer(const std::string& bytes) { return run(bytes), out.str(); }
};
struct sum {
  tl::type type = bench::lens::type("Numbers");
  std::int64_t run(const std::string& bytes) {
    const auto values = tl::view<tl::binary>(bytes, type)["Values"].try_numbers<std::int64_t>();
    return values ? std::accumulate(values->begin(), values->end(), std::int64_t{0}) : 0;
  }
  std::string answer(const std::string& bytes) { return std::to_string(run(bytes)); }
};
/// The same by views of the elements.
struct sum_elements {
  tl::type type = bench::lens::type("Numbers");
  std::int64_t run(const std::string& bytes) {
    std::int64_t sum = 0;
    const tl::view<tl::binary> root(bytes, type);
    for (auto element : root["Values"].try_elements()) sum += element.template value_or<std::int64_t>(0);
    return sum;
  }
  std::string answer(const std::string& bytes) { return std::to_string(run(bytes)); }
};

const bool entered = bench::enter_column<decode>("list_i64_decode", "thriftlens", 1) &&
                     bench::enter_column<encode>("list_i64_encode", "thriftlens", 1) &&
                     bench::enter_column<sum>("list_i64_sum", "thriftlens", 1) &&
                     bench::enter_column<sum_elements>("list_i64_sum", "thriftlens_elements", 1);

}  // namespace
