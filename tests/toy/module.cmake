# JSON of the toy protocol, if simdjson is installed.
if(TARGET thriftlens_json)
  target_link_libraries(toy_tests PRIVATE thriftlens_json)
else()
  get_target_property(toy_sources toy_tests SOURCES)
  list(FILTER toy_sources EXCLUDE REGEX "/json_test[.]cpp$")
  set_target_properties(toy_tests PROPERTIES SOURCES "${toy_sources}")
endif()
