#!/usr/bin/env bash
# Compiles README's first program with compilers and flags of typical CI, and the headers after macros of other libraries: scripts/lanes.sh [WORD...]
#   only lanes whose name contains a WORD; all take about half an hour of processor time. Prints a table of processor seconds and peak memory.
# CI runs the fast ones (tests/style/test_compilers.py). Bodies (*.ipp) are compiled alone as well.
. "$(dirname "$0")/lib.sh"

work=build/lanes
mkdir -p $work
python3 - >$work/first.cpp <<'PYTHON'
import re, sys
sys.path.insert(0, "tests/docs")
import readme_blocks
print(readme_blocks.program(next(block.text for block in readme_blocks.blocks_of("README.md", open("README.md", encoding="utf-8").read()) if block.language == "cpp")))
PYTHON
failed=()
words=("$@")

# lane NAME COMMAND...: compiles and prints the costs.
lane() {
  local name=$1 word status=0
  shift
  for word in "${words[@]}"; do [[ $name == *"$word"* ]] || return 0; done
  command -v "$1" >/dev/null || { printf '| %s | skipped: no %s | |\n' "$name" "$1"; return 0; }
  /usr/bin/env time -f '%U %M' -o $work/took "$@" >$work/log 2>&1 || status=$?
  if [ $status = 0 ]; then
    awk -v name="$name" '{ printf "| %s | %.1f s | %d MB |\n", name, $1, $2 / 1024 }' $work/took
  else
    printf '| %s | FAILED | |\n' "$name"
    grep -m 3 -E 'error' $work/log || tail -3 $work/log
    failed+=("$name")
  fi
}

command -v time >/dev/null || need_packages time
printf '| lane | processor time | peak memory |\n|---|--:|--:|\n'
for compiler in g++ clang++-16; do
  for level in -O0 -O1 -O2; do
    lane "$compiler $level" $compiler -std=c++20 $level -Iinclude -c $work/first.cpp -o $work/first.o
    [ $level != -O0 ] || continue
    for sanitizers in address undefined address,undefined thread; do
      for recover in -fsanitize-recover=all -fno-sanitize-recover=all; do
        [ "$sanitizers $recover" != "thread -fsanitize-recover=all" ] || continue
        lane "$compiler $level $sanitizers $recover" $compiler -std=c++20 $level -fsanitize=$sanitizers $recover -Iinclude -c $work/first.cpp -o $work/first.o
      done
    done
  done
done
for header in complex.h X11/Xlib.h; do
  [ -f /usr/include/$header ] || { printf '| behind %s | skipped: not installed | |\n' $header; continue; }
  printf '#include <%s>\n#include <thriftlens/thriftlens.hpp>\n' $header >$work/macros.cpp
  lane "behind $header" g++ -std=gnu++20 -fsyntax-only -Iinclude $work/macros.cpp
done
for body in $(cd include && ls thriftlens/*/*.ipp); do
  echo "#include <$body>" >$work/alone.cpp
  lane "$body alone" g++ -std=c++20 -DTHRIFTLENS_COMPILED -fsyntax-only -Iinclude $work/alone.cpp
done
echo "${#failed[@]} failed${failed:+: ${failed[*]}}"
[ ${#failed[@]} = 0 ]
