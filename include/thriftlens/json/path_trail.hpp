// path_trail: the way from the root to a fault, gathered while the recursion unwinds.
// In: one step a level, innermost first. Out: "$.user.ids[3]".
// Never touched on a path that succeeds.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/quote.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Every step answers false, so that a failing function can end with it.
class path_trail {
 public:
  THRIFTLENS_COLD bool field(std::string_view name) { return step('.' + std::string(name)); }
  THRIFTLENS_COLD bool index(std::size_t at) { return step('[' + std::to_string(at) + ']'); }
  /// `text`: the key as JSON has it, strings with their quotes. Long keys are cut.
  THRIFTLENS_COLD bool key(std::string_view text) {
    constexpr std::size_t longest = 80;
    if (text.size() <= longest) return step('{' + std::string(text) + '}');
    return step('{' + std::string(utf8_cut(text, longest)) + "…}");
  }
  /// The key of an entry that is at fault itself, and the value behind a key that has no short text: by their
  /// place in the map.
  THRIFTLENS_COLD bool key_at(std::size_t at) { return step("{key " + std::to_string(at) + '}'); }
  THRIFTLENS_COLD bool entry(std::size_t at) { return step("{entry " + std::to_string(at) + '}'); }
  [[nodiscard]] bool empty() const noexcept { return steps_.empty(); }
  [[nodiscard]] std::string text() const {
    std::string whole = "$";
    for (auto at = steps_.rbegin(); at != steps_.rend(); ++at) whole += *at;
    return whole;
  }

 private:
  bool step(std::string&& text) {
    steps_.push_back(std::move(text));
    return false;
  }
  std::vector<std::string> steps_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
