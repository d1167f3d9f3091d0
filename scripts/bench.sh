#!/usr/bin/env bash
# Installs missing packages, builds and runs all benchmarks, writes bench/results/<machine>.json, .md and charts, and updates the pages
# that quote them.
#
#   bash scripts/bench.sh                 everything, about a quarter of an hour after the build
#   bash scripts/bench.sh --quick         two minutes with the build: medium messages of seven tasks beside Apache's best build, one table
#   bash scripts/bench.sh --native        the same built with -march=native, into <machine>-native.*
#   bash scripts/bench.sh --cpp           without Go's and Python's contestants
#   bash scripts/bench.sh --check         checks that all programs of the preset dev run and their answers agree; nothing is timed, results in build/
#   bash scripts/bench.sh --guard         instruction counts of ten core tasks against bench/guard/counts.json
#   bash scripts/bench.sh --guard --record   records them; --guard --profile shows the functions with most instructions
. "$(dirname "$0")/lib.sh"

quick='' native='' guard='' record='' cpp='' check=''
for option in "$@"; do
  case $option in
    --quick) quick=1 ;; --native) native=-native ;; --guard) guard=1 ;; --record | --profile) record=$option ;; --cpp) cpp=1 ;; --check) check=1 ;;
    *) fail "unknown option $option; the head of scripts/bench.sh names them" ;;
  esac
done

if [ -n "$guard" ]; then
  say "guard"
  need_packages g++ python3 libsimdjson-dev valgrind
  need_compiler
  exec python3 bench/guard/guard.py $record
fi

say "packages"
if [ -n "$quick" ]; then need_packages "${QUICK_PACKAGES[@]}"; else need_packages "${BENCH_PACKAGES[@]}"; fi
need_compiler
pin=()
[ -n "$check" ] || ! command -v taskset >/dev/null || pin=(taskset -c $(($(nproc) - 1)))
if [ -n "$quick" ]; then
  say "build${native:+ with -march=native}"
  build=$PWD/build/bench$native
  configure bench -B "$build" ${native:+-DTHRIFTLENS_BENCH_FLAGS=-march=native}
  cmake --build "$build" -j "$JOBS" --target thriftlens_bench_quick
  say "contestants: answers are compared, then timed"
  "${pin[@]}" "$build/bench/thriftlens_bench_quick" --benchmark_repetitions=3 --benchmark_min_time=0.02 '--benchmark_filter=/medium(_varied)?/' \
    --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true --benchmark_out="$build/quick.json" \
    --benchmark_out_format=json >/dev/null
  say "time of thriftlens, of Apache's best build, ratio (-O3${native:+ -march=native}, $(c++ --version | head -1))"
  exec python3 bench/report.py --table "$build/quick.json"
fi
say "build${native:+ with -march=native}"
build=$PWD/build/bench$native results=bench/results
if [ -n "$check" ]; then
  export THRIFTLENS_BENCH_ONCE=1
  build=$PWD/build/dev results=build/dev/results
  configure dev -DTHRIFTLENS_BENCH=ON
  cmake --build "$build" -j "$JOBS" --target thriftlens_bench thriftlens_bench_counted
else
  cmake --preset bench -B "$build" ${native:+-DTHRIFTLENS_BENCH_FLAGS=-march=native} >/dev/null
  cmake --build "$build" -j "$JOBS"
fi

machine=$(python3 bench/report.py --machine)$native
raw=$build/raw
mkdir -p "$raw" "$results"
rm -f "$raw"/*.json
say "C++ contestants"
# Answers are compared first; contestants with a different answer are reported and left out. Interleaving spreads the machine's noise evenly.
# Tasks without a curve over absent fields run on medium_varied only.
no_curve='(load|load_reuse|load_lazy|write|get_again|decode|encode|rewrite)(_compact)?/varied_'
options=(--benchmark_repetitions=7 --benchmark_min_time=0.04 "--benchmark_filter=-^$no_curve")
[ -z "$check" ] || options=(--benchmark_repetitions=2 --benchmark_min_time=0 '--benchmark_filter=-(/6mb/|/varied_|^growth/)') # one has no aggregates
cpp_contestants() {
  "${pin[@]}" "$build/bench/thriftlens_bench" "${options[@]}" --benchmark_enable_random_interleaving=true \
    --benchmark_report_aggregates_only=true --benchmark_out="$raw/cpp.json" --benchmark_out_format=json >/dev/null
  # A second program of the same objects counts allocations, which takes time. --check compares few answers here: they are the same.
  "${pin[@]}" "$build/bench/thriftlens_bench_counted" "--benchmark_min_time=$([ -n "$check" ] && echo 0 || echo 0.01)" \
    ${check:+'--benchmark_filter=/small/'} --benchmark_out="$raw/counted.json" --benchmark_out_format=json >/dev/null
}
# --check times nothing, so the other programs run at the same time.
if [ -n "$check" ]; then cpp_contestants & contestants=$!; else cpp_contestants; fi

say "calls over loopback"
[ -n "$check" ] || [ ! -x "$build/bench/thriftlens_bench_asio" ] || "$build/bench/thriftlens_bench_asio" bench/asio/echo.thrift | tee "$raw/asio.txt"

if [ -z "$cpp$native" ]; then
  mkdir -p "$build/payloads"
  "$build/bench/thriftlens_bench" --dump "$build/payloads"
  say "Go contestants"
  "${pin[@]}" bash bench/peers/go/run.sh "$build/payloads" "$raw/go.json" ${check:+--quick}
  say "Python contestants"
  need_venv
  install_package ""
  "${pin[@]}" bash bench/python/run.sh "$VENV" "$build/payloads" "$raw/python.json" ${check:+--quick}
fi

if [ -n "$check" ]; then
  say "programs of their own"
  for program in records columns footer; do "$VENV/bin/python" "bench/$program/run.py"; done
  wait "$contestants"
fi

say "report"
report=build/report
[ -x $report/bin/python ] || python3 -m venv $report
$report/bin/pip install --quiet matplotlib
$report/bin/python bench/report.py --name "$machine" "--flags=-O3${native:+ -march=native}" --out "$results" "$raw"/*.json
[ -n "$check$native" ] || python3 bench/report.py --docs
echo "$results/$machine.md"
