#!/usr/bin/env bash
# Runs the tests of all modules in settings that take too long for CI: other machines (under qemu), 32 bits, other standard libraries and flags.
#   bash scripts/everywhere.sh [aarch64|s390x|m32|unsigned-char|debug-stl|libcxx|mingw|neon|newest-gcc|newest-clang|free-threaded …]
# Default: all.
# Writes a table to build/everywhere/table.md. The first two take more than an hour each, because qemu runs every test.
. "$(dirname "$0")/lib.sh"
ROOT=$PWD/build/everywhere
ALL=(unsigned-char debug-stl libcxx m32 aarch64 s390x mingw neon newest-gcc newest-clang free-threaded)
INSIDE=()  # what a command is run by: nothing, or another root
GTEST=/usr/src/googletest

# Libraries of another architecture, unpacked into a folder; the machine's own packages are not changed.
foreign_libraries() {
  local debian=$1 triple=$2 root=$3 apt
  [ ! -e "$root/done" ] || return 0
  mkdir -p "$root/apt/lists/partial" "$root/apt/cache/archives/partial"
  : >"$root/apt/status"
  apt=(apt-get -qq -o "APT::Architecture=$debian" -o "APT::Architectures=$debian" -o "Dir::State::lists=$root/apt/lists"
    -o "Dir::State::status=$root/apt/status" -o "Dir::Cache=$root/apt/cache" -o APT::Sandbox::User=root)
  "${apt[@]}" update || true  # where a list is out of step, what it names cannot be had
  (cd "$root" && "${apt[@]}" download libthrift-dev libthrift-0.17.0 libssl3 zlib1g zlib1g-dev libsimdjson-dev libsimdjson14 libevent-2.1-7 libevent-dev)
  for deb in "$root"/*.deb; do dpkg -x "$deb" "$root"; done
  # zlib is in /lib there.
  if [ -d "$root/lib/$triple" ]; then cp -a "$root/lib/$triple/." "$root/usr/lib/$triple/"; fi
  ln -sfn /usr/include/boost /usr/include/asio /usr/include/asio.hpp "$root/usr/include/"
  touch "$root/done"
}

# debian_sources FOLDER SUITE…: sets APT to an apt-get with the sources of those suites that keeps its state in FOLDER.
# apt verifies Debian's signatures.
debian_sources() {
  local folder=$1 mirror suite
  shift
  mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep /debian | head -1)}
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  for suite; do
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
  done >"$folder/list"
  APT=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
  "${APT[@]}" update
}

# Builds Apache Thrift's C++ library from Debian's sources with the compiler and flags of a lane, whose containers may have another ABI.
#   apache_thrift NAME [cmake option…]     installs it into $ROOT/thrift-NAME
apache_thrift() {
  local sources=$ROOT/thrift-sources into=$ROOT/thrift-$1
  shift
  export PKG_CONFIG_PATH=$into/lib/pkgconfig
  [ ! -e "$PKG_CONFIG_PATH/thrift-nb.pc" ] || return 0
  debian_sources "$sources" bookworm
  (cd "$sources" && "${APT[@]}" source --download-only thrift && tar -xf thrift_*.orig.tar.gz)
  # TEnumIterator, which generated code passes to std::map, has only operator!=; a checking library needs operator==.
  sed -i 's/^  bool operator!=(const TEnumIterator& end) {/  bool operator==(const TEnumIterator\&) const { return ii_ == n_; }\n&/' "$sources"/thrift-*/lib/cpp/src/thrift/Thrift.h
  cmake -S "$sources"/thrift-*/ -B "$into/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g0" -DCMAKE_DEBUG_POSTFIX= \
    -DBUILD_SHARED_LIBS=OFF -DBUILD_COMPILER=OFF -DBUILD_TESTING=OFF -DBUILD_TUTORIALS=OFF -DWITH_{AS3,QT5,C_GLIB,JAVA,JAVASCRIPT,NODEJS,PYTHON,OPENSSL}=OFF \
    "-DCMAKE_INSTALL_PREFIX=$into" "$@" >"$into.log"
  cmake --build "$into/build" -j "$JOBS" >>"$into.log"
  cmake --install "$into/build" >>"$into.log"
}

# build NAME [cmake option…]: configures, builds and runs the tests, output in a log; adds a line to the table.
build() {
  local name=$1 log=$ROOT/$1.log status=passed
  shift
  say "$name"
  {
    "${INSIDE[@]}" cmake -S . -B "$ROOT/$name" -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g0" -DTHRIFTLENS_TESTS=ON -DTHRIFTLENS_STYLE_TESTS=OFF \
      -DTHRIFTLENS_TEST_PCH=ON -DTHRIFTLENS_TEST_UNITY=ON -DTHRIFTLENS_TESTS_IN_SHARDS=ON -DTHRIFTLENS_INSTALL=OFF -DTHRIFTLENS_JSON=ON -DTHRIFTLENS_ASIO=AUTO \
      -DTHRIFTLENS_GTEST_SOURCE=$GTEST "$@" &&
      "${INSIDE[@]}" cmake --build "$ROOT/$name" -j "$JOBS" -- -k0 &&
      "${INSIDE[@]}" ctest --test-dir "$ROOT/$name" -j "$JOBS" --timeout 7200 --output-on-failure --no-tests=error
  } >"$log" 2>&1 || status=FAILED
  row "$name" "$status: $(grep -aE 'tests passed' "$log" | tail -1 || true)"
}
row() { printf '| %s | %s |\n' "$1" "$2" | tee -a "$ROOT/table.md"; }

cross() {
  local machine=$1 debian=$2
  need_packages "g++-$machine-linux-gnu" qemu-user
  foreign_libraries "$debian" "$machine-linux-gnu" "$ROOT/root-$machine"
  export THRIFTLENS_CROSS=$machine THRIFTLENS_ROOT=$ROOT/root-$machine
  export PKG_CONFIG_LIBDIR=$THRIFTLENS_ROOT/usr/lib/$machine-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$THRIFTLENS_ROOT
  build "$machine" "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/cross.cmake"
}
in_32_bits() {
  need_packages g++-12-multilib
  local root=$ROOT/root-i386
  foreign_libraries i386 i386-linux-gnu "$root"
  export PKG_CONFIG_LIBDIR=$root/usr/lib/i386-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
  export LD_LIBRARY_PATH=$root/usr/lib/i386-linux-gnu
  # Kernel headers are in the folder of the machine's own architecture.
  build m32 "-DCMAKE_CXX_FLAGS=-m32 -I/usr/include/x86_64-linux-gnu" -DCMAKE_C_FLAGS=-m32 -DCMAKE_LIBRARY_ARCHITECTURE=i386-linux-gnu \
    "-DCMAKE_PREFIX_PATH=$root/usr" "-DCMAKE_LIBRARY_PATH=$root/usr/lib/i386-linux-gnu" "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-rpath-link,$LD_LIBRARY_PATH"
}
# Another standard library or another configuration of it. Numbers of steps may differ; a static libthriftz needs zlib from the program.
with_library() {
  apache_thrift "$@"
  build "$@" "-DCMAKE_PREFIX_PATH=$ROOT/thrift-$1" -DCMAKE_CXX_STANDARD_LIBRARIES=-lz -DTHRIFTLENS_TEST_STEPS=OFF
}
# Headers only: Windows programs cannot run here. Also after <windows.h> and its macros.
with_mingw() {
  need_packages g++-mingw-w64-x86-64-posix
  say mingw
  local status="compiles: all modules" header before
  local others=$ROOT/headers  # of other libraries: those of headers alone
  mkdir -p "$others"
  ln -sfn /usr/include/simdjson.h /usr/include/asio /usr/include/asio.hpp "$others/"
  for header in include/thriftlens/*.hpp; do
    for before in '' $'#define NOMINMAX\n#include <winsock2.h>\n#include <windows.h>\n'; do
      x86_64-w64-mingw32-g++-posix -std=c++20 -Wall -Wextra -Iinclude -isystem "$others" -fsyntax-only -x c++ - <<<"$before#include \"$header\"" >>"$ROOT/mingw.log" 2>&1 ||
        status="FAILED: $header"
    done
  done
  row mingw "$status"
}

# Instructions per call on 4096 bytes, each kernel with its NEON body and the portable one; both must give the same result.
neon_counts() {
  need_packages g++-aarch64-linux-gnu qemu-user
  say neon
  local kernel body counts=()
  for body in neon portable; do
    aarch64-linux-gnu-g++ -std=c++20 -O2 -static -Iinclude $([ $body = neon ] || echo -DTHRIFTLENS_NO_SIMD) bench/kernels/main.cpp -o "$ROOT/kernels-$body"
  done
  # qemu counts executed instructions; the difference of two runs leaves out the start of the program.
  run_counted() { qemu-aarch64 -singlestep -d nochain,exec -D /dev/stderr "$ROOT/kernels-$1" "$2" "$3" 2>&1 >/dev/null | wc -l; }
  for kernel in swap compare find escape unescape ascii; do
    [ "$(qemu-aarch64 "$ROOT/kernels-neon" $kernel 9)" = "$(qemu-aarch64 "$ROOT/kernels-portable" $kernel 9)" ] || {
      row neon "FAILED: $kernel differs"
      return 0
    }
    for body in neon portable; do
      counts+=("$(((($(run_counted $body $kernel 30) - $(run_counted $body $kernel 10))) / 20))")
    done
  done
  row neon "instructions of NEON / portable bodies: $(printf 'swap %s/%s, compare %s/%s, find %s/%s, escape %s/%s, unescape %s/%s, ascii %s/%s' "${counts[@]}")"
}

# The newest compiler of that name in Debian unstable, with its libraries, in a separate root.
newest() {
  local name=$1 package=$2 cxx=$3 cc=$4 root=$ROOT/sid version
  need_packages debootstrap
  if [ ! -e "$root/done" ]; then
    as_root debootstrap --variant=minbase --include=ca-certificates sid "$root" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$ROOT/sid.log"
    as_root touch "$root/done"
  fi
  # shellcheck disable=SC2016  # expanded by the inner shell
  INSIDE=(as_root unshare --mount bash -c 'mkdir -p "$0$1" && mount --bind "$1" "$0$1" && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
    exec chroot "$0" env -C "$1" HOME=/root DEBIAN_FRONTEND=noninteractive "${@:2}"' "$root" "$PWD")
  "${INSIDE[@]}" apt-get update -qq || true  # a mirror that is behind: then what debootstrap saw
  version=$("${INSIDE[@]}" apt-cache pkgnames "$package-" | sed -nE 's/^[a-z+]+-([0-9]+)$/\1/p' | sort -n | tail -1)
  "${INSIDE[@]}" apt-get install -y -qq --no-install-recommends "$package-$version" cmake ninja-build python3 pkg-config libgtest-dev libgmock-dev googletest \
    libsimdjson-dev libthrift-dev thrift-compiler libboost-dev libevent-dev libasio-dev zlib1g-dev >>"$ROOT/sid.log"
  build "$name" "-DCMAKE_CXX_COMPILER=$cxx-$version" "-DCMAKE_C_COMPILER=$cc-$version" -DTHRIFTLENS_ASIO=ON
}

# Some packages have no wheel for free-threaded CPython: tests that need them are skipped. Other versions may lack more.
FREE_THREADED_WITHOUT=(zstandard polars duckdb)
# The packages of pyproject.toml for building and testing, except those.
free_threaded_packages() {
  "$1" - "${FREE_THREADED_WITHOUT[@]}" <<'PYTHON'
import re, sys, tomllib
with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
for each in project["build-system"]["requires"] + project["project"]["optional-dependencies"]["test"]:
    if re.match(r"[\w-]+", each)[0] not in sys.argv[1:]:
        print(each)
PYTHON
}
# Debian has only the sources of CPython; $FREE_THREADED_PYTHON names a python3 built with --disable-gil.
# Built like the tests of other lanes, in a persistent folder: a second run compiles only changes.
free_threaded() {
  local python=${FREE_THREADED_PYTHON:-$ROOT/python/bin/python3} log=$ROOT/free-threaded.log venv=$ROOT/free-threaded status=passed
  say free-threaded
  {
    { [ -x "$python" ] || build_free_threaded "$ROOT/python"; } &&
      "$python" -m venv "$venv" && free_threaded_packages "$python" >"$venv/packages.txt" && "$venv/bin/pip" install --quiet -r "$venv/packages.txt" &&
      CMAKE_BUILD_PARALLEL_LEVEL=$JOBS "$venv/bin/pip" install --quiet --no-build-isolation "-Cbuild-dir=$venv/build" -Ccmake.build-type=Debug \
        "-Ccmake.define.CMAKE_CXX_FLAGS_DEBUG=-O0 -g0" . &&
      "$venv/bin/python" -c 'import sys, thriftlens; sys.exit(sys._is_gil_enabled())' &&
      PYTHON_GIL=0 "$venv/bin/python" -m pytest tests/python -q -n "$JOBS" --dist loadfile
  } >"$log" 2>&1 || status=FAILED
  row free-threaded "$status: $("$python" -V 2>&1), $(tail -1 "$log")"
}
# The newest python3 whose sources the mirror has.
build_free_threaded() {
  local into=$1 sources=$ROOT/sources version
  need_packages dpkg-dev libssl-dev libffi-dev libsqlite3-dev zlib1g-dev
  debian_sources "$sources" sid trixie
  for version in 3.14 3.13; do
    (cd "$sources" && "${APT[@]}" source --download-only "python$version") && break
  done
  tar -xf "$sources/python$version"_*.orig.tar.xz -C "$sources"
  (cd "$sources"/Python-"$version"* && ./configure -q --prefix="$into" --disable-gil --disable-test-modules && make -s -j "$JOBS" && make -s install)
}

mkdir -p "$ROOT"
printf '| Where | Tests |\n| --- | --- |\n' >"$ROOT/table.md"
need_packages "${TEST_PACKAGES[@]}"
for each in "${@:-${ALL[@]}}"; do
  case $each in
    aarch64) (cross aarch64 arm64) ;;
    s390x) (cross s390x s390x) ;;
    m32) (in_32_bits) ;;
    unsigned-char) build unsigned-char -DCMAKE_CXX_FLAGS=-funsigned-char ;;
    debug-stl) (with_library debug-stl "-DCMAKE_CXX_FLAGS=-D_GLIBCXX_DEBUG -D_GLIBCXX_DEBUG_PEDANTIC") ;;
    libcxx)
      need_packages libc++-16-dev libc++abi-16-dev
      (with_library libcxx -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_C_COMPILER=clang-16 -DCMAKE_CXX_FLAGS=-stdlib=libc++) ;;
    mingw) with_mingw ;;
    neon) neon_counts ;;
    newest-gcc) (newest newest-gcc g++ g++ gcc) ;;
    newest-clang) (newest newest-clang clang clang++ clang) ;;
    free-threaded) (free_threaded) ;;
    *) fail "unknown: $each; there are: ${ALL[*]}" ;;
  esac
done
cat "$ROOT/table.md"
! grep -q FAILED "$ROOT/table.md"
