#!/usr/bin/env bash
# Installs missing packages, builds everything and runs all tests: ctest with g++, ctest with clang 16 under sanitizers, pytest.
. "$(dirname "$0")/lib.sh"

say "packages"
need_packages "${TEST_PACKAGES[@]}" "${BENCH_PACKAGES[@]}"
need_compiler
say "Python environment"
need_venv
say "dev: build, and thriftlens into .venv"
# At the same time: the package has a few large units, one of which is compiled alone at the end.
mkdir -p build
install_package test --config-settings=cmake.define.THRIFTLENS_WERROR=ON >build/install.log 2>&1 &
installation=$!
# The benchmarks in the same folder: they share the compiled bodies of the tests.
build_preset dev -DTHRIFTLENS_BENCH=ON -DTHRIFTLENS_TESTS_IN_SHARDS=ON
wait "$installation" || { cat build/install.log; fail "pip install"; }
cat build/install.log
say "dev: tests"
THRIFTLENS_EDIT_SCRIPTS=10000 run_tests dev # random edits per protocol beside Apache Thrift; 3,000 elsewhere
say "asan: build"
build_preset asan
say "asan: tests"
run_tests asan
say "generated cases through the C++ API under sanitizers"
THRIFTLENS_PROVE_DRIVER=$PWD/build/asan/tests/prove_driver THRIFTLENS_PROVE_CASES=75 "$VENV/bin/python" -m pytest -q -k cpp \
  tests/prove/test_targets.py
say "pytest against the installed package"
# A file stays in one process: the blocks of a page are one session. One process more than cores: some wait for timeouts.
THRIFTLENS_COMPILED_IN=$PWD/build/dev "$VENV/bin/python" -m pytest -n "$((JOBS + 1))" --dist loadfile --no-loadscope-reorder \
  tests/python tests/prove tests/docs tests/style

say "all tests passed"
