// set_one by thriftlens: an edit with a compiled path; the output buffer is reused.
#include <lens.hpp>
#include <thrift_values.hpp>

#include <thriftlens/edit/edit.hpp>

#include <functional>

namespace {

namespace tl = thriftlens;

template <class Protocol>
struct set_one {
  tl::type type;
  tl::path value_path;
  tl::buffer out;
  std::string value;
  set_one(tl::type of, tl::path path) : type(of), value_path(std::move(path)) {
    for (int i = 0; i < 32; ++i) value += static_cast<char>(i % 16);
  }

  std::size_t run(const std::string& bytes) {
    out.clear();
    const tl::view<Protocol> from(bytes, type);
    tl::edit edit(from);
    edit.set(value_path, tl::byte_view(value));
    if (!edit.try_append_to(out)) out.append(bytes);  // the parent is not there: left alone, as the peer does
    return out.size();
  }
  std::string answer(const std::string& bytes) {
    return run(bytes), bench::thrift_values<Protocol>(out.text(), type.name().c_str());
  }
};

// The same edit for message after message: collected once.
template <class Protocol>
struct reused : set_one<Protocol> {
  std::string donor;
  tl::edit<Protocol> edit;
  reused(tl::type of, tl::path path, const bench::payload& payload)
      : set_one<Protocol>(of, std::move(path)),
        donor(payload.messages<Protocol>()[0]),
        edit(tl::view<Protocol>(donor, of)) {
    edit.set(this->value_path, tl::byte_view(this->value));
  }
  std::size_t run(const std::string& bytes) {
    this->out.clear();
    if (!edit.try_append_to(tl::view<Protocol>(bytes, this->type), this->out)) this->out.append(bytes);
    return this->out.size();
  }
  std::string answer(const std::string& bytes) {
    return run(bytes), bench::thrift_values<Protocol>(this->out.text(), this->type.name().c_str());
  }
};

const bool entered = bench::lens::enter_both<set_one>("set_one", bench::lens::late_field) &&
                     bench::lens::enter_both<reused>(
                         "set_one",
                         [](const bench::payload& of) {
                           return std::tuple_cat(bench::lens::late_field(of), std::tuple(std::cref(of)));
                         },
                         "_kept");

}  // namespace
