// write by thriftlens: a document in which the value that set_one replaces was changed, back to bytes; the
// buffer is reused.
#include <lens.hpp>
#include <thrift_values.hpp>

#include <thriftlens/dom/document.hpp>

#include <memory>

namespace {

namespace tl = thriftlens;

template <class Protocol>
struct write {
  using value = std::unique_ptr<tl::document>;
  tl::type type;
  tl::path value_path;
  tl::buffer out;
  write(tl::type of, tl::path path) : type(of), value_path(std::move(path)) {}

  value make(const std::string& bytes) {
    auto document = std::make_unique<tl::document>();
    document->load_all<Protocol>(bytes, type);
    if (tl::node value_node = document->at(value_path))
      value_node.set(tl::byte_view(std::string_view("changed")));
    return document;
  }
  std::size_t run(const value& from) {
    out.clear();
    return from->try_append_to(out).has_value() ? out.size() : 0;
  }
  std::string answer(const value& from) {
    return run(from), bench::thrift_values<Protocol>(out.text(), type.name().c_str());
  }
};

const bool entered = bench::lens::enter_both<write>("write", bench::lens::late_field);

}  // namespace
