#!/usr/bin/env bash
# Random schemas, values and operations, compared with reference implementations (tests/prove), on all cores:
#   prove.sh [TARGET] [MINUTES]     default: all targets for 10 minutes
# Every run uses new seeds. Minimized failing seeds and the state are in build/prove; --table prints the state.
. "$(dirname "$0")/lib.sh"

need_venv
install_package test >/dev/null
if [ "${1:-}" = --table ]; then exec "$VENV/bin/python" tests/prove/run.py --table; fi
target=()
minutes=10
for argument in "$@"; do
  if [[ $argument =~ ^[0-9.]+$ ]]; then minutes=$argument; else target+=("$argument"); fi
done
nice "$VENV/bin/python" tests/prove/run.py "${target[@]}" --minutes "$minutes" --jobs "$JOBS"
