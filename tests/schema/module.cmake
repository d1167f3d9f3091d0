add_executable(describe_tool schema/describe_tool.cpp)
target_link_libraries(describe_tool PRIVATE thriftlens_compiled thriftlens_own)
add_test(NAME schema.golden_descriptors
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/schema/golden.py $<TARGET_FILE:describe_tool>)
set_tests_properties(schema.golden_descriptors PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3600)
