package main

import (
	"bytes"
	"io"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"assay/webhooks"
)

const testSecret = "config-test-secret-config-test-secret"

// parserOf returns a parser of command lines, and what it parses into.
func parserOf(t *testing.T) (*kong.Kong, *commands) {
	t.Helper()
	parsed := &commands{}
	parser, err := kong.New(parsed, defaults)
	if err != nil {
		t.Fatal(err)
	}
	return parser, parsed
}

// goodConfig is the configuration without flags and variables, in the test's own
// folder.
func goodConfig(t *testing.T) config {
	t.Helper()
	parser, commands := parserOf(t)
	if _, err := parser.Parse([]string{"serve", "--data-dir", filepath.Join(t.TempDir(), "data")}); err != nil {
		t.Fatal(err)
	}
	return commands.Serve.config
}

// A wrong configuration can be fixed in one step, because all errors are
// reported. The log contains neither the secret nor the database's password.
func TestAllFaultsAreReportedAtOnce(t *testing.T) {
	wrong := map[string]string{
		"ASSAY_ADDR":            "8080",
		"ASSAY_ADMIN_ADDR":      "localhost:no-such-port",
		"ASSAY_BASE_URL":        "assay.example",
		"ASSAY_DATABASE_URL":    "mysql://assay:db-pass-phrase@db.example/assay",
		"ASSAY_SECRET":          "short-master-secret",
		"ASSAY_TRUSTED_PROXIES": "10.0.0.0/8,10.0.0.0/99",
		"ASSAY_RATE_LIMITS":     "login-ip=often",
		"ASSAY_QUOTAS":          "webhooks=many",
		"ASSAY_REGISTRATION":    "nobody",
		"ASSAY_CORS_ORIGINS":    "https://a.example,https://b.example/path",
		"ASSAY_FRAME_ANCESTORS": "https://a.example,b.example",
		"ASSAY_PROVIDER_HOSTS":  "login.example,https://login.example",
		"ASSAY_WEBHOOK_BACKOFF": "30s",
		"ASSAY_WEBHOOK_TIMEOUT": "soon",
		"ASSAY_EVENT_RETENTION": "1m",
		"ASSAY_ERASURE_JOURNAL": "/no/such/folder/erasures",
		"ASSAY_DEADLINE_GRACE":  "-1s",
		"ASSAY_SMTP_URL":        "smtp://assay:smtp-pass-phrase@mail.example:587/path",
		"ASSAY_SMTP_PASSWORD":   "smtp-other-phrase",
		"ASSAY_MAIL_FROM":       "nobody",
		"ASSAY_MAIL_RATE":       "fast",
		"ASSAY_LOG_LEVEL":       "loud",
		"ASSAY_LOG_FORMAT":      "xml",
		"ASSAY_SECRET_PREVIOUS": "short-earlier-secret",
		"ASSAY_LISTEN_SECRET":   "listen-only-secret", // of another command
		"ASSAY_UNKNOWN":         "x",

		"ASSAY_PPROF":                  "maybe",
		"ASSAY_WEBHOOK_ALLOW_INSECURE": "perhaps",
		"ASSAY_DATABASE_READ_URL":      "https://assay:read-pass-phrase@db.example/assay",
		"ASSAY_DATABASE_POOLING":       "statement",
		"ASSAY_DATABASE_URL_FILE":      "/no/such/file",
	}
	for name, value := range wrong {
		t.Setenv(name, value)
	}
	for name := range serveVariables(t) { // a new variable needs a wrong value here
		if _, there := wrong[name]; !there && name != "ASSAY_DATA_DIR" && !strings.HasSuffix(name, "_FILE") {
			t.Errorf("%s has no wrong value", name)
		}
	}
	dir := filepath.Join(t.TempDir(), "data")
	for _, command := range [][]string{{"serve"}, {"dispatch"}, {"migrate", "up"}, {"migrate", "status"}, {"reencrypt"}} {
		var stdout, stderr bytes.Buffer
		if status := run(append(command, "--data-dir", dir), &stdout, &stderr); status != 2 || stdout.Len() > 0 {
			t.Errorf("%v ends with %d and prints %q", command, status, &stdout)
		}
		for _, name := range slices.Sorted(maps.Keys(wrong)) {
			switch name {
			case "ASSAY_SECRET_PREVIOUS", "ASSAY_LISTEN_SECRET", "ASSAY_UNKNOWN", "ASSAY_SMTP_PASSWORD":
				continue // other tests cover the first and the last one
			}
			if !regexp.MustCompile(`\b` + name + `\b`).Match(stderr.Bytes()) {
				t.Errorf("%v does not name %s:\n%s", command, name, &stderr)
			}
		}
		for _, secret := range []string{
			"short-master-secret", "short-earlier-secret", "db-pass-phrase", "smtp-pass-phrase", "smtp-other-phrase",
			"read-pass-phrase",
		} {
			if strings.Contains(stderr.String(), secret) {
				t.Errorf("%v quotes %q:\n%s", command, secret, &stderr)
			}
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a command with a wrong configuration created its data folder")
	}
}

func TestOneFault(t *testing.T) {
	for name, test := range map[string]struct {
		variable string
		change   func(*config)
	}{
		"no port":           {"ASSAY_ADDR", func(c *config) { c.Addr = "127.0.0.1" }},
		"port out of range": {"ASSAY_ADDR", func(c *config) { c.Addr = "127.0.0.1:65536" }},
		"address off":       {"ASSAY_ADDR", func(c *config) { c.Addr = "off" }},
		"admin":             {"ASSAY_ADMIN_ADDR", func(c *config) { c.AdminAddr = "none" }},
		"base scheme":       {"ASSAY_BASE_URL", func(c *config) { c.BaseURL = "ftp://assay.example" }},
		"base query":        {"ASSAY_BASE_URL", func(c *config) { c.BaseURL = "https://assay.example/?a=b" }},
		"base fragment":     {"ASSAY_BASE_URL", func(c *config) { c.BaseURL = "https://assay.example/#a" }},
		"base user":         {"ASSAY_BASE_URL", func(c *config) { c.BaseURL = "https://me@assay.example" }},
		"any origin":        {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"*"} }},
		"scheme's case":     {"ASSAY_BASE_URL", func(c *config) { c.BaseURL = "HTTPS://assay.example" }},
		"origin null":       {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"null"} }},
		"origin pattern":    {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"https://*.a.example"} }},
		"origin's case":     {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"https://A.example"} }},
		"mail scheme":       {"ASSAY_SMTP_URL", func(c *config) { c.SMTPURL, c.MailFrom = "http://m.test", "a@b.test" }},
		"mail user":         {"ASSAY_SMTP_URL", func(c *config) { c.SMTPURL, c.MailFrom = "smtp://u@m.test", "a@b.test" }},
		"no mail sender":    {"ASSAY_MAIL_FROM", func(c *config) { c.SMTPURL = "smtp://m.example" }},
		"no mail server":    {"ASSAY_SMTP_PASSWORD", func(c *config) { c.SMTPPassword = "x" }},
		"mail rate":         {"ASSAY_MAIL_RATE", func(c *config) { c.MailRate = "0" }},
		"mail rate NaN":     {"ASSAY_MAIL_RATE", func(c *config) { c.MailRate = "NaN" }},
		"origin's port":     {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"https://a.example:443"} }},
		"http port":         {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"http://a.example:80"} }},
		"empty port":        {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"https://a.example:"} }},
		"origin's letters":  {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"https://ä.example"} }},
		"no host":           {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"https://"} }},
		"empty origin":      {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"https://a.example", ""} }},
		"origin slash":      {"ASSAY_CORS_ORIGINS", func(c *config) { c.CORSOrigins = []string{"https://a.example/"} }},
		"registration":      {"ASSAY_REGISTRATION", func(c *config) { c.Registration = "Open" }},
		"any ancestor":      {"ASSAY_FRAME_ANCESTORS", func(c *config) { c.FrameAncestors = []string{"*"} }},
		"none and one": {"ASSAY_FRAME_ANCESTORS", func(c *config) {
			c.FrameAncestors = []string{"none", "https://a.example"}
		}},
		"two directives": {"ASSAY_FRAME_ANCESTORS", func(c *config) {
			c.FrameAncestors = []string{"https://a.example; img-src *"}
		}},
		"provider's port": {"ASSAY_PROVIDER_HOSTS", func(c *config) { c.ProviderHosts = []string{"login.example:8443"} }},
		"empty provider":  {"ASSAY_PROVIDER_HOSTS", func(c *config) { c.ProviderHosts = []string{""} }},
		"proxy by name":   {"ASSAY_TRUSTED_PROXIES", func(c *config) { c.TrustedProxies = []string{"proxy.example"} }},
		"proxy port":      {"ASSAY_TRUSTED_PROXIES", func(c *config) { c.TrustedProxies = []string{"192.0.2.7:80"} }},
		"proxy zone":      {"ASSAY_TRUSTED_PROXIES", func(c *config) { c.TrustedProxies = []string{"fe80::1%eth0"} }},
		"mapped network": {"ASSAY_TRUSTED_PROXIES", func(c *config) {
			c.TrustedProxies = []string{"::ffff:10.0.0.0/104"}
		}},
		"no backoff":      {"ASSAY_WEBHOOK_BACKOFF", func(c *config) { c.WebhookBackoff = nil }},
		"three backoffs":  {"ASSAY_WEBHOOK_BACKOFF", func(c *config) { c.WebhookBackoff = []string{"1s", "2s", "3s"} }},
		"backoff of zero": {"ASSAY_WEBHOOK_BACKOFF", func(c *config) { c.WebhookBackoff = []string{"0s", "5m"} }},
		"below zero":      {"ASSAY_WEBHOOK_BACKOFF", func(c *config) { c.WebhookBackoff = []string{"30s", "-5m"} }},
		"long backoff":    {"ASSAY_WEBHOOK_BACKOFF", func(c *config) { c.WebhookBackoff = []string{"30s", "24h1s"} }},
		"no unit":         {"ASSAY_WEBHOOK_BACKOFF", func(c *config) { c.WebhookBackoff = []string{"30", "300"} }},
		"short timeout":   {"ASSAY_WEBHOOK_TIMEOUT", func(c *config) { c.WebhookTimeout = "99ms" }},
		"long timeout":    {"ASSAY_WEBHOOK_TIMEOUT", func(c *config) { c.WebhookTimeout = "61s" }},
		"short retention": {"ASSAY_EVENT_RETENTION", func(c *config) { c.EventRetention = "59m" }},
		"long retention":  {"ASSAY_EVENT_RETENTION", func(c *config) { c.EventRetention = "87601h" }},
		"journal folder":  {"ASSAY_ERASURE_JOURNAL", func(c *config) { c.ErasureJournal = os.TempDir() }},
		"negative grace":  {"ASSAY_DEADLINE_GRACE", func(c *config) { c.DeadlineGrace = "-1ns" }},
		"long grace":      {"ASSAY_DEADLINE_GRACE", func(c *config) { c.DeadlineGrace = "61s" }},
		"log format":      {"ASSAY_LOG_FORMAT", func(c *config) { c.LogFormat = "TEXT" }},
		"database":        {"ASSAY_DATABASE_URL", func(c *config) { c.DatabaseURL = "file:assay.db" }},
		"secret":          {"ASSAY_SECRET", func(c *config) { c.Secret = strings.Repeat("s", 31) }},
		"blank secret":    {"ASSAY_SECRET", func(c *config) { c.Secret = strings.Repeat(" ", 40) }},
		"earlier secret": {"ASSAY_SECRET_PREVIOUS", func(c *config) {
			c.SecretPrevious = []string{testSecret, "earlier"}
		}},
	} {
		c := goodConfig(t)
		c.Secret = testSecret
		test.change(&c)
		_, err := c.check(io.Discard)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if !regexp.MustCompile(`\b` + test.variable + `\b`).MatchString(err.Error()) {
			t.Errorf("%s: %q does not name %s", name, err, test.variable)
		}
		if strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%s: more than one fault: %q", name, err)
		}
	}
}

func TestSettings(t *testing.T) {
	c := goodConfig(t)
	set, err := c.check(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if set.addr != "127.0.0.1:8080" || set.adminAddr != "127.0.0.1:9090" || set.baseURL != "" ||
		!set.secretGenerated || set.webhookAllowInsecure || set.pprof ||
		set.databaseURL != "sqlite:"+filepath.Join(c.DataDir, "assay.db") ||
		set.trustedProxies != nil || set.corsOrigins != nil || set.frameAncestors != nil || set.providerHosts != nil ||
		set.webhookBackoff != (webhooks.Backoff{30 * time.Second, 5 * time.Minute}) ||
		set.webhookTimeout != 10*time.Second ||
		set.eventRetention != 30*24*time.Hour || set.deadlineGrace != 10*time.Second {
		t.Errorf("defaults: %+v", set)
	}

	c.Secret, c.SecretPrevious = testSecret, []string{"earlier-" + testSecret}
	c.Addr, c.AdminAddr, c.BaseURL = ":0", "off", "https://assay.example/hiring/"
	c.DatabaseURL = "postgresql://assay:pass@db.example/assay"
	c.TrustedProxies = []string{"10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "2001:db8::1", " ::ffff:192.0.2.8"}
	c.CORSOrigins = []string{
		"https://a.example", " http://localhost:5173", "http://[::1]:8080", "https://xn--4ca.example:8443",
	}
	c.FrameAncestors = []string{"https://jobs.example", " http://localhost:5173"}
	c.ProviderHosts = []string{"login.example", " Login.Corp.example"}
	c.WebhookBackoff, c.WebhookTimeout, c.EventRetention = []string{"1ms", " 24h"}, "100ms", "87600h"
	c.DeadlineGrace = "0s"
	if set, err = c.check(io.Discard); err != nil {
		t.Fatal(err)
	}
	proxies := []netip.Prefix{
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.7/32"),
		netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2001:db8::1/128"),
		netip.MustParsePrefix("192.0.2.8/32"),
	}
	origins := []string{"https://a.example", "http://localhost:5173", "http://[::1]:8080", "https://xn--4ca.example:8443"}
	if !slices.Equal(set.trustedProxies, proxies) || !slices.Equal(set.corsOrigins, origins) ||
		!slices.Equal(set.frameAncestors, []string{"https://jobs.example", "http://localhost:5173"}) ||
		!slices.Equal(set.providerHosts, []string{"login.example", "login.corp.example"}) ||
		set.adminAddr != "" || set.secretGenerated || set.baseURL != "https://assay.example/hiring" ||
		set.databaseURL != c.DatabaseURL || set.webhookBackoff != (webhooks.Backoff{time.Millisecond, 24 * time.Hour}) ||
		set.webhookTimeout != 100*time.Millisecond || set.eventRetention != 87600*time.Hour ||
		set.deadlineGrace != 0 {
		t.Errorf("changed: %+v", set)
	}
	if got := len(set.keys.Verifying("invite-token")); got != 2 {
		t.Errorf("%d keys verify, want 2", got)
	}
}

func TestLogger(t *testing.T) {
	for format, want := range map[string]string{"text": "msg=seen", "json": `"msg":"seen"`} {
		c := goodConfig(t)
		c.LogFormat, c.LogLevel = format, "warn"
		var written bytes.Buffer
		level, err := c.level()
		if err != nil {
			t.Fatal(err)
		}
		log, err := c.logger(&written, level)
		if err != nil {
			t.Fatal(err)
		}
		log.Info("unseen")
		log.Warn("seen")
		if !strings.Contains(written.String(), want) || strings.Contains(written.String(), "unseen") {
			t.Errorf("%s: %s", format, &written)
		}
	}
}

// The table in .deploy/README.md has the variables and defaults of the flags.
func TestDocumentedConfiguration(t *testing.T) {
	have := serveVariables(t)
	readme, err := os.ReadFile("../../../.deploy/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Configuration\n")
	section, _, _ = strings.Cut(section, "\n## ")
	literal := regexp.MustCompile("^`([^`]*)`$")
	documented := map[string]string{}
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.HasPrefix(cells[1], " `ASSAY_") {
			continue
		}
		names := strings.Split(cells[1], ",")
		defaults := []string{cells[2]}
		if len(names) > 1 { // one default for each
			defaults = strings.Split(cells[2], ",")
		}
		for i, name := range names {
			value := ""
			if match := literal.FindStringSubmatch(strings.TrimSpace(defaults[i])); match != nil {
				value = match[1] // other text describes where the value comes from
			}
			documented[strings.Trim(name, " `")] = value
		}
	}
	if !maps.Equal(have, documented) {
		t.Errorf(".deploy/README.md has %q\nthe flags have       %q", documented, have)
	}
}

// serveVariables are the variables of assay serve with their defaults.
func serveVariables(t *testing.T) map[string]string {
	t.Helper()
	parser, err := kong.New(&commands{}, defaults)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, command := range parser.Model.Children {
		if command.Name != "serve" {
			continue
		}
		for _, flag := range command.Flags {
			if flag.Name == "help" || flag.Name == "no-dispatcher" || flag.Name == "no-outgoing" {
				continue
			}
			if len(flag.Envs) != 1 || flag.Envs[0] != "ASSAY_"+strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_")) {
				t.Errorf("--%s is read from %q", flag.Name, flag.Envs)
				continue
			}
			have[flag.Envs[0]] = flag.Default
			if flag.IsBool() && flag.Default == "" {
				have[flag.Envs[0]] = "false"
			}
		}
	}
	return have
}
