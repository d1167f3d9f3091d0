#!/usr/bin/env bash
# check_format.sh CLANG_FORMAT ROOT: every C++ file of the folders below is as .clang-format has it.
# Compares texts: --dry-run of version 16 reports comments that it would replace by themselves.
set -euo pipefail
cd "$2"
mapfile -d '' files < <(find include src tests bench examples \( -name '*.hpp' -o -name '*.ipp' -o -name '*.cpp' \) -not -path '*/data/*' -print0)
[ ${#files[@]} -gt 300 ] || { echo "only ${#files[@]} files found"; exit 1; }
# One process for all: starting one takes longer than most files. Only where something differs each file is looked at.
if ! "$1" "${files[@]}" | cmp -s - <(cat "${files[@]}"); then
  for file in "${files[@]}"; do
    "$1" "$file" | diff -u --label "$file" --label "$file as clang-format has it" "$file" - || true
  done
  exit 1
fi
echo "${#files[@]} files are formatted"
