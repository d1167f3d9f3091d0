#!/usr/bin/env bash
# Starts real Thrift servers, one after another, and calls them: scripts/peers.sh [NAME...]; default: all.
#   apache-go-framed-compact, -framed-binary, -buffered-binary, -buffered-compact, apache-go-header, kitex: built here from Go modules
#   jaeger: its all-in-one program, built from the sources of its Go module (three minutes the first time)
#   hive-metastore, hiveserver2, hiveserver2-sasl, hiveserver2-http, zipkin: by $THRIFTLENS_SHARED/peer-servers/start.sh, if it exists
#   cross [LANGUAGE...]: cross test of the Python and C++ clients and servers with Apache Thrift for Python, C++, Go, Node, Java and Rust
# Reports and skips what is not available. $REAL_CACHE (build/peers) caches downloads and builds; PYTHON is an interpreter with thriftlens.
. "$(dirname "$0")/lib.sh"

cache=$(realpath -m "${REAL_CACHE:-build/peers}")
python=${PYTHON:-$VENV/bin/python}
here=$PWD/scripts/peers
mkdir -p "$cache/own"
if [ "${1:-}" = cross ]; then
  shift
  exec "$python" "$here/cross.py" "$cache/cross" "$@"
fi
go_servers=(apache-go-framed-compact apache-go-framed-binary apache-go-buffered-binary apache-go-buffered-compact apache-go-header kitex jaeger)
large_servers=(hive-metastore hiveserver2 hiveserver2-sasl hiveserver2-http zipkin)
skipped=() failed=() passed=()
pid=
trap 'stop' EXIT

stop() { [ -z "$pid" ] || kill "$pid" 2>/dev/null || true; pid=; }

free_port() { "$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# build_go FOLDER: builds $cache/own/FOLDER/server; prints the reason if that fails.
build_go() {
  local folder=$cache/own/$1 stamp
  command -v go >/dev/null || { echo "no go"; return 1; }
  stamp=$(cat "$here/$1"/* "$here/peers.thrift" | sha256sum | cut -c1-16)
  [ "$(cat "$folder/stamp" 2>/dev/null)" != "$stamp" ] || return 0
  rm -rf "$folder"
  mkdir -p "$folder"
  cp "$here/$1"/* "$here/peers.thrift" "$folder/"
  if [ "$1" = apache-go ]; then
    command -v thrift >/dev/null || { echo "no thrift compiler"; return 1; }
    (cd "$folder" && thrift --gen go:package_prefix=apachego/gen-go/ peers.thrift) >"$folder/log" 2>&1 || { tail -1 "$folder/log"; return 1; }
  fi
  (cd "$folder" && go mod tidy && go build -o server .) >>"$folder/log" 2>&1 || { tail -1 "$folder/log"; return 1; }
  echo "$stamp" >"$folder/stamp"
}

# build_jaeger: builds $cache/own/jaeger/server in its own folder, because `go install` rejects modules with replace directives.
build_jaeger() {
  local folder=$cache/own/jaeger module=github.com/jaegertracing/jaeger@v1.62.0 source
  command -v go >/dev/null || { echo "no go"; return 1; }
  [ ! -x "$folder/server" ] || return 0
  mkdir -p "$folder"
  source=$(cd "$folder" && GOFLAGS=-mod=mod go mod download -json "$module" 2>"$folder/log" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  [ -n "$source" ] || { tail -1 "$folder/log"; return 1; }
  (cd "$source" && go build -p 1 -o "$folder/server" ./cmd/all-in-one) >>"$folder/log" 2>&1 || { tail -1 "$folder/log"; return 1; }
}

# start NAME PORT: sets pid, or `why` if the server is not available.
start() {
  local arguments
  why=
  case $1 in
    apache-go-header) arguments=(server "$2" header binary) ;;
    apache-go-*) IFS=- read -ra arguments <<<"server-$2-${1#apache-go-}" ;;
    kitex) arguments=("127.0.0.1:$2" "$here/peers.thrift") ;;
    jaeger) ;;
    *)
      [ -x "${THRIFTLENS_SHARED:-}/peer-servers/start.sh" ] || [ -r "${THRIFTLENS_SHARED:-}/peer-servers/start.sh" ] ||
        { why="THRIFTLENS_SHARED has no peer-servers/start.sh"; return 1; }
      pid=$(REAL_CACHE=$cache bash "$THRIFTLENS_SHARED/peer-servers/start.sh" "$1" "$2" 2>"$cache/own/start.log") ||
        { why=$(tail -1 "$cache/own/start.log"); return 1; }
      return 0
      ;;
  esac
  local program=${1%%-framed*}
  program=${program%%-buffered*}
  program=${program%%-header}
  if [ "$program" = jaeger ]; then
    why=$(build_jaeger) || return 1
    # The collector; the query service and the agent's UDP ports for Compact and Binary, which are not called, follow its port.
    arguments=(--collector.http-server.host-port "127.0.0.1:$2" --query.http-server.host-port "127.0.0.1:$(($2 + 1))"
      --processor.jaeger-compact.server-host-port "127.0.0.1:$(($2 + 2))" --processor.jaeger-binary.server-host-port "127.0.0.1:$(($2 + 3))"
      --processor.zipkin-compact.server-host-port "127.0.0.1:$(($2 + 4))" --http-server.host-port "127.0.0.1:$(($2 + 5))"
      --collector.grpc-server.host-port "127.0.0.1:$(($2 + 6))" --query.grpc-server.host-port "127.0.0.1:$(($2 + 7))"
      --admin.http.host-port "127.0.0.1:$(($2 + 8))" --collector.otlp.enabled=false)
  else
    why=$(build_go "$program") || return 1
  fi
  "$cache/own/$program/server" "${arguments[@]}" >"$cache/own/$1.log" 2>&1 &
  pid=$!
  until (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null; do
    kill -0 "$pid" 2>/dev/null || { why=$(tail -1 "$cache/own/$1.log"); return 1; }
    sleep 0.1
  done
}

[ $# -gt 0 ] || set -- "${go_servers[@]}" "${large_servers[@]}"
for name in "$@"; do
  [[ " ${go_servers[*]} ${large_servers[*]} " == *" $name "* ]] || fail "no server is called $name"
  echo "$name"
  port=$(free_port)
  if ! start "$name" "$port"; then
    echo "  skipped: ${why:-it did not start}"
    skipped+=("$name")
  elif "$python" "$here/checks.py" "$name" "$port"; then
    passed+=("$name")
  else
    failed+=("$name")
  fi
  stop
done
echo "${#passed[@]} passed, ${#skipped[@]} skipped${skipped:+ (${skipped[*]})}, ${#failed[@]} failed${failed:+ (${failed[*]})}"
[ "${#failed[@]}" = 0 ]
