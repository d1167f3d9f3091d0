#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tl = thriftlens;

// first error: thriftlens: decode<T, Protocol>(bytes): the type comes first
struct trip {
  int id = 0;
};
template <>
struct tl::binding<trip> : tl::numbered {};
void f(tl::byte_view bytes) { tl::decode<tl::compact, trip>(bytes); }

// first error: thriftlens: decode: T refers to the bytes, which are a temporary
struct node {
  std::unique_ptr<node> next;
  std::string_view text;
};
template <>
struct tl::binding<node> : tl::numbered {};
std::string read_all();
int main() { tl::decode<node>(read_all()); }

// first error: thriftlens: encode<Protocol>(value): the protocol comes first
struct trip {
  int id = 0;
};
template <>
struct tl::binding<trip> : tl::numbered {};
void f(const trip& of) { tl::encode<trip, tl::compact>(of); }

// first error: thriftlens: field<id, member>: a C array; use std::array
struct point {
  std::int32_t xyz[3] = {};
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::xyz>> {};
int main() { tl::encode(point{}); }

// first error: thriftlens: float has no Thrift type: use double
struct point {
  float x = 0;
};
template <>
struct tl::binding<point> : tl::numbered {};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: field<id, member>: the id is outside the range of i16
struct point {
  int x = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<40000, &point::x>> {};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: field<id, member>: no field has the id 0
struct point {
  int x = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<0, &point::x>> {};
int main() { tl::encode(point{}); }

// first error: thriftlens: keep_unknown<member>: the member is not of type thriftlens::unknown_fields
struct point {
  int rest = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::keep_unknown<&point::rest>> {};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: field<id, member>: the second argument is not a pointer to a data member
struct point {
  int x() { return 0; }
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::x>> {};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: a struct without a binding: specialise thriftlens::binding
struct point {
  int x = 0;
};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: decode<T>: T must be default constructible and movable
struct point {
  explicit point(int from) : x(from) {}
  int x;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::x>> {};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: field<id, member, options...>: options are
struct point {
  int x = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::x, true>> {};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: numbered or bind_by_name: a base class; list the members with fields<...>
struct base {
  int id = 0;
};
struct derived : base {
  int size = 0;
};
template <>
struct tl::binding<derived> : tl::numbered {};
int main() { tl::encode(derived{}); }

// first error: thriftlens: numbered or bind_by_name: a bit-field; encode a struct without it
struct flags {
  std::int32_t first = 0;
  std::int32_t second : 3;
};
template <>
struct tl::binding<flags> : tl::numbered {};
int main() { tl::encode(flags{}); }

// first error: thriftlens: numbered or bind_by_name: a C array; use std::array
struct point {
  std::int32_t first = 0;
  std::int32_t rest[3] = {};
};
template <>
struct tl::binding<point> : tl::numbered {};
int main() { tl::encode(point{}); }

// first error: thriftlens: binding: it derives from fields<...>, numbered (aggregates only)
class account {
  int amount = 0;
};
template <>
struct tl::binding<account> : tl::numbered {};
int main() { tl::decode<account>(tl::byte_view()); }

// first error: thriftlens: an optional or pointer inside another one
int main() { tl::decode<std::optional<std::unique_ptr<int>>>(tl::byte_view()); }

// first error: thriftlens: binding: a field names a member of another struct
struct point {
  int x = 0;
};
struct other {
  int x = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &other::x>> {};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: a raw pointer has no Thrift type
struct point {
  std::vector<const char*> names;
};
template <>
struct tl::binding<point> : tl::numbered {};
int main() {
  tl::buffer out;
  tl::append_encoded(point(), out);
}

// first error: thriftlens: binding: two fields have the same id
struct point {
  int x = 0;
  int y = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::x>, tl::field<1, &point::y>> {};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: field: as_set is for members that are vectors, deques or arrays
struct point {
  std::string names;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::names, tl::as_set>> {};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: a span of anything but bytes can be encoded, not decoded
int main() { tl::decode<std::span<const int>>(tl::byte_view()); }

// first error: thriftlens: binding: more than one keep_unknown
struct point {
  tl::unknown_fields a;
  tl::unknown_fields b;
};
template <>
struct tl::binding<point> : tl::fields<tl::keep_unknown<&point::a>, tl::keep_unknown<&point::b>> {};
int main() { tl::decode<point>(tl::byte_view()); }

// first error: thriftlens: union: one id per alternative of the variant
using either = std::variant<int, bool>;
template <>
struct tl::binding<either> : tl::union_ids<1> {};
int main() { tl::decode<either>(tl::byte_view()); }

// first error: thriftlens: union_<member>: the member is not a std::variant
struct either {
  int value = 0;
};
template <>
struct tl::binding<either> : tl::union_<&either::value> {};
int main() { tl::decode<either>(tl::byte_view()); }

// first error: thriftlens: no Thrift type for this C++ type: specialise thriftlens::binding, adapter or
// container
struct event {
  std::chrono::seconds at{};
};
template <>
struct tl::binding<event> : tl::numbered {};
int main() { tl::decode<event>(tl::byte_view()); }

// first error: thriftlens: an enum of 64 bits does not fit Thrift's i32
enum class wide : long long { a };
int main() { tl::decode<wide>(tl::byte_view()); }
