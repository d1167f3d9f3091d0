// guard: ten core tasks on a Medium message, each counted by itself under valgrind's callgrind; see guard.py.
// usage: guard IDL
#include <own.hpp>

#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>

#include <valgrind/callgrind.h>

#include <array>
#include <cstdio>
#include <limits>

namespace {

namespace tl = thriftlens;
namespace own = bench::own;
using simple = own::simple<own::standard, own::plain>;
using nesting = own::nesting<own::standard, own::plain>;

constexpr int times = 16;

/// The values of the benchmark's Medium message.
nesting medium() {
  using number = std::numeric_limits<std::int64_t>;
  const std::string text = "你好,\b\n\r\t世界你好,\b\n\r\t世界", raw(32, '\7');
  const simple simple_value{127, number::max(), 1.5e300, 1 << 30, text, raw};
  nesting object{.string = text,
                 .list_simple = {},
                 .double_ = -0.1,
                 .i32 = 7,
                 .list_i32 = {},
                 .i64 = number::min(),
                 .map_string_string = {},
                 .simple_struct = simple_value,
                 .map_i32_i64 = {},
                 .list_string = {},
                 .binary = raw,
                 .map_i64_string = {},
                 .list_i64 = {},
                 .byte = 1,
                 .map_string_simple = {}};
  for (int i = 0; i < 16; ++i) {
    const std::string key = std::to_string(i);
    object.list_simple.push_back(simple_value), object.list_i32.push_back(-i),
        object.list_string.push_back(text), object.list_i64.push_back(number::min() + i);
    object.map_string_string[key] = text, object.map_i32_i64[i] = number::max() - i,
    object.map_i64_string[i] = text, object.map_string_simple[key] = simple_value;
  }
  return object;
}

/// Counts `times` runs after one that is not counted.
template <class Task>
bool count(const char* name, Task task) {
  if (!task()) return std::fprintf(stderr, "%s failed\n", name), false;
  CALLGRIND_ZERO_STATS;
  CALLGRIND_TOGGLE_COLLECT;
  bool is_ok = true;
  for (int i = 0; i < times; ++i) {
    asm volatile("" ::: "memory");  // or a task without side effects runs once for all
    is_ok = task() && is_ok;
  }
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(name);
  return is_ok;
}

bool run(const tl::type& type, const tl::type& partial) {
  const nesting object = medium();
  tl::buffer wire, out;
  tl::append_encoded(object, wire);
  const std::string bytes = wire.str(), json = tl::to_json<tl::binary>(type, bytes).str();
  const tl::view<tl::binary> root(bytes, type);
  const tl::path late = tl::path::compile(type, "$.MapStringSimple{\"15\"}.BinaryField");
  const tl::plan five = tl::plan::compile(type, {"#2", "#6", "#8", "#11", "#15"});
  const tl::selection selection = tl::selection::compile(type, partial);
  std::array<tl::view<tl::binary>, 5> values;
  tl::document document;
  nesting decoded;
  bool good = true;
  good &= count("skip", [&] {
    tl::binary::reader in{tl::byte_view(bytes), tl::limits{}};
    return in.skip(tl::ttype::struct_);
  });
  good &= count("get_one", [&] {
    std::string_view value;
    return root.at(late).get(value) == tl::errc::ok;
  });
  good &= count("get_many", [&] {
    return tl::get_many(root, five, std::span<tl::view<tl::binary>>(values)), static_cast<bool>(values[4]);
  });
  good &= count("set_one", [&] {
    return out.clear(), tl::edit(root)
                            .set(late, tl::byte_view(std::string_view("changed")))
                            .try_append_to(out)
                            .has_value();
  });
  good &= count("trim",
                [&] { return out.clear(), static_cast<bool>(tl::try_append_trimmed(root, selection, out)); });
  good &= count("load_reuse", [&] { return document.try_load_all<tl::binary>(bytes, type).has_value(); });
  good &= count("decode", [&] { return tl::try_decode_into<tl::binary>(bytes, decoded).has_value(); });
  good &= count("encode", [&] { return out.clear(), tl::try_append_encoded(object, out).has_value(); });
  good &= count("thrift_to_json",
                [&] { return out.clear(), tl::try_append_json<tl::binary>(type, bytes, out).has_value(); });
  good &= count("json_to_thrift", [&] {
    return out.clear(), tl::try_append_from_json<tl::binary>(type, json, out).has_value();
  });
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const tl::schema schema = tl::schema::load(argv[1]);
  return run(schema.type("Nesting"), schema.type("PartialNesting")) ? 0 : 1;
}
