// json_styles: the same JSON as other writers spell it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// "sonic" (\u0008), "dumps" (Python's json.dumps: blanks and \uXXXX), "spaces" (the same with UTF-8),
/// "indented" (by 2), "sorted" (keys), "shuffled" (keys of each object in an order of its own).
const std::vector<std::string>& json_styles();
/// `json` is valid and has no whitespace between tokens. The order of map keys is preserved.
std::string in_style(std::string_view style, std::string_view json);

}  // namespace bench
