package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/server/cmd/internal/rig"
)

// proxyRun restarts replicas in turn behind a proxy, while clients POST and GET
// through the proxy.
type proxyRun struct {
	lab      *lab
	proxy    string // "caddy" or "nginx"
	site     string // loopback host:port of the proxy
	replicas []*rig.Process
	world    *world

	mu       sync.Mutex
	tally    proxyTally
	answered map[string]bool // sessions, of all rounds
}

// proxyTally counts the responses of one round.
type proxyTally struct {
	answered int
	failed   map[string]int // by status or error
	slowest  time.Duration
}

// Replicas on PostgreSQL are restarted one after the other. SQLite has one
// replica, so nothing answers while it is restarted.
var proxyReplicas = map[string]int{"sqlite": 1, "postgres": 2}

// proxyThinkTime keeps the load below what the service can do on a small
// machine: an overloaded service answers 503 without any restart.
const proxyThinkTime = 100 * time.Millisecond

// proxySettle is longer than the second for which nginx avoids a server that
// refused a connection.
const proxySettle = 2 * time.Second

// drainBehindProxy fails if a client gets a response other than 2xx that judge
// does not expect.
func (c *drainCommand) drainBehindProxy(ctx context.Context, out io.Writer, dir, kind string) (err error) {
	l, err := newLab(ctx, c.Binary, dir, kind)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()

	p := &proxyRun{lab: l, proxy: c.Proxy, answered: map[string]bool{}}
	defer func() {
		for _, replica := range p.replicas {
			replica.Stop()
		}
	}()
	stopProxy, err := p.start(ctx, dir, proxyReplicas[kind])
	if err != nil {
		return err
	}
	defer stopProxy()

	_, _ = fmt.Fprintf(out, "drain behind %s, %s: %d replicas, each restarted %d times, %d clients\n",
		c.Proxy, kind, len(p.replicas), c.Rounds, c.Clients)
	faults, err := p.restart(ctx, out, c.Rounds, c.Clients)
	if err != nil {
		return err
	}
	return verdict(faults)
}

// start starts the replicas and the proxy.
func (p *proxyRun) start(ctx context.Context, dir string, replicas int) (stop func(), err error) {
	for range replicas {
		addr, err := rig.FreeAddr(ctx)
		if err != nil {
			return nil, err
		}
		replica, err := p.serve(ctx, addr)
		if err != nil {
			return nil, err
		}
		p.replicas = append(p.replicas, replica)
	}
	if p.site, err = rig.FreeAddr(ctx); err != nil {
		return nil, err
	}
	command, err := p.configure(ctx, dir)
	if err != nil {
		return nil, err
	}
	proxy := rig.NewProcess(command, p.site)
	if _, err := proxy.Start(ctx, "/readyz"); err != nil {
		return nil, err
	}
	if p.world, err = newWorld(ctx, p.site, 0); err != nil {
		proxy.Stop()
		return nil, err
	}
	return proxy.Stop, nil
}

// serve starts a replica at a fixed address.
func (p *proxyRun) serve(ctx context.Context, addr string) (*rig.Process, error) {
	command := exec.CommandContext(ctx, p.lab.service.Binary, "serve") //nolint:gosec // built here, or named by a flag
	command.Env = p.lab.service.Environment(addr, "off")
	replica := rig.NewProcess(command, addr)
	_, err := replica.Start(ctx, "/readyz")
	return replica, err
}

// configure writes the proxy's configuration: the file of .deploy with the
// addresses of this run and without TLS.
func (p *proxyRun) configure(ctx context.Context, dir string) (*exec.Cmd, error) {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return nil, err
	}
	first, second := p.replicas[0].Addr, ""
	if len(p.replicas) > 1 {
		second = p.replicas[1].Addr
	}
	var file string
	var edits []string // text of the file and its replacement, in pairs
	var command *exec.Cmd

	switch p.proxy {
	case "caddy":
		file = "Caddyfile"
		edits = []string{
			"\nassay.example {", "\n{\n\tadmin off\n\tauto_https off\n}\n\nhttp://" + p.site + " {",
			"127.0.0.1:8080 127.0.0.1:8081", strings.TrimSpace(first + " " + second),
		}
		//nolint:gosec // a file of our own folder
		command = exec.CommandContext(ctx, program("caddy"), "run", "--adapter", "caddyfile",
			"--config", filepath.Join(dir, file))
		command.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	case "nginx":
		file = "nginx.conf"
		secondLine := "\tserver 127.0.0.1:8081 max_fails=1 fail_timeout=1s;\n"
		edits = []string{
			"listen 443 ssl;", "listen " + p.site + ";",
			"\tssl_certificate /etc/ssl/assay.crt;\n", "",
			"\tssl_certificate_key /etc/ssl/assay.key;\n", "",
			"127.0.0.1:8080", first,
			secondLine, strings.Replace(secondLine, "127.0.0.1:8081", second, 1),
		}
		if second == "" {
			edits[len(edits)-1] = ""
		}
		if err := writeNginxMain(dir, file); err != nil {
			return nil, err
		}
		//nolint:gosec // a file of our own folder
		command = exec.CommandContext(ctx, program("nginx"), "-p", dir, "-c", filepath.Join(dir, "main.conf"),
			"-e", filepath.Join(dir, "nginx.log"))
	}

	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), ".deploy", file))
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(edits); i += 2 {
		if bytes.Count(text, []byte(edits[i])) != 1 {
			return nil, fmt.Errorf(".deploy/%s does not contain %q exactly once", file, edits[i])
		}
		text = bytes.Replace(text, []byte(edits[i]), []byte(edits[i+1]), 1)
	}
	//nolint:gosec // nginx's workers can be another user
	return command, os.WriteFile(filepath.Join(dir, file), text, 0o644)
}

// program finds a server's program, which can be outside of a user's PATH.
func program(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	return "/usr/sbin/" + name
}

// writeNginxMain writes what a distribution's nginx.conf has around a file of conf.d.
func writeNginxMain(dir, file string) error {
	var temp strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		_, _ = fmt.Fprintf(&temp, "\t%s_temp_path %s;\n", kind, filepath.Join(dir, "temp-"+kind))
	}
	text := "daemon off;\nworker_processes auto;\npid " + filepath.Join(dir, "nginx.pid") + ";\n" +
		"events {\n\tworker_connections 4096;\n}\n" +
		"http {\n\taccess_log off;\n" + temp.String() + "\tinclude " + filepath.Join(dir, file) + ";\n}\n"
	//nolint:gosec // nginx's workers can be another user
	return os.WriteFile(filepath.Join(dir, "main.conf"), []byte(text), 0o644)
}

// restart restarts each replica in each round, under load, and returns the faults.
func (p *proxyRun) restart(ctx context.Context, out io.Writer, rounds, clients int) ([]string, error) {
	loading, stop := context.WithCancel(ctx)
	defer stop()
	var load sync.WaitGroup
	for i := range clients {
		load.Go(func() { p.work(loading, i) })
	}
	defer load.Wait()
	defer stop()

	rows := [][]string{{"round", "answered", "failed", "slowest answer", "failures"}}
	failures := map[string]int{}
	for n := range rounds {
		for i, replica := range p.replicas {
			if !rig.Pause(ctx, proxySettle) {
				return nil, ctx.Err()
			}
			replica.Stop()
			if status := replica.State().ExitCode(); status != 0 {
				return nil, replica.Explain(fmt.Errorf("exit status %d", status))
			}
			var err error
			if p.replicas[i], err = p.serve(ctx, replica.Addr); err != nil {
				return nil, err
			}
		}
		if !rig.Pause(ctx, proxySettle) {
			return nil, ctx.Err()
		}
		p.mu.Lock()
		tally := p.tally
		p.tally = proxyTally{}
		p.mu.Unlock()
		failed := 0
		var kinds []string
		for _, kind := range slices.Sorted(maps.Keys(tally.failed)) {
			failed += tally.failed[kind]
			failures[kind] += tally.failed[kind]
			kinds = append(kinds, fmt.Sprintf("%d × %s", tally.failed[kind], kind))
		}
		rows = append(rows, []string{
			count(n + 1), count(tally.answered), count(failed), seconds(tally.slowest), strings.Join(kinds, ", "),
		})
	}
	stop()
	load.Wait()
	printTable(out, rows)
	return p.judge(ctx, failures)
}

// expected reports whether the proxy's configuration permits a failure.
func (p *proxyRun) expected(failure string) bool {
	switch {
	case p.proxy == "nginx" && len(p.replicas) == 1: // it does not hold requests
		return strings.HasSuffix(failure, " 502")
	case p.proxy == "nginx": // the connection was reset, so the request may have been received
		return failure == unkeyed+" 502"
	case len(p.replicas) == 1: // Caddy before 2.7 holds only requests that it may repeat
		return failure == unkeyed+" 503"
	}
	return false
}

// judge compares the responses with what the clients are promised and with the database.
func (p *proxyRun) judge(ctx context.Context, failures map[string]int) (faults []string, err error) {
	for _, kind := range slices.Sorted(maps.Keys(failures)) {
		if !p.expected(kind) {
			faults = append(faults, fmt.Sprintf("%d requests failed: %s", failures[kind], kind))
		}
	}
	held, err := p.lab.sessions(ctx)
	if err != nil {
		return nil, err
	}
	for id := range p.answered {
		if !held[id] {
			faults = append(faults, "session "+id+" was acknowledged and is not in the database")
		}
	}
	for id := range held {
		if !p.answered[id] {
			faults = append(faults, "session "+id+" was created without a response to its client")
		}
	}
	return faults, nil
}

// The kinds of requests that clients send in turn.
const (
	read    = "GET"
	unkeyed = "POST without a key"
	keyed   = "POST with a key"
)

// work sends requests until ctx ends. A request that was begun is finished, so
// that each session has its response.
func (p *proxyRun) work(ctx context.Context, client int) {
	transport := &http.Transport{DialContext: (&net.Dialer{Timeout: answerTimeout}).DialContext}
	defer transport.CloseIdleConnections()
	api := &http.Client{Transport: transport, Timeout: answerTimeout}
	for n := 0; ctx.Err() == nil; n++ {
		began, kind := time.Now(), [...]string{read, unkeyed, read, keyed}[n%4]
		status, session, err := p.send(api, kind, fmt.Sprintf("proxy-client-%d-%d", client, n))
		took := time.Since(began)

		p.mu.Lock()
		p.tally.slowest = max(p.tally.slowest, took)
		if session != "" {
			p.answered[session] = true
		}
		if err == nil && status/100 == 2 {
			p.tally.answered++
		} else {
			failure := kind + " " + count(status)
			if err != nil {
				failure = kind + " " + err.Error()
			}
			if p.tally.failed == nil {
				p.tally.failed = map[string]int{}
			}
			p.tally.failed[failure]++
		}
		p.mu.Unlock()
		rig.Pause(ctx, proxyThinkTime)
	}
}

// send reads the assessment or invites a candidate. It returns the id of the
// created session.
func (p *proxyRun) send(api *http.Client, kind, name string) (status int, session string, err error) {
	method, path, body := http.MethodGet, "/v1/public/assessments/"+p.world.assessmentID, []byte(nil)
	if kind != read {
		method, path = http.MethodPost, "/v1/public/candidate-sessions"
		if body, err = json.Marshal(p.world.invite(name)); err != nil {
			return 0, "", err
		}
	}
	//nolint:noctx // the client's timeout bounds it
	request, err := http.NewRequest(method, "http://"+p.site+path, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.GetBody = nil // net/http sends nothing twice
	request.Header = p.world.key.Clone()
	request.Header.Set("Content-Type", "application/json")
	if kind == keyed {
		request.Header.Set("Idempotency-Key", name)
	}

	answer, err := api.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusCreated {
		return answer.StatusCode, "", err
	}
	var made struct{ Data struct{ ID string } }
	err = json.Unmarshal(content, &made)
	return answer.StatusCode, made.Data.ID, err
}
