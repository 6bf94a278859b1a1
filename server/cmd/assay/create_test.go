package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/store/storetest"
)

const ownerPassword = "a long enough pass phrase"

// createOrganization runs assay create-organization with a password on its standard input.
func createOrganization(t *testing.T, variables []string, password string, args ...string) *process {
	t.Helper()
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte(password), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	p := startWith(t, in, variables, append([]string{"create-organization"}, args...)...)
	p.wait()
	return p
}

// The command creates organizations in every mode, beside a running service, which then
// accepts the sign-in of the owner. Nothing secret is printed.
func TestCreateOrganization(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		variables := []string{
			"ASSAY_DATABASE_URL=" + storetest.URL(t, database), "ASSAY_SECRET=" + testSecret, "ASSAY_ADMIN_ADDR=off",
		}
		service := start(t, append(variables, "ASSAY_REGISTRATION=closed"), "serve", "--addr", "127.0.0.1:0")
		base := service.printed(`listens on (\S+)`)
		json := []string{"Content-Type", "application/json"}
		register := `{"organizationName":"Quay","name":"Bo","email":"bo@quay.example","password":"` + ownerPassword + `"}`
		if got := send(t, "POST", base+"/v1/auth/register", register, json...); got.status != 403 ||
			!strings.Contains(got.body, "registration_closed") {
			t.Errorf("register: %d %s", got.status, got.body)
		}

		for i, mode := range []string{"closed", "first", "open"} {
			email := mode + "@quay.example"
			password := ownerPassword + []string{"", "\n", "\r\n"}[i]
			p := createOrganization(t, append(variables, "ASSAY_REGISTRATION="+mode), password,
				"--name", "Quay", "--owner-name", "Ana", "--owner-email", email)
			want := regexp.MustCompile(`^The organization org_\w{26} exists. ` + email + ` signs in with the given password.\n$`)
			if !want.MatchString(p.stdout.String()) || p.stderr.String() != "" {
				t.Errorf("%s: it printed %q and %q", mode, &p.stdout, &p.stderr)
			}
			got := send(t, "POST", base+"/v1/auth/login", `{"email":"`+email+`","password":"`+ownerPassword+`"}`, json...)
			if got.status != 200 || !strings.Contains(got.body, `"email":"`+email+`"`) {
				t.Errorf("%s: the sign-in gets %d %s", mode, got.status, got.body)
			}
		}

		for name, test := range map[string]struct{ password, email, want string }{
			"taken":     {ownerPassword, "OPEN@quay.example", "/email is taken"},
			"short":     {"short", "new@quay.example", "/password must be at least 12 characters long"},
			"empty":     {"", "new@quay.example", "/password must be at least 12 characters long"},
			"no email":  {ownerPassword, "quay", "/email must be a valid email"},
			"weak":      {"012345678901", "new@quay.example", "/password"},
			"two lines": {"short\n" + ownerPassword, "new@quay.example", "/password must be at least 12 characters long"},
		} {
			p := createOrganization(t, variables, test.password,
				"--name", "Quay", "--owner-name", "Ana", "--owner-email", test.email)
			if status := p.command.ProcessState.ExitCode(); status != 1 || p.stdout.String() != "" ||
				!strings.Contains(p.stderr.String(), test.want) {
				t.Errorf("%s: it ended with %d and printed %q, %q", name, status, &p.stdout, &p.stderr)
			}
		}
	})
}

// A terminal would show the password, so the command does not read from one.
func TestPasswordFromTerminal(t *testing.T) {
	terminal, err := os.Open(os.DevNull) // a character device, as a terminal is
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = terminal.Close() }()
	if password, err := readPassword(terminal); err == nil || password != "" {
		t.Errorf("the password is %q", password)
	}
}

// serve prints the setup token until an organization exists: on the standard output,
// and never in the log. It is the same after a restart.
func TestSetupToken(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		variables := []string{
			"ASSAY_DATABASE_URL=" + storetest.URL(t, database), "ASSAY_SECRET=" + testSecret, "ASSAY_ADMIN_ADDR=off",
			"ASSAY_LOG_LEVEL=debug", "ASSAY_BASE_URL=https://assay.example", "ASSAY_ADDR=" + freeAddr(t),
		}
		base := "http://" + strings.TrimPrefix(variables[len(variables)-1], "ASSAY_ADDR=")
		up := func() *process {
			p := start(t, variables, "serve")
			poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })
			return p
		}
		down := func(p *process) {
			p.signal()
			p.wait()
		}
		register := func(token string) answer {
			return send(t, "POST", base+"/v1/auth/register", `{"organizationName":"Quay","name":"Bo","email":"bo@quay.example",
				"password":"`+ownerPassword+`","setupToken":"`+token+`"}`, "Content-Type", "application/json")
		}

		p := up()
		token := p.printed(`^  https://assay.example/app/register#(setup_[0-9a-f]{32})$`)
		if !strings.Contains(p.stdout.String(), "POST https://assay.example/v1/auth/register") ||
			!strings.Contains(p.stdout.String(), "assay create-organization") {
			t.Errorf("it printed %s", &p.stdout)
		}
		down(p)
		p = up()
		if again := p.printed(`/app/register#(setup_[0-9a-f]{32})$`); again != token {
			t.Errorf("the second start printed %s, want %s", again, token)
		}
		if got := register("setup_"); got.status != 403 || !strings.Contains(got.body, "setup_token_required") {
			t.Errorf("a wrong token gets %d %s", got.status, got.body)
		}
		if got := register(token); got.status != 201 {
			t.Errorf("the token gets %d %s", got.status, got.body)
		}
		if got := register(token); got.status != 403 || !strings.Contains(got.body, "registration_closed") {
			t.Errorf("the second registration gets %d %s", got.status, got.body)
		}
		down(p)
		if strings.Contains(p.stderr.String(), "setup_") {
			t.Errorf("the log contains the token: %s", &p.stderr)
		}
		p = up()
		down(p)
		if strings.Contains(p.stdout.String(), "setup_") {
			t.Errorf("it prints a token although an organization exists: %s", &p.stdout)
		}
	})
}

// By default, the first registration from the same machine needs no token, and the
// second one is refused.
func TestRegistrationByDefault(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off", "--database-url", "sqlite::memory:")
	base := p.printed(`listens on (\S+)`)
	for i, want := range []int{201, 403} {
		got := send(t, "POST", base+"/v1/auth/register", `{"organizationName":"Quay","name":"Bo",
			"password":"`+ownerPassword+`","email":"bo`+string(rune('0'+i))+`@quay.example"}`,
			"Content-Type", "application/json")
		if got.status != want {
			t.Errorf("registration %d gets %d %s", i+1, got.status, got.body)
		}
	}
}

// Other machines reach the demo only with --public.
func TestDemoIsLocal(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0"} {
		var stdout, stderr bytes.Buffer
		if status := run([]string{"demo", "--addr", addr}, &stdout, &stderr); status != 1 || stdout.Len() > 0 ||
			!strings.Contains(stderr.String(), "--public") {
			t.Errorf("%s: it ended with %d and printed %q, %q", addr, status, &stdout, &stderr)
		}
	}
	for _, args := range [][]string{{"--addr", "localhost:0"}, {"--addr", "0.0.0.0:0", "--public"}} {
		p := start(t, nil, append([]string{"demo"}, args...)...)
		base := p.printed(`^  address +(http://\S+)\n`)
		poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })
		got := send(t, "POST", base+"/v1/auth/register",
			`{"organizationName":"Quay","name":"Bo","email":"bo@quay.example","password":"`+ownerPassword+`"}`,
			"Content-Type", "application/json")
		if got.status != 201 {
			t.Errorf("%v: a registration gets %d %s", args, got.status, got.body)
		}
	}
}
