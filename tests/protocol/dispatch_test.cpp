#include <thriftlens/protocol/dispatch.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(visit_ttype, calls_the_visitor_for_every_value_type) {
  for (unsigned raw = 0; raw <= 16; ++raw) {
    if (!is_value_type(static_cast<std::uint8_t>(raw))) continue;
    const ttype type = static_cast<ttype>(raw);
    EXPECT_EQ(detail::visit_ttype(type, [](auto constant) { return decltype(constant)::value; }), type);
  }
}

TEST(visit_ttype, accepts_void_and_constexpr_visitors) {
  int calls = 0;
  detail::visit_ttype(ttype::map, [&](auto) { ++calls; });
  EXPECT_EQ(calls, 1);
  static_assert(detail::visit_ttype(ttype::i64, [](auto constant) { return fixed_width(constant.value); }) ==
                8);
}
