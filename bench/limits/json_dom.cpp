// JSON parsers that make a DOM and no Thrift, of the text that json_to_thrift reads: limits for it.
#include <json_messages.hpp>
#include <json_styles.hpp>

#include <rapidjson/document.h>
#include <simdjson.h>
#if __has_include(<yyjson.h>)
#include <yyjson.h>
#endif

namespace {

/// With padding, so that simdjson need not copy; the parser is reused.
struct simdjson_dom {
  using value = simdjson::padded_string;
  simdjson::dom::parser parser;
  value make(const std::string& json) { return value(json); }
  bool run(const value& json) {
    simdjson::dom::element root;
    return parser.parse(json).get(root) == simdjson::SUCCESS;
  }
};
struct rapidjson_dom {
  bool run(const std::string& json) {
    rapidjson::Document parsed;
    return !parsed.Parse(json.data(), json.size()).HasParseError();
  }
};
#if __has_include(<yyjson.h>)
struct yyjson_dom {
  bool run(const std::string& json) {
    yyjson_doc* parsed = yyjson_read(json.data(), json.size(), 0);
    const bool is_parsed = parsed != nullptr;
    yyjson_doc_free(parsed);
    return is_parsed;
  }
};
#endif

const bool entered = [] {
  for (const bench::payload& payload : bench::payloads()) {
    const auto& texts = bench::json_messages(payload);
    bench::enter_limit<simdjson_dom>("json_to_thrift", payload.name, texts, "limit_simdjson_dom");
    bench::enter_limit<rapidjson_dom>("json_to_thrift", payload.name, texts, "limit_rapidjson_dom");
#if __has_include(<yyjson.h>)
    bench::enter_limit<yyjson_dom>("json_to_thrift", payload.name, texts, "limit_yyjson_dom");
#endif
    if (payload.name != "medium") continue;
    for (const std::string& style : bench::json_styles())
      bench::enter_limit<simdjson_dom>("json_to_thrift", payload.name + '_' + style,
                                       bench::json_messages(payload, style), "limit_simdjson_dom");
  }
  return true;
}();

}  // namespace
