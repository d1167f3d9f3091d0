// thrift_to_json by thriftlens: bytes to text under the schema, everything checked; the buffer is reused.
#include <json_values.hpp>
#include <lens.hpp>

#include <thriftlens/json.hpp>

namespace {

namespace tl = thriftlens;

template <class Protocol>
struct to_json {
  tl::type type;
  tl::buffer out;
  explicit to_json(tl::type of) : type(of) {}
  std::size_t run(const std::string& bytes) {
    out.clear();
    return tl::try_append_json<Protocol>(type, bytes, out).has_value() ? out.size() : 0;
  }
  std::string answer(const std::string& bytes) { return run(bytes), bench::json_values(out.text()); }
};

const bool entered = bench::lens::enter_both<to_json>(
    "thrift_to_json", [](const bench::payload& of) { return std::tuple(bench::lens::type(of.type())); });

}  // namespace
