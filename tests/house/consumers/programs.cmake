# The same programs for every consumer, one each: on the standard library alone, with JSON, with Asio, with the bodies compiled once.
# Its warnings are its own affair.
set(programs ${CMAKE_CURRENT_LIST_DIR})
add_compile_options(-Wall -Wextra -Weffc++ -Wswitch-enum -Wfloat-equal -Werror)
enable_testing()
if(WITH_COMPILED)  # a program of two units
  add_executable(compiled ${programs}/compiled.cpp ${programs}/compiled_too.cpp)
  target_link_libraries(compiled PRIVATE thriftlens::compiled_json)
  add_test(NAME compiled COMMAND compiled)
elseif(WITH_JSON)
  add_executable(with_json ${programs}/with_json.cpp)
  target_link_libraries(with_json PRIVATE thriftlens::json)
  add_test(NAME with_json COMMAND with_json)
elseif(WITH_ASIO)
  add_executable(with_asio ${programs}/with_asio.cpp)
  target_link_libraries(with_asio PRIVATE thriftlens::asio)
  target_compile_options(with_asio PRIVATE -Wno-effc++)  # Asio's own headers bring it
  add_test(NAME with_asio COMMAND with_asio)
else()
  add_executable(plain ${programs}/plain.cpp)
  target_link_libraries(plain PRIVATE thriftlens::thriftlens)
  add_test(NAME plain COMMAND plain)
endif()
