# What a handle without a value answers is no assertion: the same in a build for release. The bodies it links have assertions:
# one that a question reached would end the program.
add_executable(dom_release_tests ${CMAKE_CURRENT_LIST_DIR}/empty_handles_test.cpp)
target_link_libraries(dom_release_tests PRIVATE thriftlens_compiled thriftlens_own GTest::gmock_main)
target_include_directories(dom_release_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(dom_release_tests PRIVATE NDEBUG)
if(NOT THRIFTLENS_SANITIZE) # they find at -O0 what an optimizer would make of it
  target_compile_options(dom_release_tests PRIVATE -O1)
endif()
add_tests_of(dom_release_tests dom_release)
