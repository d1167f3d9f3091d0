# zlib compresses frames; the interoperability test uses Apache Thrift's THeader.
find_package(ZLIB REQUIRED)
target_link_libraries(transport_tests PRIVATE ZLIB::ZLIB)
find_path(THRIFTLENS_APACHE_HEADER_INCLUDE thrift/protocol/THeaderProtocol.h)
find_library(THRIFTLENS_APACHE_LIBRARY thrift)
find_library(THRIFTLENS_APACHE_Z_LIBRARY thriftz)
find_path(THRIFTLENS_BOOST_INCLUDE boost/version.hpp)  # for Thrift's headers
if(THRIFTLENS_TEST_APACHE AND THRIFTLENS_APACHE_HEADER_INCLUDE AND THRIFTLENS_APACHE_Z_LIBRARY AND THRIFTLENS_APACHE_LIBRARY AND THRIFTLENS_BOOST_INCLUDE)
  target_include_directories(transport_tests SYSTEM PRIVATE ${THRIFTLENS_APACHE_HEADER_INCLUDE} ${THRIFTLENS_BOOST_INCLUDE})
  target_link_libraries(transport_tests PRIVATE ${THRIFTLENS_APACHE_Z_LIBRARY} ${THRIFTLENS_APACHE_LIBRARY})
  target_compile_definitions(transport_tests PRIVATE THRIFTLENS_HAVE_APACHE_HEADER=1)
else()
  message(STATUS "thriftlens: Apache Thrift's C++ library not found; tests/transport/interop_apache_test.cpp is left out"
                 " (Debian: libthrift-dev libboost-dev)")
endif()
