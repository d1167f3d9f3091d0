# Shared by scripts: `. "$(dirname "$0")/lib.sh"`. Sets -euo pipefail and changes to the top of the tree.
set -euo pipefail
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1
JOBS=${JOBS:-$(nproc)}
VENV=$PWD/.venv

# say TEXT: a headline with the minutes and seconds since the script started.
say() { printf '\n=== %d:%02d %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# need_packages NAME...: installs missing Debian packages; on other systems assumes that they are there.
need_packages() {
  command -v dpkg-query >/dev/null || { echo "not a Debian system; needed are the counterparts of: $*"; return 0; }
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  if [ ${#missing[@]} = 0 ]; then echo "all packages are there"; return 0; fi
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || fail "not root and no sudo; install first: ${missing[*]}"
  echo "installing: ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# need_compiler: requires g++ 12, clang 16 or newer; $CXX overrides g++ and may contain a launcher or flags.
need_compiler() {
  local compiler
  read -ra compiler <<<"${CXX:-g++}"
  echo '#include <concepts>
#if defined(__clang__) ? __clang_major__ < 16 : __GNUC__ < 12
#error too old
#endif' | "${compiler[@]}" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null ||
    fail "${CXX:-g++} is not g++ >= 12 or clang++ >= 16; name another with CXX=..."
}

# need_venv: creates .venv from a python3 >= 3.9 with venv and the C headers, unless a working one exists.
# Scripts of a venv contain its path: one that was moved is created again.
need_venv() {
  local place=$VENV
  [ ! -f "$VENV/made-in" ] || place=$(cat "$VENV/made-in")
  if [ "$place" = "$VENV" ] && "$VENV/bin/python" -m pip --version >/dev/null 2>&1; then
    echo "using $("$VENV/bin/python" --version) in .venv"
    return 0
  fi
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" - 2>/dev/null <<'PYTHON'
import ensurepip, os, sys, sysconfig, venv
sys.exit(sys.version_info < (3, 9) or not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))
PYTHON
    then
      rm -rf "$VENV"
      "$python" -m venv "$VENV"
      printf '%s\n' "$VENV" >"$VENV/made-in"
      echo "made .venv with $("$VENV/bin/python" --version)"
      return 0
    fi
  done
  fail "no python3 >= 3.9 with venv and Python.h (Debian: python3 python3-dev python3-venv)"
}

# pip_build ARGUMENT...: pip install that shows which unit is compiled; its other output goes to build/pip.log, which is printed on failure.
pip_build() {
  mkdir -p build
  "$VENV/bin/python" -m pip install -v "$@" 2>&1 | tee build/pip.log | sed -nu 's/^ *\(\[[0-9]*\/[0-9]*\] .*\)/  \1/p' ||
    { tail -n 60 build/pip.log; fail "pip install $*"; }
}

# install_package [EXTRA] [pip option...]: builds this tree and installs it into .venv, once per sources and compiler for all extras and
# options (tests and demo share the module); then installs the packages of the extra. No network is used if nothing is missing.
install_package() {
  local extra=${1:-} stamp=$VENV/installed.stamp extras=$VENV/extras.stamp sources
  shift || true
  sources="${CXX:-} ${CXXFLAGS:-} $(find CMakeLists.txt LICENSE README.md cmake include licenses pyproject.toml python src \
    -type f ! -name '*.pyc' -exec sha256sum {} + | LC_ALL=C sort | sha256sum)"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$sources" ] && "$VENV/bin/python" -c 'import thriftlens' 2>/dev/null; then
    echo "thriftlens $(installed_version) of these sources is in .venv"
    [ -n "$extra" ] && ! grep -qxF "$extra" "$extras" 2>/dev/null || return 0
    "$VENV/bin/python" -m pip install --quiet "thriftlens[$extra]"
  else
    rm -f "$stamp" "$extras"
    pip_build "$@" ".${extra:+[$extra]}"
    printf '%s\n' "$sources" >"$stamp"
    echo "installed thriftlens $(installed_version) into .venv"
  fi
  [ -z "$extra" ] || printf '%s\n' "$extra" >>"$extras"
}
installed_version() { "$VENV/bin/python" -c 'import thriftlens; print(thriftlens.__version__)'; }

# configure PRESET [cmake option...]: prints nothing unless it fails; recreates a build folder that is incomplete or was moved.
configure() {
  local said
  said=$(cmake --preset "$@" 2>&1) || said=$(cmake --fresh --preset "$@" 2>&1) || { printf '%s\n' "$said"; fail "cmake --preset $*"; }
}

# build_preset PRESET [cmake option...]: configures and builds.
build_preset() {
  configure "$@"
  cmake --build --preset "$1" -j "$JOBS"
}
# run_tests PRESET: runs ctest; passed tests are not listed.
run_tests() {
  ctest --preset "$1" -j "$JOBS" --timeout 3600 | grep --line-buffered -vE '^ +Start +[0-9]+:| Passed +[0-9.]+ sec$'
}

# Packages to build and test everything; the demo needs only the first line and no installed CMake.
DEMO_PACKAGES=(g++ python3 python3-dev python3-venv)
TEST_PACKAGES=("${DEMO_PACKAGES[@]}" cmake ninja-build git libgtest-dev libgmock-dev libbenchmark-dev libsimdjson-dev
  libthrift-dev thrift-compiler libboost-dev libevent-dev libasio-dev zlib1g-dev pkg-config clang-16 libclang-rt-16-dev clang-format-16)
PEER_PACKAGES=(protobuf-compiler libprotobuf-dev flatbuffers-compiler libflatbuffers-dev capnproto libcapnp-dev)
QUICK_PACKAGES=(g++ cmake ninja-build python3 pkg-config libbenchmark-dev libsimdjson-dev libthrift-dev thrift-compiler libboost-dev rapidjson-dev)
BENCH_PACKAGES=(g++ cmake ninja-build python3 python3-dev python3-venv pkg-config libbenchmark-dev libsimdjson-dev libthrift-dev thrift-compiler
  libboost-dev libasio-dev libevent-dev rapidjson-dev "${PEER_PACKAGES[@]}")
CI_PACKAGES=("${TEST_PACKAGES[@]}" "${BENCH_PACKAGES[@]}" valgrind)
