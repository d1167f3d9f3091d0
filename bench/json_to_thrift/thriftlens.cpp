// json_to_thrift by thriftlens: text to bytes under the schema, everything checked; the buffer is reused.
#include <json_messages.hpp>
#include <json_styles.hpp>
#include <lens.hpp>
#include <thrift_values.hpp>

#include <thriftlens/json.hpp>

namespace {

namespace tl = thriftlens;

template <class Protocol>
struct from_json {
  tl::type type;
  tl::buffer out;
  explicit from_json(tl::type of) : type(of) {}
  std::size_t run(const std::string& json) {
    out.clear();
    return tl::try_append_from_json<Protocol>(type, json, out).has_value() ? out.size() : 0;
  }
  std::string answer(const std::string& json) {
    return run(json), bench::thrift_values<Protocol>(out.text(), type.name().c_str());
  }
};

const bool entered = [] {
  for (const bench::payload& payload : bench::payloads()) {
    const tl::type type = bench::lens::type(payload.type());
    bench::enter<from_json<tl::binary>>("json_to_thrift", payload, bench::json_messages(payload),
                                        "thriftlens", 1, type);
    bench::enter<from_json<tl::compact>>("json_to_thrift_compact", payload, bench::json_messages(payload),
                                         "thriftlens_compact", 1, type);
    if (payload.name != "medium") continue;
    for (const std::string& style : bench::json_styles()) {
      bench::payload of = payload;
      of.name += '_' + style;
      bench::enter<from_json<tl::binary>>("json_to_thrift", of, bench::json_messages(payload, style),
                                          "thriftlens", 1, type);
    }
  }
  return true;
}();

}  // namespace
