#!/usr/bin/env bash
# check_format.sh CLANG_FORMAT ROOT: every C++ file of the folders below is as .clang-format has it.
# Compares texts: --dry-run of version 16 reports comments that it would replace by themselves.
set -euo pipefail
cd "$2"
mapfile -d '' files < <(find include src tests bench examples \( -name '*.hpp' -o -name '*.ipp' -o -name '*.cpp' \) -not -path '*/data/*' -print0)
[ ${#files[@]} -gt 300 ] || { echo "only ${#files[@]} files found"; exit 1; }
failed=0
for file in "${files[@]}"; do
  "$1" "$file" | diff -u --label "$file" --label "$file as clang-format has it" "$file" - || failed=1
done
[ $failed = 0 ] && echo "${#files[@]} files are formatted"
