// trim by thriftlens: to the partial type of idl/bench.thrift by a compiled selection; the output buffer is
// reused.
#include <lens.hpp>
#include <thrift_values.hpp>

#include <thriftlens/edit/trim.hpp>

namespace {

namespace tl = thriftlens;
template <class Protocol>
struct trim {
  tl::type type;
  tl::selection selection;
  tl::buffer out;
  trim(tl::type of, tl::selection what) : type(of), selection(std::move(what)) {}

  std::size_t run(const std::string& bytes) {
    out.clear();
    return tl::try_append_trimmed(tl::view<Protocol>(bytes, type), selection, out) ? out.size() : 0;
  }
  std::string answer(const std::string& bytes) {
    return run(bytes), bench::thrift_values<Protocol>(out.text(), type.name().c_str());
  }
};

const bool entered = bench::lens::enter_both<trim>("trim", [](const bench::payload& of) {
  const tl::type type = bench::lens::type(of.type());
  return std::tuple(type, tl::selection::compile(type, bench::lens::type(of.partial_type())));
});

}  // namespace
