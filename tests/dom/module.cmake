# Empty handles give the documented results in release builds. The linked bodies have assertions, none of which may fire.
add_executable(dom_release_tests ${CMAKE_CURRENT_LIST_DIR}/empty_handles_test.cpp)
target_link_libraries(dom_release_tests PRIVATE thriftlens_compiled thriftlens_own GTest::gmock_main)
target_include_directories(dom_release_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(dom_release_tests PRIVATE NDEBUG)
if(NOT THRIFTLENS_SANITIZE) # sanitizers find undefined behaviour at -O0
  target_compile_options(dom_release_tests PRIVATE -O1)
endif()
add_tests_of(dom_release_tests dom_release)
