# The type matrix against Apache's generated code.

# Without debug information: these units instantiate many types.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/vectors_test.cpp ${CMAKE_CURRENT_LIST_DIR}/cuts_test.cpp PROPERTIES COMPILE_OPTIONS -g0)

find_program(THRIFT_COMPILER thrift)
find_path(THRIFT_INCLUDE_DIR thrift/protocol/TBinaryProtocol.h)
find_library(THRIFT_LIBRARY thrift)
if(THRIFTLENS_TEST_APACHE AND THRIFT_COMPILER AND THRIFT_INCLUDE_DIR AND THRIFT_LIBRARY)
  set(matrix_dir ${CMAKE_CURRENT_BINARY_DIR}/codec_matrix_code)
  file(MAKE_DIRECTORY ${matrix_dir})
  set(matrix_ours ${matrix_dir}/matrix_ours.cpp ${matrix_dir}/matrix_ours_1.cpp ${matrix_dir}/matrix_ours_2.cpp ${matrix_dir}/matrix_ours_3.cpp)
  add_custom_command(
    OUTPUT ${matrix_dir}/matrix_apache_fill.hpp ${matrix_dir}/matrix_types.cpp ${matrix_ours}
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/make_matrix.py ${matrix_dir}
    COMMAND ${THRIFT_COMPILER} -nowarn --gen cpp -out ${matrix_dir} ${matrix_dir}/matrix.thrift
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/make_matrix.py
    COMMENT "codec: the type matrix and Apache's code for it" VERBATIM)
  # Apache's code and headers cause warnings.
  add_library(codec_matrix_apache OBJECT ${matrix_dir}/matrix_types.cpp ${matrix_dir}/matrix_apache_fill.hpp ${CMAKE_CURRENT_LIST_DIR}/matrix_apache.cpp)
  target_include_directories(codec_matrix_apache SYSTEM PRIVATE ${matrix_dir} ${THRIFT_INCLUDE_DIR})
  target_include_directories(codec_matrix_apache PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_features(codec_matrix_apache PRIVATE cxx_std_20)
  add_executable(codec_matrix ${CMAKE_CURRENT_LIST_DIR}/matrix.cpp ${matrix_ours} $<TARGET_OBJECTS:codec_matrix_apache>)
  target_link_libraries(codec_matrix PRIVATE thriftlens_test_support ${THRIFT_LIBRARY})
  set_source_files_properties(${matrix_ours} PROPERTIES COMPILE_OPTIONS -g0)
  target_compile_options(codec_matrix_apache PRIVATE -g0)
  add_tests_of(codec_matrix codec)
else()
  message(STATUS "thriftlens: no Thrift compiler or library, so no codec matrix (apt: thrift-compiler libthrift-dev libboost-dev)")
endif()
