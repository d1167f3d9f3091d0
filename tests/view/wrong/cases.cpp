#include <thriftlens/view.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/view.hpp>

#include <list>
#include <span>
#include <string>
#include <vector>

namespace tl = thriftlens;

// first error: thriftlens: as<T>: T is bool, an integer, an enum, double
// errors: 4
float f(const tl::view<tl::binary>& v) { return v["x"].as<float>(); }

// first error: thriftlens: copy_to: a vector, array or span of integers
// errors: 4
auto f(const tl::view<tl::binary>& v, std::list<int>& to) { return v["x"].copy_to(to); }

// first error: thriftlens: numbers<T>: T is an integer as wide as the elements
// errors: 4
auto f(const tl::view<tl::binary>& v) { return v["x"].numbers<std::string>(); }

// first error: deleted
// errors: 2
auto f(const tl::view<tl::binary>& v) { return v.at({"$.id", "$.name"}); }

// first error: deleted
// errors: 2
auto f(const tl::type& order) { return tl::path::compile(order, {"$.id", "$.name"}); }

// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
std::span<const tl::plan::node> f(const tl::type& order) {
  const tl::plan way = tl::plan::compile(order, {"$.id"});
  return way.nodes();
}

// first error: thriftlens: as<T>: T is bool, an integer, an enum, double
// errors: 4
struct point {};
auto f(const tl::view<tl::binary>& v) { return v["x"].try_as<point>(); }

// first error: deleted
// errors: 1
void ask(thriftlens::type type, const thriftlens::buffer& bytes) { thriftlens::view(type, bytes); }

// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
std::string received();
tl::view<tl::binary> f(const tl::type& order) {
  const std::string bytes = received();
  return tl::view(bytes, order);
}

// first error: deleted
// errors: 1
std::string received();
void f(const tl::type& order) { tl::view v(received(), order); }

// first error: deleted
// errors: 1
void ask(const std::vector<int>& numbers) { thriftlens::view of(numbers); }
