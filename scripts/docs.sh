#!/usr/bin/env bash
# Builds the documentation into build/docs/html and checks links, anchors, names and code blocks, and the rendered pages if Chromium is installed.
#   scripts/docs.sh            everything; uses the network only for missing packages
#   scripts/docs.sh --no-code  without the code blocks, which scripts/test.sh runs too
# PYTHON is an interpreter with thriftlens and its extras `docs` and `test`; without it they are installed into .venv.
. "$(dirname "$0")/lib.sh"
run_code=yes
[ "${1:-}" != --no-code ] || run_code=
out=build/docs

say "packages"
need_packages "${DEMO_PACKAGES[@]}" libsimdjson-dev doxygen graphviz
if [ -z "${PYTHON:-}" ]; then
  need_compiler
  need_venv
  install_package docs,test
  PYTHON=$VENV/bin/python
fi

say "reference of C++ from the headers"
mkdir -p $out/doxygen
{ cat docs/site/Doxyfile; echo "OUTPUT_DIRECTORY = $out/doxygen"; } >$out/Doxyfile
doxygen $out/Doxyfile 2>$out/doxygen.log || { cat $out/doxygen.log; fail "doxygen"; }

say "pages"
"$PYTHON" docs/site/prepare.py $out/source --doxygen $out/doxygen/xml
"$PYTHON" -m sphinx -q -W --keep-going -j auto -d $out/doctrees -c docs/site -b html $out/source $out/html

say "links, anchors, names"
"$PYTHON" docs/site/check_site.py $out/html
"$PYTHON" docs/site/check_names.py
if [ -n "$run_code" ]; then
  say "code blocks"
  "$PYTHON" -m pytest -q -n "$JOBS" --dist loadfile tests/docs
fi

say "as a reader sees it"
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
  echo "skipped: no chromium and chromedriver (Debian: chromium, chromium-driver)"
elif ! [ -f $out/node/node_modules/axe-core/axe.min.js ] && ! { command -v npm >/dev/null && npm install --silent --no-audit --no-fund --prefix $out/node axe-core@4; }; then
  echo "skipped: axe-core is not in $out/node, and npm could not fetch it"
else
  "$PYTHON" docs/site/look.py $out/html $out/node/node_modules/axe-core/axe.min.js $out/pictures
fi

say "done: $out/html/index.html"
