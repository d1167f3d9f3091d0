// ttheader_fuzz: headers of TTHeader.
#include <thriftlens/transport/ttheader.hpp>

#include "fuzz/frame_head_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace tl = thriftlens::detail;
  return thriftlens_test::fuzz_frame_head<tl::ttheader_reader>(data, size, tl::try_append_ttheader);
}
