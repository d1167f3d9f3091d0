// get_again by thriftlens: the value of get_one once more, from a document whose levels are open. No peer
// keeps an index.
#include <lens.hpp>

#include <thriftlens/dom/document.hpp>

#include <memory>
#include <string>
#include <utility>

namespace {

namespace tl = thriftlens;

template <class Protocol>
struct get_again {
  struct opened {
    std::string bytes;
    tl::document document;
  };
  using value = std::unique_ptr<opened>;

  tl::type type;
  tl::path value_path;
  get_again(tl::type of, tl::path path) : type(of), value_path(std::move(path)) {}

  value make(const std::string& bytes) {
    auto loaded = std::make_unique<opened>();
    loaded->bytes = bytes;
    loaded->document.template load_all<Protocol>(loaded->bytes, type);
    return loaded;
  }
  std::size_t run(const value& from) {
    return from->document.root().at(value_path).template value_or<tl::byte_view>({}).size();
  }
  std::string answer(const value& from) { return std::to_string(run(from)); }
};

const bool entered = bench::lens::enter_both<get_again>("get_again", bench::lens::late_field);

}  // namespace
