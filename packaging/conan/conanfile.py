"""Conan 2: `conan create packaging/conan -o "thriftlens/*:json=False"`, or with simdjson from a
remote that has it.
"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

required_conan_version = ">=2.0"


class Thriftlens(ConanFile):
    name = "thriftlens"
    description = (
        "Read, change and transcode Apache Thrift data in place, with IDL parsed at run time"
    )
    license = "Apache-2.0"
    topics = ("thrift", "json", "idl", "serialization", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"json": [True, False]}
    default_options = {"json": True}
    no_copy_source = True

    @property
    def _tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        config = load(self, os.path.join(self._tree, "include", "thriftlens", "core", "config.hpp"))
        self.version = re.search(
            r'^#define THRIFTLENS_VERSION "([^"]+)"', config, re.MULTILINE
        ).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "NOTICE", "cmake/*", "include/*"):
            copy(self, pattern, self._tree, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.json:
            self.requires("simdjson/[>=3.0 <5]", transitive_headers=True, transitive_libs=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        # Headers serve every compiler; with json there is a file more, so the options stay.
        self.info.settings.clear()
        self.info.requires.clear()

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["THRIFTLENS_JSON"] = "ON" if self.options.json else "OFF"
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        for name in ("LICENSE", "NOTICE"):
            copy(self, name, self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # The project's own CMake package is the one description of its targets
        # (thriftlens::compiled is made in the consumer's tree).
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("share", "cmake", "thriftlens")]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
