# Installs the headers, the CMake package `thriftlens` (components: see thriftlens-config.cmake.in) and pkg-config files.
# All of it is in the component `devel`: cmake --install BUILD --component devel.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME devel)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(thriftlens_package ${CMAKE_INSTALL_DATADIR}/cmake/thriftlens)

# thriftlens_json is exported separately: only its consumers need simdjson.
install(TARGETS thriftlens EXPORT thriftlens INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT thriftlens NAMESPACE thriftlens:: FILE thriftlens-targets.cmake DESTINATION ${thriftlens_package})
if(TARGET thriftlens_json)
  install(TARGETS thriftlens_json EXPORT thriftlens_json)
  install(EXPORT thriftlens_json NAMESPACE thriftlens:: FILE thriftlens-json.cmake DESTINATION ${thriftlens_package})
endif()
install(DIRECTORY include/thriftlens DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp PATTERN *.ipp)
install(FILES cmake/compiled.cmake cmake/asio.cmake DESTINATION ${thriftlens_package})
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/thriftlens)

configure_package_config_file(cmake/thriftlens-config.cmake.in thriftlens-config.cmake
  INSTALL_DESTINATION ${thriftlens_package} PATH_VARS CMAKE_INSTALL_INCLUDEDIR NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break programs, later only a major one (docs/install.md).
set(thriftlens_compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(thriftlens_compatibility SameMinorVersion)
endif()
write_basic_package_version_file(thriftlens-config-version.cmake COMPATIBILITY ${thriftlens_compatibility} ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/thriftlens-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/thriftlens-config-version.cmake
  DESTINATION ${thriftlens_package})

# Headers do not depend on the architecture: share/pkgconfig. The prefix is relative to the file, so that the tree can be moved.
configure_file(cmake/thriftlens.pc.in thriftlens.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/thriftlens.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
if(TARGET thriftlens_json)
  configure_file(cmake/thriftlens-json.pc.in thriftlens-json.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/thriftlens-json.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
endif()

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_PACKAGE_VENDOR thriftlens)
  set(CPACK_PACKAGE_CONTACT "the authors of thriftlens <thriftlens@localhost>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
  set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
  set(CPACK_GENERATOR TGZ)
  set(CPACK_DEBIAN_PACKAGE_NAME libthriftlens-dev)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libsimdjson-dev (>= 3.0)")
  include(CPack)
endif()
