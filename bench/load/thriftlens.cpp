// load by thriftlens: the complete message as a document with every level expanded, in new memory or in the
// memory of the last message. lazy: structure checked, one level expanded.
#include <lens.hpp>
#include <thrift_values.hpp>

#include <thriftlens/dom/document.hpp>

#include <optional>

namespace {

namespace tl = thriftlens;

std::string values(const tl::document& from, const tl::type& type) {
  tl::buffer out;
  from.append_to(out);
  return bench::thrift_values(out.text(), type.name().c_str(), from.protocol() == tl::protocol_id::compact);
}

template <class Protocol>
struct load_new {
  tl::type type;
  explicit load_new(tl::type of) : type(of) {}
  bool run(const std::string& bytes) {
    tl::document document;
    return document.try_load_all<Protocol>(bytes, type).has_value();
  }
  std::string answer(const std::string& bytes) {
    tl::document document;
    document.load_all<Protocol>(bytes, type);
    return values(document, type);
  }
};
template <class Protocol>
struct load_over {
  tl::type type;
  tl::document document;
  explicit load_over(tl::type of) : type(of) {}
  bool run(const std::string& bytes) { return document.try_load_all<Protocol>(bytes, type).has_value(); }
  std::string answer(const std::string& bytes) { return run(bytes), values(document, type); }
};
template <class Protocol>
struct load_lazy {
  tl::type type;
  tl::document document;
  explicit load_lazy(tl::type of) : type(of) {}
  bool run(const std::string& bytes) { return document.try_load<Protocol>(bytes, type).has_value(); }
  std::string answer(const std::string& bytes) { return run(bytes), values(document, type); }
};

std::tuple<tl::type> arguments(const bench::payload& of) { return bench::lens::type(of.type()); }

const bool entered = bench::lens::enter_both<load_new>("load", arguments) &&
                     bench::lens::enter_both<load_over>("load_reuse", arguments) &&
                     bench::lens::enter_both<load_lazy>("load_lazy", arguments);

}  // namespace
