#!/usr/bin/env bash
# Line and branch coverage of include/ and src/ by module, with g++ and gcov at -O0:
#   coverage.sh [MODULE...]     default: the test programs of all modules, then pytest
# MODULE is a test program of tests/ (core, idl, json …), `prove` (generated cases through tests/prove/driver.cpp) or `python`.
# Counts accumulate in build/coverage until it is removed. Prints the table and writes it to docs/proof.md.
. "$(dirname "$0")/lib.sh"

command -v gcov >/dev/null || { echo "skipped: gcov (of g++) is not installed"; exit 0; }
python=${PYTHON:-$VENV/bin/python}
if [ "$python" = "$VENV/bin/python" ]; then
  need_venv
  "$python" -m pip install --quiet "pybind11>=3.0,<4" pysimdjson==7.0.2 pytest pytest-xdist thrift hypothesis
fi
modules=("$@")
[ ${#modules[@]} -gt 0 ] ||
  modules=(prove core simd text idl protocol transport records schema path view columns rewrite edit compare policy dom
    codec rpc json http asio toy places fast memory python)

say "configure"
module_options=()
[[ " ${modules[*]} " != *" python "* ]] ||
  module_options=(-DTHRIFTLENS_PYTHON=ON -DPython_EXECUTABLE="$python" -Dpybind11_DIR="$("$python" -m pybind11 --cmakedir)")
configure dev -B build/coverage -DCMAKE_CXX_FLAGS_DEBUG="-O0 --coverage" -DTHRIFTLENS_EXAMPLES=OFF -DTHRIFTLENS_STYLE_TESTS=OFF \
  -DTHRIFTLENS_TEST_PCH=OFF -DTHRIFTLENS_TESTS_IN_SHARDS=ON "${module_options[@]}"
for module in "${modules[@]}"; do
  say "$module"
  if [ "$module" = python ]; then
    cmake --build build/coverage --target thriftlens_core -j "$JOBS"
    # Its own package folder, so that no installed module is loaded.
    rm -rf build/coverage/package
    mkdir -p build/coverage/package
    cp -r python/thriftlens build/coverage/package/
    cp build/coverage/src/_core*.so build/coverage/package/thriftlens/
    PYTHONPATH=$PWD/build/coverage/package THRIFTLENS_PROVE_CASES=${THRIFTLENS_PROVE_CASES:-100} "$python" -m pytest -q \
      -n "$JOBS" --dist loadfile tests/prove tests/python || echo "some tests failed: their lines count"
  elif [ "$module" = prove ]; then
    cmake --build build/coverage --target prove_driver -j "$JOBS"
    "$python" -c 'import thriftlens' 2>/dev/null || install_package test >/dev/null
    THRIFTLENS_PROVE_DRIVER=$PWD/build/coverage/tests/prove_driver "$python" -m pytest -q -k cpp tests/prove/test_targets.py ||
      echo "some tests failed: their lines count"
  else
    cmake --build build/coverage --target "${module}_tests" -j "$JOBS"
    "build/coverage/tests/${module}_tests" --gtest_brief=1 || echo "some tests failed: their lines count"
  fi
done

say "table"
"$python" scripts/coverage.py build/coverage --write docs/proof.md
