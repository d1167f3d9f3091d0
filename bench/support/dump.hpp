// dump: payloads as files, for the contestants that are not C++. Never read back by this program.
#pragma once

#include <string>

namespace bench {

void dump(const std::string& folder);

}  // namespace bench
