// The texts are written by thriftlens; json_to_thrift compares what every contestant reads from them.
#include "json_messages.hpp"

#include "json_styles.hpp"
#include "lens.hpp"

#include <thriftlens/json.hpp>

#include <map>

namespace bench {

const std::vector<std::string>& json_messages(const payload& of) {
  static std::map<std::string, std::vector<std::string>> texts_by_name;
  std::vector<std::string>& texts = texts_by_name[of.name];
  if (texts.empty()) {
    const thriftlens::type type = lens::type(of.type());
    for (const std::string& message : of.binary)
      texts.push_back(thriftlens::to_json<thriftlens::binary>(type, message).str());
  }
  return texts;
}

const std::vector<std::string>& json_messages(const payload& of, const std::string& style) {
  static std::map<std::string, std::vector<std::string>> texts_by_name;
  std::vector<std::string>& texts = texts_by_name[of.name + '_' + style];
  if (texts.empty())
    for (const std::string& message : json_messages(of)) texts.push_back(in_style(style, message));
  return texts;
}

}  // namespace bench
