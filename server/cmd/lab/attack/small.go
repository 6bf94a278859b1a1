package attack

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

// small checks what needs few requests.
func small(ctx context.Context, a *attack) error {
	for _, try := range []func(context.Context, *attack) error{fileModes, secretMode, sslMode, privateNames} {
		if err := try(ctx, a); err != nil {
			return err
		}
	}
	t, err := a.serve(ctx, insecureWebhooks, "ASSAY_LOG_LEVEL=warn")
	if err != nil {
		return err
	}
	defer t.Stop()
	org, err := rig.NewOrganization(ctx, t.api, "small")
	if err != nil {
		return t.Explain(err)
	}
	for _, try := range []func(context.Context, *target, *rig.Organization) error{
		a.laterStage, a.controlCharacters, a.profiles, a.foreignHost,
	} {
		if err := try(ctx, t, org); err != nil {
			return t.Explain(err)
		}
	}
	a.skip(ruleDeliveryID, "needs more ids in one millisecond than requests can make; store/events_outbox_test.go does it")
	return nil
}

// fileModes starts a service in a folder that all users can enter.
func fileModes(ctx context.Context, a *attack) error {
	db, err := a.database(ctx)
	if err != nil {
		return err
	}
	dir := filepath.Join(db.Dir, "open")
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // this is what is tested
		return err
	}
	service := db.Service(a.binary)
	service.Dir, service.Secret = dir, ""
	service.Env = []string{"ASSAY_REGISTRATION=open"}
	if db.Cluster == nil {
		service.DatabaseURL = "sqlite:" + filepath.Join(dir, "assay.db")
	}
	process, _, err := service.Serve(ctx)
	if err != nil {
		return err
	}
	defer process.Stop()
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var modes, open []string
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			return err
		}
		mode := fmt.Sprintf("%s %04o", file.Name(), info.Mode().Perm())
		modes = append(modes, mode)
		if info.Mode().Perm() != 0o600 {
			open = append(open, mode)
		}
	}
	a.tried("a start in a folder with mode 755")
	a.check(len(files) > 0 && len(open) == 0, ruleFileModes, "%s", strings.Join(modes, ", "))
	return nil
}

// startFails starts `assay serve`, which should fail, and returns what it wrote.
func startFails(ctx context.Context, service rig.Service) (failed bool, output string) {
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	addr, err := rig.FreeAddr(ctx)
	if err != nil {
		return false, err.Error()
	}
	p, err := rig.Start(ctx, service.Command(ctx, addr, "off", "serve"), addr)
	if err != nil {
		return true, err.Error()
	}
	p.Stop()
	return false, p.Output()
}

func secretMode(ctx context.Context, a *attack) error {
	db, err := a.database(ctx)
	if err != nil {
		return err
	}
	service := db.Service(a.binary)
	if err := os.MkdirAll(service.Dir, 0o700); err != nil {
		return err
	}
	file := filepath.Join(service.Dir, "secret")
	if err := os.WriteFile(file, []byte(service.Secret+"\n"), 0o600); err != nil {
		return err
	}
	if err := os.Chmod(file, 0o644); err != nil { //nolint:gosec // this is what is tested
		return err
	}
	service.Secret = ""
	refused, output := startFails(ctx, service)
	a.tried("a start with a secret of mode 644")
	a.check(refused && strings.Contains(output, "secret"), ruleSecretMode, "refused: %v %s", refused, lastLine(output))
	return nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	line := lines[len(lines)-1]
	return fmt.Sprintf("%.200q", line)
}

// sslMode connects to a server without TLS at an address that is not loopback: Linux
// connects 0.0.0.0 to this machine.
func sslMode(ctx context.Context, a *attack) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			request := make([]byte, 8) // SSLRequest, of the PostgreSQL protocol
			for err == nil {
				if _, err = io.ReadFull(conn, request); err == nil {
					_, err = conn.Write([]byte("N"))
				}
			}
			_ = conn.Close()
		}
	}()
	port := listener.Addr().(*net.TCPAddr).Port
	service := rig.Service{
		Binary: a.binary, Dir: a.Dir, Secret: rig.RandomSecret(), LogLevel: "error",
		DatabaseURL: fmt.Sprintf("postgres://assay@0.0.0.0:%d/assay?connect_timeout=2", port),
	}
	refused, output := startFails(ctx, service)
	a.tried("a start with a PostgreSQL that is not on loopback and has no TLS, without sslmode")
	a.check(refused && strings.Contains(output, "sslmode"), ruleSSLMode, "refused: %v %s", refused, lastLine(output))
	return nil
}

// privateNames pings a name with a private address, and a name that does not exist.
func privateNames(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx)
	if err != nil {
		return err
	}
	defer t.Stop()
	org, err := rig.NewOrganization(ctx, t.api, "names")
	if err != nil {
		return t.Explain(err)
	}
	a.tried("pings to this machine's name, which has a private address, and to a name that does not exist")
	private, err := os.Hostname()
	if err != nil {
		return err
	}
	if _, err := net.DefaultResolver.LookupHost(ctx, private); err != nil {
		a.skip(ruleSameReason, "this machine's name has no address: %v", err)
		return nil
	}
	var reasons []string
	for _, host := range []string{private, "no-such-name-at-all.invalid"} {
		body := newEndpoint(0)
		body["url"] = "https://" + host + ":8443"
		var endpoint struct{ ID string }
		if _, err := t.api.Call(ctx, http.MethodPost, "/v1/webhooks", org.Owner, body, &endpoint); err != nil {
			a.skip(ruleSameReason, "this machine has no name that can be registered: %.120s", err)
			return nil
		}
		var attempt struct{ FailureReason string }
		path := "/v1/webhooks/" + endpoint.ID + "/test"
		if _, err := t.api.Call(ctx, http.MethodPost, path, org.Owner, nil, &attempt); err != nil {
			return err
		}
		reasons = append(reasons, attempt.FailureReason)
	}
	a.check(reasons[0] == reasons[1], ruleSameReason, "%s", strings.Join(reasons, " and "))
	return nil
}

func (a *attack) controlCharacters(ctx context.Context, t *target, org *rig.Organization) error {
	hostile := []string{"\x07", "\x1b", "\x7f", "\u0085", "\u202d", "\u202e", "\u2066"}
	answers := newTally()
	var accepted []string
	for n, character := range hostile {
		text := "Harbour" + character + "Kitchens"
		email := rig.Email(fmt.Sprint("control-member-", n))
		invite := org.Invite(fmt.Sprint("control-", n))
		invite["candidateName"] = text
		for _, r := range []struct {
			method, path string
			header       http.Header
			body         rig.Object
		}{
			{"PATCH", "/v1/organization", org.Owner, rig.Object{"name": text}},
			{"POST", "/v1/assessments", org.Owner, rig.NewAssessment(text)},
			{"POST", "/v1/public/candidate-sessions", org.Key, invite},
			{"POST", "/v1/members", org.Owner, rig.Object{"name": text, "email": email, "role": "MEMBER"}},
			{"POST", "/v1/api-keys", org.Owner, rig.NewKey(text)},
		} {
			began := time.Now()
			answer, err := t.api.Send(ctx, r.method, r.path, r.header, r.body)
			answers.add(answer, time.Since(began), err)
			if answer.Status != http.StatusBadRequest {
				accepted = append(accepted, fmt.Sprintf("%+q in %s: %d", character, r.path, answer.Status))
			}
		}
	}
	a.tried("%d characters in five names and titles", len(hostile))
	a.got("%s", answers)
	a.check(len(accepted) == 0, ruleControls, "%d of %d were not rejected: %.150s", len(accepted), answers.sum(),
		strings.Join(accepted, ", "))
	return nil
}

func (a *attack) profiles(ctx context.Context, t *target, _ *rig.Organization) error {
	answer, err := rig.NewClient([]string{t.Admin}, 0).Send(ctx, http.MethodGet, "/debug/pprof/", nil, nil)
	a.tried("GET /debug/pprof/ at the admin address")
	a.check(answer.Status == http.StatusNotFound, ruleProfiles, "%d", answer.Status)
	return err
}

func (a *attack) foreignHost(ctx context.Context, t *target, org *rig.Organization) error {
	for n := range 5 {
		header := org.Owner.Clone()
		header.Set("Host", fmt.Sprintf("evil-%d.example", n))
		if _, err := t.api.Send(ctx, http.MethodGet, "/v1/me", header, nil); err != nil {
			return err
		}
	}
	warnings := 0
	for line := range strings.Lines(t.Output()) {
		if strings.Contains(line, "level=WARN") && strings.Contains(line, "ASSAY_BASE_URL") {
			warnings++
		}
	}
	a.tried("five requests with foreign values of Host")
	a.check(warnings == 1, ruleHost, "%d warnings", warnings)
	return nil
}
