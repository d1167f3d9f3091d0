#include <thriftlens/columns/field_steps.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

using tl::detail::column_node, tl::detail::column_plan, tl::detail::column_step, tl::detail::column_task,
    tl::detail::field_steps;

namespace {

TEST(field_steps, start_in_id_order_and_end_at_the_stop) {
  const auto selected = tl::selection::compile(thriftlens_test::column_schema().type("Must"), "{ y }");
  const column_plan plan = *column_plan::try_compile(selected, {});
  const field_steps steps(plan);
  const column_step& x = steps[steps[steps.begin_of(0)].next];
  EXPECT_EQ(x.id, 1);
  EXPECT_EQ(x.task, column_task::pass);
  EXPECT_EQ(x.child, column_node::none);
  const column_step& y = steps[x.next];
  EXPECT_EQ(y.id, 2);
  EXPECT_EQ(y.wire, tl::ttype::i32);
  EXPECT_EQ(y.task, column_task::i32);
  EXPECT_EQ(y.child, plan.root().children[0]);
  EXPECT_EQ(y.next, steps.begin_of(0));
  EXPECT_EQ(steps[y.next].task, column_task::stop);
}

TEST(field_steps, only_higher_ids_and_the_stop_are_learned) {
  const column_plan plan = *column_plan::try_compile(thriftlens_test::all_of("Must"), {});
  field_steps steps(plan);
  const std::uint32_t begin = steps.begin_of(0), x = begin + 1, y = begin + 2;
  steps.learn(y, x);
  EXPECT_EQ(steps[y].next, begin);
  steps.learn(begin, y);
  EXPECT_EQ(steps[begin].next, y);
  steps.learn(x, begin);
  EXPECT_EQ(steps[x].next, begin);
}

}  // namespace
