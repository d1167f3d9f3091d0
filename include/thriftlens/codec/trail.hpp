// trail: the way from the root to a fault, gathered while the recursion unwinds.
// In: one step a level, innermost first. Out: "$.user.ids[3]".
// Never touched on a path that succeeds.
#pragma once

#include <thriftlens/core/quote.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

class trail {
 public:
  /// A field by its name, or by its id where it has none.
  void field(std::string_view name, std::int16_t id) {
    steps_.push_back(name.empty() ? ".#" + std::to_string(id) : '.' + std::string(name));
  }
  void index(std::size_t at) { steps_.push_back('[' + std::to_string(at) + ']'); }
  /// A map entry by its key; a key that is neither text nor integer by the entry's number.
  template <class Key>
  void entry(const Key& key, std::size_t at) {
    if constexpr (requires { std::string_view(key); })
      return text(std::string_view(key));
    else if constexpr (std::is_integral_v<Key>)
      steps_.push_back('{' + std::to_string(key) + '}');
    else
      index(at);
  }
  void text(std::string_view key) {
    constexpr std::size_t longest = 80;
    std::string step = "{";
    append_quoted(step, utf8_cut(key, longest));
    if (key.size() > longest) step += "…";
    steps_.push_back(step + '}');
  }
  [[nodiscard]] std::string path() const {
    std::string whole = "$";
    for (auto at = steps_.rbegin(); at != steps_.rend(); ++at) whole += *at;
    return whole;
  }

 private:
  std::vector<std::string> steps_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
