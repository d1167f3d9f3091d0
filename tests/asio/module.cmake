# Clients and servers against Apache's generated code: TThreadedServer, TNonblockingServer on libevent, clients.
target_link_libraries(asio_tests PRIVATE thriftlens::asio)
# A name lookup that never ends (--wrap needs the GNU or LLVM linker).
target_sources(asio_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/slow_lookup.cpp)
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/slow_lookup.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_link_options(asio_tests PRIVATE LINKER:--wrap=getaddrinfo)
find_program(THRIFT_COMPILER thrift)
find_path(THRIFT_INCLUDE_DIR thrift/protocol/TBinaryProtocol.h)
find_library(THRIFT_LIBRARY thrift)
find_library(THRIFTLENS_APACHE_Z_LIBRARY thriftz)
find_library(THRIFTLENS_APACHE_NB_LIBRARY thriftnb)
find_path(THRIFTLENS_EVENT_INCLUDE event.h)
find_library(THRIFTLENS_EVENT_LIBRARY event)
if(THRIFTLENS_TEST_APACHE AND THRIFT_COMPILER AND THRIFT_INCLUDE_DIR AND THRIFT_LIBRARY AND THRIFTLENS_APACHE_Z_LIBRARY
   AND THRIFTLENS_APACHE_NB_LIBRARY AND THRIFTLENS_EVENT_INCLUDE AND THRIFTLENS_EVENT_LIBRARY)
  set(shop_dir ${CMAKE_CURRENT_BINARY_DIR}/asio_shop_code)
  file(MAKE_DIRECTORY ${shop_dir})
  set(shop_sources ${shop_dir}/Shop.cpp ${shop_dir}/Base.cpp ${shop_dir}/shop_types.cpp)
  add_custom_command(OUTPUT ${shop_sources} ${shop_dir}/Shop.h
    COMMAND ${THRIFT_COMPILER} -nowarn --gen cpp:no_skeleton -out ${shop_dir} ${CMAKE_CURRENT_LIST_DIR}/shop.thrift
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/shop.thrift COMMENT "asio: Apache's code for the service" VERBATIM)
  add_library(asio_apache OBJECT ${CMAKE_CURRENT_LIST_DIR}/apache_peer.cpp ${shop_sources})
  target_include_directories(asio_apache SYSTEM PRIVATE ${shop_dir} ${THRIFT_INCLUDE_DIR} ${THRIFTLENS_EVENT_INCLUDE})
  target_compile_features(asio_apache PRIVATE cxx_std_20)
  target_compile_options(asio_apache PRIVATE -g0)
  target_sources(asio_tests PRIVATE $<TARGET_OBJECTS:asio_apache>)
  target_compile_definitions(asio_tests PRIVATE THRIFTLENS_HAVE_APACHE_SERVERS=1)
  target_link_libraries(asio_tests PRIVATE ${THRIFTLENS_APACHE_NB_LIBRARY} ${THRIFTLENS_APACHE_Z_LIBRARY} ${THRIFT_LIBRARY} ${THRIFTLENS_EVENT_LIBRARY})
else()
  message(STATUS "thriftlens: no Thrift compiler, library or libevent; tests/asio/interop_apache_test.cpp is left out"
                 " (Debian: thrift-compiler libthrift-dev libboost-dev libevent-dev)")
endif()
