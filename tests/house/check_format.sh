#!/usr/bin/env bash
# check_format.sh CLANG_FORMAT ROOT: every C++ file of the folders below is as .clang-format has it.
set -euo pipefail
cd "$2"
mapfile -d '' files < <(find include src tests bench examples \( -name '*.hpp' -o -name '*.cpp' \) -not -path '*/data/*' -print0)
[ ${#files[@]} -gt 300 ] || { echo "only ${#files[@]} files found"; exit 1; }
"$1" --dry-run --Werror "${files[@]}"
echo "${#files[@]} files are formatted"
