# The whole program with -ffast-math, which also makes the processor treat subnormal numbers as zero.
# Not under sanitizers: it tests the processor's state and the compiler's arithmetic.
if(NOT THRIFTLENS_SANITIZE)
  add_executable(json_fast_math_tests ${CMAKE_CURRENT_LIST_DIR}/fast_math/fast_math_test.cpp)
  target_link_libraries(json_fast_math_tests PRIVATE thriftlens_test_plain thriftlens_json)
  target_compile_options(json_fast_math_tests PRIVATE -ffast-math -O1)
  target_link_options(json_fast_math_tests PRIVATE -ffast-math)
  add_tests_of(json_fast_math_tests json_fast_math)
endif()
