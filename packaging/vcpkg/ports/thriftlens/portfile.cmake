# An overlay port of the tree it lies in: vcpkg install thriftlens --overlay-ports=packaging/vcpkg/ports
set(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../..")
set(VCPKG_BUILD_TYPE release)  # headers alone
vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS FEATURES json THRIFTLENS_JSON)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS ${FEATURE_OPTIONS})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/thriftlens)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib" "${CURRENT_PACKAGES_DIR}/debug")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
