// bytes_of: the encoding of one value, for tests of parts of the writer.
#pragma once

#include <thriftlens/codec/encode.hpp>

#include <string>

namespace thriftlens_test {

template <class Protocol = thriftlens::binary, class T>
std::string bytes_of(const T& value) {
  thriftlens::buffer out;
  thriftlens::append_encoded<Protocol>(value, out);
  return out.str();
}

}  // namespace thriftlens_test
