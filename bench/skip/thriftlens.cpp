// skip by thriftlens: the reader's skip over the complete struct; no schema.
#include <lens.hpp>

namespace {

template <class Protocol>
struct skip {
  std::size_t run(const std::string& bytes) {
    typename Protocol::reader in{thriftlens::byte_view(bytes), thriftlens::limits{}};
    return in.skip(thriftlens::ttype::struct_) ? in.offset() : 0;
  }
  std::string answer(const std::string& bytes) { return std::to_string(run(bytes)); }
};

const bool entered =
    bench::lens::enter_both<skip>("skip", [](const bench::payload&) { return std::tuple(); });

}  // namespace
