# The whole program with -ffast-math, which also makes the processor take subnormal numbers for zero.
add_executable(json_fast_math_tests ${CMAKE_CURRENT_LIST_DIR}/fast_math/fast_math_test.cpp)
target_link_libraries(json_fast_math_tests PRIVATE thriftlens_test_plain thriftlens_json)
target_compile_options(json_fast_math_tests PRIVATE -ffast-math)
if(NOT THRIFTLENS_SANITIZE) # which take three times as long with it
  target_compile_options(json_fast_math_tests PRIVATE -O1)
endif()
target_link_options(json_fast_math_tests PRIVATE -ffast-math)
add_tests_of(json_fast_math_tests json_fast_math)
