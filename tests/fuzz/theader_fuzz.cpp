// theader_fuzz: headers of THeader.
#include <thriftlens/transport/theader.hpp>

#include "fuzz/frame_head_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace detail = thriftlens::detail;
  return thriftlens_test::fuzz_frame_head<detail::theader_reader>(data, size, detail::try_append_theader);
}
