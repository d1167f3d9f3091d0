#!/usr/bin/env bash
# Tests with real engines: scripts/engines.sh [ENGINE...]; default: all.
#   arrow (pandas, Polars, DuckDB, DataFusion), spark, ray, kafka
# Installs an engine and this tree into a separate environment, $ENGINES_VENV (build/engines). Reports and skips what cannot be installed.
. "$(dirname "$0")/lib.sh"

VENV=$(realpath -m "${ENGINES_VENV:-build/engines}")
skipped=() failed=() passed=()

# run NAME "PACKAGES" TEST...: installs the packages and runs the tests; tests that skip because of a missing engine fail.
run() {
  local name=$1 packages=$2
  shift 2
  say "$name"
  # shellcheck disable=SC2086
  if ! "$VENV/bin/python" -m pip install --quiet $packages; then
    echo "cannot install $packages"
    skipped+=("$name")
  elif THRIFTLENS_ENGINES=all "$VENV/bin/python" -m pytest -q -rs "$@"; then
    passed+=("$name")
  else
    failed+=("$name")
  fi
}

engine_arrow() { run arrow "numpy pandas>=2.2 polars>=1 duckdb>=1 datafusion pyarrow" tests/python/test_polars.py tests/python/records/test_columns.py; }
engine_spark() {
  command -v java >/dev/null || need_packages openjdk-17-jre-headless
  run spark "pyspark pyarrow pandas" tests/python/test_spark.py
}
engine_ray() { run ray "ray[data] pyarrow pandas" tests/python/test_arrow.py; }
engine_kafka() { run kafka "confluent-kafka[schemaregistry] pyarrow" tests/python/test_kafka.py tests/python/repository/test_examples.py; }

engines=("$@")
[ ${#engines[@]} -gt 0 ] || mapfile -t engines < <(declare -F | sed -n 's/^declare -f engine_//p')
for engine in "${engines[@]}"; do
  declare -F "engine_$engine" >/dev/null || fail "no engine $engine; there are: $(declare -F | sed -n 's/^declare -f engine_//p' | tr '\n' ' ')"
done
need_venv
install_package test
for engine in "${engines[@]}"; do "engine_$engine"; done

say "engines: ${#passed[@]} passed (${passed[*]}), ${#skipped[@]} skipped (${skipped[*]}), ${#failed[@]} failed (${failed[*]})"
[ ${#failed[@]} = 0 ]
