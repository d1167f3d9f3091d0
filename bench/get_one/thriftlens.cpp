// get_one by thriftlens: a compiled path into a view.
#include <lens.hpp>

#include <thriftlens/view/view.hpp>

namespace {

namespace tl = thriftlens;

template <class Protocol>
struct get_one {
  tl::type type;
  tl::path value_path;
  get_one(tl::type of, tl::path path) : type(of), value_path(std::move(path)) {}

  std::string_view run(const std::string& bytes) {
    std::string_view value;
    static_cast<void>(tl::view<Protocol>(bytes, type).at(value_path).get(value));
    return value;
  }
  std::string answer(const std::string& bytes) { return std::string(run(bytes)); }
};

const bool entered = bench::lens::enter_both<get_one>("get_one", bench::lens::late_field);

}  // namespace
