// get_one with the protocol classes of Apache Thrift: skip() for the fields before the requested one.
// Small: field 6. Nesting: field 15, its entry "15" (or the last one), of that field 6.
#include <apache.hpp>

namespace {

namespace proto = bench::apache::proto;

/// Moves to field `wanted` of the struct that begins; false if it is not there.
template <class Protocol>
bool find_field(Protocol& in, std::int16_t field_id) {
  std::string unused;
  in.readStructBegin(unused);
  for (;;) {
    proto::TType type;
    std::int16_t id = 0;
    in.readFieldBegin(unused, type, id);
    if (type == proto::T_STOP) return false;
    if (id == field_id) return true;
    in.skip(type);
    in.readFieldEnd();
  }
}

template <class Variant, class Struct>
struct get_one {
  bench::apache::channel<Variant> in;
  std::string value, key;

  std::size_t run(const std::string& bytes) {
    auto& from = in.over(bytes);
    value.clear();
    if (!bench::apache::is_simple<Struct> && !find_entry(from)) return 0;
    if (find_field(from, 6)) from.readBinary(value);
    return value.size();
  }
  template <class Protocol>
  bool find_entry(Protocol& from) {
    if (!find_field(from, 15)) return false;
    proto::TType key_type, value_type;
    std::uint32_t size = 0;
    from.readMapBegin(key_type, value_type, size);
    for (std::uint32_t i = 0; i < size; ++i) {
      from.readString(key);
      if (key == "15") return true;
      from.skip(value_type);
    }
    return false;
  }
  std::string answer(const std::string& bytes) { return run(bytes), value; }
};

const bool entered = bench::apache::enter_all<get_one>("get_one");

}  // namespace
