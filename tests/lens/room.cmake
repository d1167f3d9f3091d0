# The lens is checked against Apache Thrift's own protocol classes.
find_package(PkgConfig REQUIRED)
pkg_check_modules(APACHE_THRIFT REQUIRED IMPORTED_TARGET thrift)
target_link_libraries(lens_tests PRIVATE PkgConfig::APACHE_THRIFT)
