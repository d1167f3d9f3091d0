// get_many by thriftlens: a compiled plan, one pass, views into the caller's array.
#include <lens.hpp>

#include <thriftlens/view/plan.hpp>

#include <array>

namespace {

namespace tl = thriftlens;

template <class Protocol>
struct get_many {
  tl::type type;
  tl::plan plan;
  std::array<tl::view<Protocol>, 5> values;
  get_many(tl::type of, tl::plan fields) : type(of), plan(std::move(fields)) {}

  std::size_t run(const std::string& bytes) {
    tl::get_many(tl::view<Protocol>(bytes, type), plan, std::span(values).first(plan.size()));
    return static_cast<std::size_t>(static_cast<bool>(values[plan.size() - 1]));
  }
  std::string answer(const std::string& bytes) {
    run(bytes);
    std::string text;
    for (std::size_t i = 0; i < plan.size(); ++i)
      text += values[i] ? std::string(values[i].bytes().text()) + ';' : std::string(";");
    return text;
  }
};

const bool entered = bench::lens::enter_both<get_many>("get_many", [](const bench::payload& of) {
  const tl::type type = bench::lens::type(of.type());
  return std::tuple(type, of.is_simple() ? tl::plan::compile(type, {"#1", "#3", "#6"})
                                         : tl::plan::compile(type, {"#2", "#6", "#8", "#11", "#15"}));
});

}  // namespace
