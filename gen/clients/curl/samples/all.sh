#!/usr/bin/env bash
#
# Calls every operation of the contract with curl. The documentation shows the
# lines between "sample:" and "end sample".
set -euo pipefail
samples=$(cd "$(dirname "$0")" && pwd)

# Some samples write files.
folder=$(mktemp -d)
answer=$folder/answer
cd "$folder"
trap 'rm -r "$folder"; [[ -z ${receiver:-} ]] || kill "$receiver"' EXIT

# curl stores the response for value, and fails if the request is rejected.
curl() {
	command curl --silent --show-error --fail-with-body --output "$answer" "$@" || {
		cat "$answer" >&2
		return 1
	}
}

# value prints a field of the last response: value data.stages.0.id
value() {
	python3 -c '
import functools, json, sys
step = lambda found, name: found[int(name) if isinstance(found, list) else name]
print(functools.reduce(step, sys.argv[2].split("."), json.load(open(sys.argv[1]))))' "$answer" "$1"
}

# Webhooks need a receiver.
coproc python3 -c '
import http.server
class Accept(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Accept)
print(server.server_port, flush=True)
server.serve_forever()'
receiver=$COPROC_PID
read -r port <&"${COPROC[0]}"
HOOKS=http://127.0.0.1:$port/hooks

for part in account webhooks questions assessments sessions figures reviews retention decisions grading dashboard deliveries people sign-in members; do
	# shellcheck source=/dev/null
	source "$samples/$part.sh"
	echo "$part: done"
done
