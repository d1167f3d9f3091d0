// fields by protobuf: generated message, into a string that is reused.
#include "curve.hpp"

#include <fields_protobuf.hpp>

namespace {

template <class Of>
struct operation {
  std::string out;
  double run(int entries) {
    typename Of::message message, read;
    Of::fill(message);
    for (int i = 0; i < entries; ++i)
      (*message.mutable_m())[bench::fields::keys()[static_cast<std::size_t>(i)]] = i;
    message.SerializeToString(&out);
    return read.ParseFromString(out) ? Of::read(read) : 0;
  }
  std::size_t wire() const { return out.size(); }
};

const bool entered = bench::fields::enter_curve<operation, fields_of_protobuf::all>("protobuf", 1);

}  // namespace
