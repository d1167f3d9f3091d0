#include <thriftlens/idl/declaration_states.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

TEST(declaration_states, keeps_programs_apart) {
  struct state {
    int value = 3;
  };
  idl::declaration_states<state> states;
  states.add_program(2);
  states.add_program(0);
  states.add_program(1);
  states.at(0, 1).value = 4;
  states.at(2, 0).value = 5;
  EXPECT_EQ(states.at(0, 0).value, 3);
  EXPECT_EQ(states.at(0, 1).value, 4);
  EXPECT_EQ(states.at(2, 0).value, 5);
}

}  // namespace
