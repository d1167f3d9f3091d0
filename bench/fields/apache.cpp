// fields by Apache Thrift: generated struct, Binary over memory that is reused.
#include "curve.hpp"

#include <apache.hpp>
#include <fields_apache.hpp>

namespace {

template <class Of>
struct operation {
  bench::apache::channel<bench::apache::templates> out, in;
  double run(int entries) {
    typename Of::message message, read;
    Of::fill(message);
    for (int i = 0; i < entries; ++i) message.m[bench::fields::keys()[static_cast<std::size_t>(i)]] = i;
    message.__isset.m = entries != 0;
    message.write(&out.fresh());
    read.read(&in.over(out.written()));
    return Of::read(read);
  }
  std::size_t wire() const { return out.written().size(); }
};

const bool entered = bench::fields::enter_curve<operation, fields_of_apache::all>("apache_templates", 0);

}  // namespace
