#!/usr/bin/env bash
# style.scripts: tests a second run of the functions of scripts/lib.sh, in a small tree with a stub for Python.
#   check_scripts.sh LIB_SH
set -euo pipefail
lib=$1
tree="$(mktemp -d)/it's a trée"
trap 'rm -rf "$(dirname "$tree")"' EXIT
mkdir -p "$tree"/{scripts,stub,cmake,include,python,src}
cp "$lib" "$tree/scripts/lib.sh"
cd "$tree"
touch CMakeLists.txt LICENSE README.md pyproject.toml src/module.cpp
cat >stub/python3 <<'STUB'
#!/usr/bin/env bash
# Is a fit interpreter, makes itself an environment, counts what it installs.
case "$*" in
  "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; echo venv >>done.log ;;
  "-m pip install "*)
    echo "pip ${*: -1}" >>done.log
    printf '%s\n' "  Collecting words" "  [1/2] Building CXX object unit.o" "  [2/2] Linking"
    [ ! -e broken ] || exit 1
    ;;
esac
STUB
chmod +x stub/python3
export PATH="$tree/stub:$PATH" CDPATH=/
. scripts/lib.sh

expect() { # expect WHAT LINE...: those lines and no more were logged since the last time
  local what=$1 said
  shift
  said=$(cat done.log 2>/dev/null || true)
  rm -f done.log
  [ "$said" = "$(printf '%s\n' "$@")" ] || { printf '%s: expected %s, found %s\n' "$what" "$*" "$said"; exit 1; }
}

[ "$PWD" = "$tree" ] || fail "lib.sh went to $PWD"
need_venv && expect "no .venv" venv
need_venv && expect "a .venv is there"
echo elsewhere >.venv/made-in && need_venv && expect "a .venv that was moved" venv
rm .venv/made-in && need_venv && expect "the user's own .venv"
rm .venv/bin/python && need_venv && expect "half a .venv" venv
rm -r .venv && touch .venv && need_venv && expect "a file .venv" venv

install_package test && expect "not installed" "pip .[test]"
install_package test && expect "the same again"
install_package "" && expect "without the extra"
install_package docs && expect "another extra" "pip thriftlens[docs]"
install_package docs && expect "another extra again"
echo changed >src/module.cpp && install_package "" && expect "a source changed" "pip ."
install_package test && expect "the extra after the package" "pip thriftlens[test]"
(CXX=clang++ install_package "" && expect "another compiler" "pip .")

echo again >src/module.cpp
said=$(install_package "") && expect "a source changed again" "pip ."
[[ $said == *"[1/2] Building CXX object unit.o"*"[2/2] Linking"* && $said != *Collecting* ]] || fail "the units are not shown: $said"
touch broken && echo broken >src/module.cpp
if said=$( (install_package "") 2>&1 ); then fail "a build that failed was installed"; fi
[[ $said == *"Collecting words"*"error: pip install"* ]] || fail "what pip said of the failure is not shown: $said"
rm broken done.log
install_package "" && expect "after a failure" "pip ."

echo '{"version": 6, "configurePresets": [{"name": "dev", "generator": "Ninja", "binaryDir": "${sourceDir}/build/dev"}]}' >CMakePresets.json
printf 'cmake_minimum_required(VERSION 3.25)\nproject(small LANGUAGES NONE)\n' >CMakeLists.txt
configure dev
sed -i "s,$PWD,/old/place,g" build/dev/CMakeCache.txt && configure dev
echo "half (" >build/dev/CMakeCache.txt && configure dev
if said=$( (configure missing) 2>&1 ); then fail "a preset that is missing was configured"; fi
[[ $said == *"No such preset"* ]] || fail "why it failed is not said: $said"
(CXX="g++ -m64" need_compiler) || fail "a compiler with a flag is refused"
if (CXX=/no/compiler need_compiler 2>/dev/null); then fail "no compiler is no fault"; fi
