# The interoperability test needs Apache Thrift's C++ library.
find_path(THRIFTLENS_APACHE_INCLUDE thrift/protocol/TCompactProtocol.h)
find_library(THRIFTLENS_APACHE_LIBRARY thrift)
find_path(THRIFTLENS_BOOST_INCLUDE boost/version.hpp)  # for Thrift's headers
if(THRIFTLENS_APACHE_INCLUDE AND THRIFTLENS_APACHE_LIBRARY AND THRIFTLENS_BOOST_INCLUDE)
  target_include_directories(protocol_tests SYSTEM PRIVATE ${THRIFTLENS_APACHE_INCLUDE} ${THRIFTLENS_BOOST_INCLUDE})
  target_link_libraries(protocol_tests PRIVATE ${THRIFTLENS_APACHE_LIBRARY})
  target_compile_definitions(protocol_tests PRIVATE THRIFTLENS_HAVE_APACHE=1)
else()
  message(STATUS "thriftlens: Apache Thrift's C++ library not found; tests/protocol/interop_apache_test.cpp is left out"
                 " (Debian: libthrift-dev libboost-dev)")
endif()
