# CMake and pip read the version from core/config.hpp.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../include/thriftlens/core/config.hpp thriftlens_version
  REGEX "^#define THRIFTLENS_VERSION \"")
string(REGEX REPLACE "^.*\"([0-9.]+)\".*$" "\\1" thriftlens_version "${thriftlens_version}")
