# Cuts are compared with those of the lens, whose test data Apache Thrift's protocol classes write.
find_package(PkgConfig REQUIRED)
pkg_check_modules(APACHE_THRIFT REQUIRED IMPORTED_TARGET thrift)
target_link_libraries(json_tests PRIVATE PkgConfig::APACHE_THRIFT)
