// dump: payloads as files, for the contestants that are not C++.
// In: a folder. Out: small.bin, small.json, medium.bin, medium.json.
// Never read back by this program.
#pragma once

#include <string>

namespace bench {

void dump(const std::string& folder);

}  // namespace bench
