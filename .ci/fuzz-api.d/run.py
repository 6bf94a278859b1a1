"""Starts the server on each database, and runs Schemathesis against it once per credential."""

import argparse
import collections
import concurrent.futures
import contextlib
import http.server
import json
import os
import pathlib
import re
import secrets
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import psycopg

from estate import DOMAIN, Estate
from mail_server import mail_server
from persona import SCHEMES

HERE = pathlib.Path(__file__).resolve().parent
CONTRACT = HERE.parent.parent / "openapi.yaml"
# The paths that accept each credential. All other paths must reject it.
HOME = {"nobody": "^/v1/auth/", "owner": "^/v1/(?!auth/|public/|candidate/)", "key": "^/v1/public/", "candidate": "^/v1/candidate/"}
HOME["member"] = HOME["owner"]


class Receiver(http.server.BaseHTTPRequestHandler):
    """A webhook receiver. The path determines whether it accepts, fails, redirects or is gone.

    GET returns the token of the latest email to an address that resets a password.
    """

    def do_GET(self):
        token = self.server.tokens.get(urllib.parse.unquote(self.path[1:]), "").encode()
        self.send_response(200 if token else 404)
        self.send_header("Content-Length", str(len(token)))
        self.end_headers()
        self.wfile.write(token)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status = 200 if self.path.startswith("/hook") else [200, 500, 302, 410][len(self.path) % 4]
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def receiver(tokens):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.tokens = tokens
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@contextlib.contextmanager
def database(kind, folder):
    if kind == "sqlite":
        yield f"sqlite:{folder}/assay.db"
        return
    base = os.environ["TEST_DATABASE_URL"]
    name = "assay_fuzz_" + secrets.token_hex(6)
    with psycopg.connect(base, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield urllib.parse.urlunsplit(urllib.parse.urlsplit(base)._replace(path="/" + name))
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextlib.contextmanager
def service(binary, url, mail, folder):
    log = open(folder / "log", "w+", encoding="utf-8")
    process = subprocess.Popen(
        [
            binary, "serve", "--addr=127.0.0.1:0", "--admin-addr=off", "--rate-limits=off", "--quotas=off", "--registration=open",
            f"--database-url={url}", f"--data-dir={folder}",
            "--webhook-allow-insecure", "--webhook-timeout=2s", "--webhook-backoff=200ms,200ms", "--log-level=warn",
        ],
        stdout=log, stderr=subprocess.STDOUT,
        env={"PATH": os.environ["PATH"], "ASSAY_SMTP_URL": mail, "ASSAY_MAIL_FROM": "assay@fuzz.example", "ASSAY_MAIL_RATE": "1000"},
    )
    try:
        found, patience = None, time.monotonic() + 30
        while not found and process.poll() is None and time.monotonic() < patience:
            time.sleep(0.05)
            found = re.search(r"listens on (http://\S+)", (folder / "log").read_text())
        if not found:
            sys.exit("fuzz-api: the server did not start:\n" + (folder / "log").read_text())
        yield found[1]
    finally:
        process.terminate()
        process.wait()
        log.close()
    if errors := [line for line in (folder / "log").read_text().splitlines() if "level=ERROR" in line]:
        sys.exit("\n".join(["fuzz-api: the server logged", *errors[:10]]))


def verify_domain(binary, url, folder):
    """Verifies the domain of the estate, which has no TXT record."""
    subprocess.run(
        [binary, "verify-domain", DOMAIN, f"--database-url={url}", f"--data-dir={folder}"],
        check=True, stdout=subprocess.DEVNULL, env={"PATH": os.environ["PATH"]},
    )


def configuration(persona, options):
    """Returns the common settings, followed by those of one credential."""
    text = (HERE / "schemathesis.toml").read_text()
    # An invalid request would end most sequences at their first step.
    text += f"""
[phases.stateful.generation]
max-examples = {2 * options.max_examples}
mode = "positive"

[[operations]]
exclude-path-regex = {json.dumps(HOME[persona])}
phases.coverage.enabled = false
phases.examples.enabled = false
phases.stateful.enabled = false
phases.fuzzing.generation.max-examples = {1 if options.brief else 5}
"""
    return text


def fuzz(persona, url, folder, options):
    """Returns the number of responses per operation and status, and whether there was no finding."""
    # A MEMBER has a subset of an OWNER's operations.
    examples = max(1, options.max_examples // 2) if options.brief and persona == "member" else options.max_examples
    (folder / "schemathesis.toml").write_text(configuration(persona, options))
    command = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", folder / "schemathesis.toml", "run", CONTRACT, "--url", url, "--checks", "all",
        "--max-examples", str(examples), "--continue-on-failure", "--no-color", "--warnings", "off",
    ]
    if options.brief:
        # Deterministic, so that a change is not blamed for an older fault. The coverage phase, which tries
        # every limit of every schema, takes minutes.
        command += ["--generation-deterministic", "--phases", "examples,fuzzing,stateful"]
    else:
        command += ["--seed", str(options.seed)]
    if options.time:
        command += ["--max-time", str(options.time)]
    counts = folder / "counts.json"
    counts.unlink(missing_ok=True)
    environment = {
        **os.environ, "PYTHONPATH": str(HERE), "SCHEMATHESIS_HOOKS": "hooks", "FUZZ_AS": persona, "FUZZ_URL": url, "FUZZ_SEED": str(options.seed),
        "FUZZ_ESTATE": str(folder / "estate.json"), "FUZZ_COUNTS": str(counts),
    }
    done = subprocess.run(command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout)
    return json.loads(counts.read_text()) if counts.exists() else {}, done.returncode == 0


def succeeded(counts):
    return {operation for operation, statuses in counts.items() if any(status.startswith("2") for status in statuses)}


def fuzz_on(kind, options):
    """Fuzzes the service on one database. Returns False if there is a finding."""
    begun, good, totals = time.monotonic(), True, {}
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        mail, tokens = stack.enter_context(mail_server())
        listener = stack.enter_context(receiver(tokens))
        stored = stack.enter_context(database(kind, folder))
        url = stack.enter_context(service(options.binary, stored, mail, folder))
        (folder / "estate.json").write_text(json.dumps(Estate(url, listener).known()))
        verify_domain(options.binary, stored, folder)
        for persona in options.only or SCHEMES:
            started = time.monotonic()
            counts, passed = fuzz(persona, url, folder, options)
            good = good and passed
            for operation, statuses in counts.items():
                totals[operation] = collections.Counter(totals.get(operation)) + collections.Counter(statuses)
            print(
                f"  {kind:8} {persona:9} {sum(map(sum_of, counts.values())):6} requests to {len(counts)} operations, "
                f"{len(succeeded(counts)):2} with 2xx, {time.monotonic() - started:4.0f} s{'' if passed else '  FAILED'}", flush=True,
            )
    print(f"  {kind:8} {'all':9} {sum(map(sum_of, totals.values())):6} requests, {time.monotonic() - begun:.0f} s", flush=True)
    if never := set(totals) - succeeded(totals) - UNREACHABLE if not options.only else None:
        print(f"fuzz-api: no response with 2xx, so hardly tested: {', '.join(sorted(never))}")
        good = False
    return good


# Operations that cannot succeed in this run, and why. Their refusals are tested.
UNREACHABLE = {
    "countLateAnswers",  # needs an answer after the end of a time limit, and the shortest is longer than this run
    "confirmEmail",  # needs an account whose address is not confirmed, and then the run could email nobody
    "createPasskeyOptions",  # needs a passkey, which a browser makes
    "createReauthenticationOptions",  # likewise
    "deleteOrganization",  # needs an organization without candidates
    "scheduleOrganizationDeletion",  # needs the name of the organization, and would end the invites of this run
}


def sum_of(statuses):
    return sum(statuses.values())


def main():
    parser = argparse.ArgumentParser(prog="fuzz-api")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--brief", action="store_true", help="the same few requests each time")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--max-examples", type=int)
    parser.add_argument("--time", type=int, help="seconds for each credential")
    parser.add_argument("--only", choices=SCHEMES, action="append")
    parser.add_argument("--database", choices=["sqlite", "postgres"], action="append")
    options = parser.parse_args()
    options.max_examples = options.max_examples or (7 if options.brief else 100)
    if options.seed is None:
        options.seed = 0 if options.brief else secrets.randbelow(2**31)
    print("fuzz-api: brief" if options.brief else f"fuzz-api: seed {options.seed}", flush=True)
    with concurrent.futures.ThreadPoolExecutor() as beside:  # one thread per database
        passed = list(beside.map(lambda kind: fuzz_on(kind, options), options.database or ["sqlite", "postgres"]))
    if not all(passed):
        sys.exit("fuzz-api: there are findings" + ("" if options.brief else f"; repeat with SEED={options.seed}"))


main()
