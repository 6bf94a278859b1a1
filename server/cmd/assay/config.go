package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"assay/store/keys"

	"assay/webhooks"
)

// config is everything that can be set, by flag or by variable. The fields are
// text, and check reads them, so that all faults are reported at once.
type config struct {
	Addr           string   `env:"ASSAY_ADDR" default:"127.0.0.1:8080" help:"Address to listen on."`
	AdminAddr      string   `env:"ASSAY_ADMIN_ADDR" default:"127.0.0.1:9090" help:"Address of /metrics and /debug/pprof; 'off' for none."`
	BaseURL        string   `env:"ASSAY_BASE_URL" help:"Address that links begin with; http:// and the listening address by default."`
	DataDir        string   `env:"ASSAY_DATA_DIR" default:"./data" help:"Folder of the SQLite file and the made secret."`
	DatabaseURL    string   `env:"ASSAY_DATABASE_URL" help:"postgres://… for PostgreSQL; SQLite in the data folder by default."`
	Secret         string   `env:"ASSAY_SECRET" help:"Master secret, at least 32 characters; made on first start by default."`
	SecretPrevious []string `env:"ASSAY_SECRET_PREVIOUS" help:"Earlier master secrets, separated by commas, that still verify and decrypt."`
	TrustedProxies []string `env:"ASSAY_TRUSTED_PROXIES" help:"Networks whose X-Forwarded-For is believed, separated by commas, such as 10.0.0.0/8."`
	RateLimits     []string `env:"ASSAY_RATE_LIMITS" help:"'off', or changes to the limits, separated by commas, such as api-key=1200/1m:200."`
	CORSOrigins    []string `name:"cors-origins" env:"ASSAY_CORS_ORIGINS" help:"Origins whose pages may call the API, separated by commas."`

	WebhookBackoff       []string `env:"ASSAY_WEBHOOK_BACKOFF" default:"30s,5m" help:"Waits before the second and the third attempt."`
	WebhookTimeout       string   `env:"ASSAY_WEBHOOK_TIMEOUT" default:"10s" help:"Bound of one attempt, from the name to the last byte."`
	WebhookAllowInsecure bool     `env:"ASSAY_WEBHOOK_ALLOW_INSECURE" help:"Permit http and private addresses as webhook endpoints; for development only."`
	EventRetention       string   `env:"ASSAY_EVENT_RETENTION" default:"720h" help:"How long events, deliveries and attempts are kept."`

	LogLevel  string `env:"ASSAY_LOG_LEVEL" default:"info" help:"debug, info, warn or error."`
	LogFormat string `env:"ASSAY_LOG_FORMAT" default:"text" help:"text or json."`
}

// settings are a config that was checked.
type settings struct {
	addr, adminAddr, baseURL string
	databaseURL              string
	keys                     *keys.Ring
	secretMade               bool // the secret is of this machine's file, not of the configuration
	trustedProxies           []netip.Prefix
	corsOrigins              []string
	rateLimits               rateLimits
	webhookBackoff           webhooks.Backoff
	webhookTimeout           time.Duration
	webhookAllowInsecure     bool
	eventRetention           time.Duration
	log                      *slog.Logger
}

// check reads the config and reports every fault of it at once.
func (c config) check(stderr io.Writer) (settings, error) {
	out := settings{addr: c.Addr, adminAddr: c.AdminAddr, baseURL: strings.TrimSuffix(c.BaseURL, "/")}
	var faults []error
	fault := func(variable string, err error) {
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", variable, err))
		}
	}
	fault("ASSAY_ADDR", checkAddr(c.Addr))
	if c.AdminAddr == "off" {
		out.adminAddr = ""
	} else {
		fault("ASSAY_ADMIN_ADDR", checkAddr(c.AdminAddr))
	}
	if c.BaseURL != "" {
		fault("ASSAY_BASE_URL", checkBaseURL(c.BaseURL))
	}
	for _, origin := range c.CORSOrigins {
		origin = strings.TrimSpace(origin)
		fault("ASSAY_CORS_ORIGINS", checkCORSOrigin(origin))
		out.corsOrigins = append(out.corsOrigins, origin)
	}
	for _, network := range c.TrustedProxies {
		prefix, err := parseNetwork(strings.TrimSpace(network))
		fault("ASSAY_TRUSTED_PROXIES", err)
		out.trustedProxies = append(out.trustedProxies, prefix)
	}
	limits, wrong := parseRateLimits(c.RateLimits)
	out.rateLimits = limits
	for _, err := range wrong {
		fault("ASSAY_RATE_LIMITS", err)
	}
	out.webhookAllowInsecure = c.WebhookAllowInsecure
	var err error
	out.webhookBackoff, err = parseBackoff(c.WebhookBackoff)
	fault("ASSAY_WEBHOOK_BACKOFF", err)
	out.webhookTimeout, err = parseDuration(c.WebhookTimeout, 100*time.Millisecond, time.Minute)
	fault("ASSAY_WEBHOOK_TIMEOUT", err)
	out.eventRetention, err = parseDuration(c.EventRetention, time.Hour, 10*365*24*time.Hour)
	fault("ASSAY_EVENT_RETENTION", err)
	level, err := c.level()
	fault("ASSAY_LOG_LEVEL", err)
	out.log, err = c.logger(stderr, level)
	fault("ASSAY_LOG_FORMAT", err)
	if err == nil {
		// net/http tells a few things to the standard logger only, what strangers sent it among them.
		slog.SetDefault(out.log)
		slog.SetLogLoggerLevel(slog.LevelDebug)
	}
	out.databaseURL, err = c.database()
	fault("ASSAY_DATABASE_URL", err)
	if len(faults) > 0 && c.Secret == "" { // a secret is made only when nothing else is wrong
		_, err = keys.New(strings.Repeat("-", 32), c.SecretPrevious...)
	} else {
		out.keys, out.secretMade, err = c.masterKeys()
	}
	fault("the master secret", err)
	return out, errors.Join(faults...)
}

func checkAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("is not host:port: %q", addr)
	}
	if _, err := net.LookupPort("tcp", port); err != nil { //nolint:noctx // a port is looked up in a local table
		return fmt.Errorf("has no valid port: %q", addr)
	}
	return nil
}

// checkBaseURL accepts http(s)://host[:port], with a path if one is wanted.
func checkBaseURL(text string) error {
	parsed, err := url.Parse(text)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || !strings.HasPrefix(text, parsed.Scheme+"://") || parsed.Host == "" ||
		parsed.User != nil || parsed.RawQuery != "" || parsed.ForceQuery || parsed.Fragment != "" {
		return errors.New("is not like https://assay.example") // not quoted: it may hold a password
	}
	return nil
}

var corsOrigin = regexp.MustCompile(`^(http|https)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?$`)

// checkCORSOrigin accepts an origin as browsers send it, since any other
// spelling would never match: in lower case, non-ASCII names in punycode, and
// without the scheme's own port (RFC 6454, section 6.2).
func checkCORSOrigin(text string) error {
	switch parts := corsOrigin.FindStringSubmatch(text); {
	case parts == nil, parts[1]+parts[3] == "http:80", parts[1]+parts[3] == "https:443":
		return errors.New("is not like https://assay.example, in lower case and without the default port") // not quoted: it may hold a password
	}
	return nil
}

func parseNetwork(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil && addr.Zone() == "" {
		addr = addr.Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(text)
	if err != nil || prefix.Addr().Is4In6() { // IPv4 is compared as IPv4
		return netip.Prefix{}, fmt.Errorf("is no address or network: %q", text)
	}
	return prefix, nil
}

func parseBackoff(waits []string) (webhooks.Backoff, error) {
	var backoff webhooks.Backoff
	if len(waits) != len(backoff) {
		return backoff, fmt.Errorf("is not %d durations such as 30s,5m", len(backoff))
	}
	for i, text := range waits {
		wait, err := parseDuration(text, time.Millisecond, 24*time.Hour)
		if err != nil {
			return backoff, err
		}
		backoff[i] = wait
	}
	return backoff, nil
}

func parseDuration(text string, least, most time.Duration) (time.Duration, error) {
	duration, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil || duration < least || duration > most {
		return 0, fmt.Errorf("is not a duration between %s and %s: %q", least, most, text)
	}
	return duration, nil
}

func (c config) level() (slog.Level, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return level, fmt.Errorf("is not debug, info, warn or error: %q", c.LogLevel)
	}
	return level, nil
}

func (c config) logger(w io.Writer, level slog.Level) (*slog.Logger, error) {
	options := &slog.HandlerOptions{Level: level}
	switch c.LogFormat {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, fmt.Errorf("is not text or json: %q", c.LogFormat)
}

// database returns the URL of the database, making the data folder for SQLite.
func (c config) database() (string, error) {
	if c.DatabaseURL != "" {
		if !strings.HasPrefix(c.DatabaseURL, "postgres://") && !strings.HasPrefix(c.DatabaseURL, "postgresql://") &&
			!strings.HasPrefix(c.DatabaseURL, "sqlite:") {
			return "", errors.New("begins with neither postgres: nor sqlite") // not quoted: it may hold a password
		}
		if _, err := url.Parse(c.DatabaseURL); err != nil {
			return "", errors.New("cannot be parsed")
		}
		return c.DatabaseURL, nil
	}
	if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
		return "", err
	}
	return "sqlite:" + filepath.Join(c.DataDir, "assay.db"), nil
}

// masterKeys derives the keys from the configured secret, or else from that of
// the data folder, which is made on the first start.
func (c config) masterKeys() (ring *keys.Ring, made bool, err error) {
	secret := c.Secret
	if secret == "" {
		made = true
		if secret, err = secretFile(c.DataDir); err != nil {
			return nil, made, err
		}
	}
	ring, err = keys.New(secret, c.SecretPrevious...)
	return ring, made, err
}

// secretFile reads the secret of the data folder, making it if there is none.
// It is written whole under another name first, so that a crash leaves no half
// a secret, and linked into place, so that of two first starts one wins.
func secretFile(dir string) (string, error) {
	file := filepath.Join(dir, "secret")
	content, err := os.ReadFile(file)
	if err == nil {
		return strings.TrimSpace(string(content)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	unfinished, err := os.CreateTemp(dir, "secret-*") // mode 0600
	if err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(unfinished.Name()) }()
	_, err = unfinished.WriteString(hex.EncodeToString(random) + "\n")
	if err = errors.Join(err, unfinished.Sync(), unfinished.Close()); err != nil {
		return "", err
	}
	if err := os.Link(unfinished.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	content, err = os.ReadFile(file)
	return strings.TrimSpace(string(content)), err
}
