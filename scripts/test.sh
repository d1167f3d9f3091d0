#!/usr/bin/env bash
# Installs missing packages, builds everything and runs all tests: ctest with g++, ctest with clang 16 under sanitizers, pytest.
. "$(dirname "$0")/lib.sh"

say "packages"
need_packages "${TEST_PACKAGES[@]}" "${BENCH_PACKAGES[@]}"
need_compiler
say "Python environment"
need_venv
say "thriftlens into .venv"
install_package test --config-settings=cmake.define.THRIFTLENS_WERROR=ON

# The benchmarks in the same folder: they share the compiled bodies of the tests.
# 10,000 random edits per protocol beside Apache Thrift; 3,000 elsewhere.
THRIFTLENS_EDIT_SCRIPTS=10000 build_and_test dev -DTHRIFTLENS_BENCH=ON -DTHRIFTLENS_TESTS_IN_SHARDS=ON
build_and_test asan
say "generated cases through the C++ API under sanitizers"
THRIFTLENS_PROVE_DRIVER=$PWD/build/asan/tests/prove_driver THRIFTLENS_PROVE_CASES=75 "$VENV/bin/python" -m pytest -q -k cpp \
  tests/prove/test_targets.py
say "pytest against the installed package"
# A file stays in one process: the blocks of a page are one session. One process more than cores: some wait for timeouts.
THRIFTLENS_COMPILED_IN=$PWD/build/dev "$VENV/bin/python" -m pytest -n "$((JOBS + 1))" --dist loadfile --no-loadscope-reorder \
  tests/python tests/prove tests/docs tests/style

say "all tests passed"
