# The lens is checked against Apache Thrift's own protocol classes.
find_package(PkgConfig REQUIRED)
pkg_check_modules(APACHE_THRIFT REQUIRED IMPORTED_TARGET thrift)
target_link_libraries(lens_tests PRIVATE PkgConfig::APACHE_THRIFT)

# Sources that must not compile.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
add_test(NAME lens.wrong
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/codec/check_wrong.py ${CMAKE_CXX_COMPILER} ${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_LIST_DIR}/wrong)
set_tests_properties(lens.wrong PROPERTIES TIMEOUT 600)
