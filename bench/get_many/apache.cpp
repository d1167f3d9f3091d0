// get_many with the protocol classes of Apache Thrift: one pass over the struct, which records the positions
// of the requested fields and skips the others.
#include <apache.hpp>

#include <array>

namespace {

namespace proto = bench::apache::proto;

template <class Variant, class Struct>
struct get_many {
  static constexpr bool simple = bench::apache::is_simple<Struct>;
  static constexpr std::size_t count = simple ? 3 : 5;
  static constexpr std::int16_t last = simple ? 6 : 15;

  bench::apache::channel<Variant> in;
  std::array<std::pair<std::size_t, std::size_t>, count> ranges;

  /// Position in `found`, or `wanted` for other fields.
  static std::size_t slot(std::int16_t id) {
    constexpr std::array<std::int16_t, 5> ids =
        simple ? std::array<std::int16_t, 5>{1, 3, 6, 0, 0} : std::array<std::int16_t, 5>{2, 6, 8, 11, 15};
    for (std::size_t i = 0; i < count; ++i) {
      if (ids[i] == id) return i;
    }
    return count;
  }
  std::size_t run(const std::string& bytes) {
    auto& from = in.over(bytes);
    ranges = {};
    std::string unused;
    from.readStructBegin(unused);
    for (;;) {
      proto::TType type;
      std::int16_t id = 0;
      from.readFieldBegin(unused, type, id);
      if (type == proto::T_STOP) break;
      const std::size_t at = slot(id), begin = bytes.size() - in.left();
      from.skip(type);
      if (at != count) ranges[at] = {begin, bytes.size() - in.left()};
      from.readFieldEnd();
      if (id == last) break;
    }
    return ranges[count - 1].second;
  }
  std::string answer(const std::string& bytes) {
    run(bytes);
    std::string text;
    for (const auto& [begin, end] : ranges) text += bytes.substr(begin, end - begin) + ';';
    return text;
  }
};

const bool entered = bench::apache::enter_all<get_many>("get_many");

}  // namespace
