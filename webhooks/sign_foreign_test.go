package webhooks_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

// signedRequest is a request in the form that the verifiers in other languages read.
type signedRequest struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body"` // in base64
}

// standardLibrary is the npm library of Standard Webhooks, at one exact version.
const standardLibrary = "standardwebhooks@1.1.1"

const nodeVerifier = `
const {Webhook} = require("standardwebhooks");
let refused = 0;
for (const d of JSON.parse(require("fs").readFileSync("deliveries.json"))) {
	const verifier = d.secret.startsWith("whsec_") ? new Webhook(d.secret) : new Webhook(d.secret, {format: "raw"});
	const body = Buffer.from(d.body, "base64");
	if (verifier.verify(body, d.headers).id !== d.headers["webhook-id"]) throw new Error("another event");
	try { verifier.verify(Buffer.concat([body, Buffer.from(" ")]), d.headers) } catch { refused++ }
}
console.log("refused", refused);`

// pythonVerifier is what a receiver writes without a library.
const pythonVerifier = `
import base64, hashlib, hmac, json
refused = 0
def verify(secret, headers, body):
    plain = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    standard = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return (hmac.compare_digest("sha256=" + plain, headers["x-service-signature"]),
            hmac.compare_digest("v1," + standard, headers["webhook-signature"]))
for d in json.load(open("deliveries.json")):
    body = base64.b64decode(d["body"])
    assert verify(d["secret"], d["headers"], body) == (True, True)
    assert json.loads(body)["id"] == d["headers"]["webhook-id"]
    refused += verify(d["secret"], d["headers"], body + b" ") == (False, False)
print("refused", refused)`

// TestForeignVerifiers checks that receivers in other languages accept the
// signatures and reject those of an altered body.
func TestForeignVerifiers(t *testing.T) {
	t.Parallel()
	var all []signedRequest
	for _, database := range storetest.Databases {
		all = append(all, record(newWorld(t, database))...)
	}
	content, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "deliveries.json"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("refused %d\n", len(all))
	if got := command(t, dir, "Python 3", "python3", "-c", pythonVerifier); got != want {
		t.Errorf("python3: %s", got)
	}
	command(t, dir, "Node.js with npm", "npm", "install", "--no-audit", "--no-fund", standardLibrary)
	if got := command(t, dir, "Node.js", "node", "-e", nodeVerifier); got != want {
		t.Errorf("node: %s", got)
	}
}

// record delivers events with unusual texts, signed with each kind of secret.
func record(w *world) []signedRequest {
	w.t.Helper()
	r := w.receiver(status(200))
	secrets := map[string]string{}
	standard := "whsec_" + base64.StdEncoding.EncodeToString([]byte("short"))
	for i, given := range [][]string{nil, {plainSecret}, {standard}} {
		path := fmt.Sprintf("/%d", i)
		_, secrets[path] = w.endpoint(r.URL+path, given...)
	}
	w.dispatch()
	random := rand.New(rand.NewPCG(1, 1))
	var all []signedRequest
	for range 10 {
		w.invite(func(in *store.Invite) { in.CandidateName = unusualText(random, 40) })
		for range secrets {
			got := r.next()
			checkStandardSignature(w.t, secrets[got.path], got)
			headers := map[string]string{}
			for name := range got.header {
				headers[strings.ToLower(name)] = got.header.Get(name)
			}
			all = append(all, signedRequest{Secret: secrets[got.path], Headers: headers, Body: got.body})
		}
	}
	return all
}

// command runs a program that the test requires.
func command(t *testing.T, dir, what, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Fatalf("%s is not on the PATH: install %s", name, what)
	}
	run := exec.CommandContext(t.Context(), name, args...)
	run.Dir = dir
	out, err := run.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%s: %v\n%s%s", name, err, out, exit.Stderr)
		}
		t.Fatal(err)
	}
	return string(out)
}
