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
  tl::path way;
  get_again(tl::type of, tl::path path) : type(of), way(std::move(path)) {}

  value make(const std::string& bytes) {
    auto made = std::make_unique<opened>();
    made->bytes = bytes;
    made->document.template load_all<Protocol>(made->bytes, type);
    return made;
  }
  std::size_t run(const value& from) {
    return from->document.root().at(way).template value_or<tl::byte_view>({}).size();
  }
  std::string answer(const value& from) { return std::to_string(run(from)); }
};

const bool entered = bench::lens::enter_both<get_again>("get_again", bench::lens::late_field);

}  // namespace
