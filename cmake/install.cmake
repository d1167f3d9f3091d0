# Installs the headers and the package `thriftlens` (components: none, json).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(thriftlens_package ${CMAKE_INSTALL_DATADIR}/cmake/thriftlens)

# thriftlens_json goes into a file of its own: only who asks for json needs simdjson.
install(TARGETS thriftlens EXPORT thriftlens INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT thriftlens NAMESPACE thriftlens:: FILE thriftlens-targets.cmake DESTINATION ${thriftlens_package})
if(TARGET thriftlens_json)
  install(TARGETS thriftlens_json EXPORT thriftlens_json)
  install(EXPORT thriftlens_json NAMESPACE thriftlens:: FILE thriftlens-json.cmake DESTINATION ${thriftlens_package})
endif()
install(DIRECTORY include/thriftlens DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp PATTERN *.ipp)
install(FILES cmake/compiled.cpp cmake/compiled_json.cpp cmake/compiled.cmake DESTINATION ${thriftlens_package})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/thriftlens)

configure_package_config_file(cmake/thriftlens-config.cmake.in thriftlens-config.cmake
  INSTALL_DESTINATION ${thriftlens_package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(thriftlens-config-version.cmake COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/thriftlens-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/thriftlens-config-version.cmake
  DESTINATION ${thriftlens_package})
