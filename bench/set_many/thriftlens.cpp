// set_many by thriftlens: one edit with compiled paths; the values are views of the first message, the output
// buffer is reused. Small: fields 1, 3, 6. Nesting: fields 2, 8, 15.
#include <lens.hpp>
#include <thrift_values.hpp>

#include <thriftlens/edit/edit.hpp>

#include <array>
#include <functional>

namespace {

namespace tl = thriftlens;

template <class Protocol>
struct set_many {
  tl::type type;
  std::array<tl::path, 3> ways;
  std::array<tl::view<Protocol>, 3> values;
  tl::buffer out;

  explicit set_many(const bench::payload& of) : type(bench::lens::type(of.type())) {
    const std::array<const char*, 3> texts =
        of.is_simple() ? std::array{"#1", "#3", "#6"} : std::array{"#2", "#8", "#15"};
    const tl::view<Protocol> donor(of.messages<Protocol>()[0], type);
    for (std::size_t i = 0; i < 3; ++i) {
      ways[i] = tl::path::compile(type, texts[i]);
      values[i] = donor.at(ways[i]);
    }
  }
  std::size_t run(const std::string& bytes) {
    out.clear();
    const tl::view<Protocol> from(bytes, type);
    tl::edit edit(from);
    for (std::size_t i = 0; i < 3; ++i) edit.set(ways[i], values[i]);
    return edit.try_append_to(out) ? out.size() : 0;
  }
  std::string answer(const std::string& bytes) {
    return run(bytes), bench::thrift_values<Protocol>(out.text(), type.name().c_str());
  }
};

// The same edit for message after message: collected once.
template <class Protocol>
struct reused : set_many<Protocol> {
  std::string donor;
  tl::edit<Protocol> edit;
  explicit reused(const bench::payload& of)
      : set_many<Protocol>(of),
        donor(of.messages<Protocol>()[0]),
        edit(tl::view<Protocol>(donor, this->type)) {
    for (std::size_t i = 0; i < 3; ++i) edit.set(this->ways[i], this->values[i]);
  }
  std::size_t run(const std::string& bytes) {
    this->out.clear();
    return edit.try_append_to(tl::view<Protocol>(bytes, this->type), this->out) ? this->out.size() : 0;
  }
  std::string answer(const std::string& bytes) {
    return run(bytes), bench::thrift_values<Protocol>(this->out.text(), this->type.name().c_str());
  }
};

std::tuple<std::reference_wrapper<const bench::payload>> arguments(const bench::payload& of) {
  return std::cref(of);
}

const bool entered = bench::lens::enter_both<set_many>("set_many", arguments) &&
                     bench::lens::enter_both<reused>("set_many", arguments, "_kept");

}  // namespace
