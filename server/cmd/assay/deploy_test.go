package main

import (
	"encoding/json"
	goversion "go/version"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"assay/store"
)

// These tests compare the files of .deploy with the binary: variables, flags,
// commands, ports, and time limits.

const root = "../../.."

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// assayPath is the path of the binary in the unit and in the image.
const assayPath = "/usr/local/bin/assay"

// commandOf parses a command line as the binary does and returns its command.
func commandOf(t *testing.T, line []string) string {
	t.Helper()
	if len(line) < 2 || line[0] != assayPath {
		t.Fatalf("%q does not run %s", line, assayPath)
	}
	parser, err := kong.New(&commands{}, defaults)
	if err != nil {
		t.Fatal(err)
	}
	command, err := parser.Parse(line[1:])
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return command.Command()
}

// longestShutdown is the longest shutdown at the default webhook timeout.
// Requests finish in parallel with a claim, its attempts, and their settlement.
func longestShutdown(t *testing.T) time.Duration {
	t.Helper()
	timeout, err := time.ParseDuration(serveVariables(t)["ASSAY_WEBHOOK_TIMEOUT"])
	if err != nil {
		t.Fatal(err)
	}
	const settling = 15 * time.Second
	return max(drainNotice+shutdownTimeout, 3*timeout+settling)
}

func checkStop(t *testing.T, text string) {
	t.Helper()
	stop, err := time.ParseDuration(text)
	if err != nil || stop < longestShutdown(t) {
		t.Errorf("it is killed after %s, and a shutdown takes %s (%v)", text, longestShutdown(t), err)
	}
}

// unit returns the settings of the systemd unit by key.
func unit(t *testing.T) map[string][]string {
	t.Helper()
	set := map[string][]string{}
	for line := range strings.Lines(readFile(t, ".deploy/assay.service")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '[' {
			continue
		}
		key, value, found := strings.Cut(line, "=")
		if !found {
			t.Fatalf("%q is not a setting", line)
		}
		set[key] = append(set[key], value)
	}
	return set
}

func TestUnit(t *testing.T) {
	t.Parallel()
	set, known := unit(t), serveVariables(t)
	if command := commandOf(t, strings.Fields(set["ExecStart"][0])); command != "serve" {
		t.Errorf("it runs %s", command)
	}
	if !slices.Equal(set["ExecPaths"], []string{assayPath}) {
		t.Errorf("executable paths: %q", set["ExecPaths"])
	}
	// With another type, systemd kills a process that is not ready within TimeoutStartSec. A migration can take longer.
	if !slices.Equal(set["Type"], []string{"exec"}) || set["WatchdogSec"] != nil {
		t.Errorf("the type is %s with the watchdog %s, so systemd can kill a long migration", set["Type"], set["WatchdogSec"])
	}
	checkStop(t, set["TimeoutStopSec"][0])
	state := "%S/" + set["StateDirectory"][0]
	variables := map[string]string{}
	for _, text := range set["Environment"] {
		name, value, _ := strings.Cut(text, "=")
		if _, there := known[name]; !there {
			t.Errorf("the binary has no %s", name)
		}
		variables[name] = value
	}
	// With ProtectSystem=strict the service can write nowhere else.
	if variables["ASSAY_DATA_DIR"] != state || !slices.Equal(set["WorkingDirectory"], []string{state}) {
		t.Errorf("the data folder is %s and the working directory %s, both must be %s",
			variables["ASSAY_DATA_DIR"], set["WorkingDirectory"], state)
	}
	status, _, _ := runText("serve", "--no-such-flag")
	if !slices.Equal(set["RestartPreventExitStatus"], []string{"2"}) || status != 2 {
		t.Errorf("wrong flags exit with %d, which does not prevent a restart", status)
	}
}

// image is the last stage of the Dockerfile.
type image struct {
	variables           map[string]string
	port, user, volume  string
	run, check          []string
	checkTimeout        time.Duration
	builder             string // the Go release of the other stage
	copied, fromBuilder []string
}

func dockerfile(t *testing.T) image {
	t.Helper()
	made := image{variables: map[string]string{}}
	text := strings.ReplaceAll(readFile(t, ".deploy/Dockerfile"), "\\\n", " ")
	for line := range strings.Lines(text) {
		instruction, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		fields := strings.Fields(rest)
		switch instruction {
		case "FROM":
			if release, found := strings.CutPrefix(fields[0], "golang:"); found {
				made.builder, _, _ = strings.Cut("go"+release, "-")
			}
		case "COPY":
			if strings.HasPrefix(fields[0], "--from") {
				made.fromBuilder = append(made.fromBuilder, fields[len(fields)-1])
			} else {
				made.copied = append(made.copied, fields[:len(fields)-1]...)
			}
		case "ENV":
			for _, field := range fields {
				name, value, _ := strings.Cut(field, "=")
				made.variables[name] = value
			}
		case "EXPOSE":
			made.port = rest
		case "VOLUME":
			made.volume = rest
		case "USER":
			made.user = rest
		case "ENTRYPOINT", "CMD":
			made.run = append(made.run, array(t, rest)...)
		case "HEALTHCHECK":
			flags, command, _ := strings.Cut(rest, " CMD ")
			made.check = array(t, command)
			timeout := regexp.MustCompile(`--timeout=(\S+)`).FindStringSubmatch(flags)[1]
			made.checkTimeout, _ = time.ParseDuration(timeout)
		}
	}
	return made
}

// array parses the form of a command that needs no shell.
func array(t *testing.T, text string) (fields []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatalf("%q needs a shell: %v", text, err)
	}
	return fields
}

func TestDockerfile(t *testing.T) {
	t.Parallel()
	made, known := dockerfile(t), serveVariables(t)
	if run, check := commandOf(t, made.run), commandOf(t, made.check); run != "serve" || check != "healthcheck" {
		t.Errorf("it runs %s and is checked by %s", run, check)
	}
	if made.checkTimeout <= healthcheckTimeout {
		t.Errorf("the check is killed after %s, before its own timeout of %s", made.checkTimeout, healthcheckTimeout)
	}
	for name := range made.variables {
		if _, there := known[name]; !there {
			t.Errorf("the binary has no %s", name)
		}
	}
	host, port, err := net.SplitHostPort(made.variables["ASSAY_ADDR"])
	if err != nil || host != "0.0.0.0" || port != made.port {
		t.Errorf("it listens on %s, port %s is exposed (%v)", made.variables["ASSAY_ADDR"], made.port, err)
	}
	data := made.variables["ASSAY_DATA_DIR"]
	if data != made.volume || !slices.Equal(made.fromBuilder, []string{assayPath, data}) {
		t.Errorf("the data folder is %s, the volume %s, and the builder provides %s", data, made.volume, made.fromBuilder)
	}
	if !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(made.user) {
		t.Errorf("the user is %s; an orchestrator sees only from a number that it is not root", made.user)
	}
	wanted := regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(readFile(t, "go.mod"))[1]
	if goversion.Compare(made.builder, "go"+wanted) < 0 {
		t.Errorf("built with %s, go.mod wants %s", made.builder, wanted)
	}
	included := strings.Fields(readFile(t, ".dockerignore"))
	for _, source := range made.copied {
		if _, err := os.Stat(filepath.Join(root, source)); err != nil || !slices.Contains(included, "!"+source) {
			t.Errorf("%s is copied, but .dockerignore excludes it (%v)", source, err)
		}
	}
}

// composition is the part of compose.yaml that the tests check.
type composition struct {
	Services map[string]struct {
		Environment     map[string]string
		Ports           []string
		Tmpfs           []string
		StopGracePeriod string `yaml:"stop_grace_period"`
		Healthcheck     struct{ Test []string }
	}
}

var interpolation = regexp.MustCompile(`\$\{(\w+)(?::[-?][^}]*)?\}`)

// example returns the variables of .env.example, including those in comments.
func example(t *testing.T) map[string]string {
	t.Helper()
	filled := map[string]string{}
	assignment := regexp.MustCompile(`(?m)^#?([A-Z_]+)=(.*)$`)
	for _, match := range assignment.FindAllStringSubmatch(readFile(t, ".deploy/.env.example"), -1) {
		filled[match[1]] = match[2]
	}
	return filled
}

func TestCompose(t *testing.T) {
	var composed composition
	if err := yaml.Unmarshal([]byte(readFile(t, ".deploy/compose.yaml")), &composed); err != nil {
		t.Fatal(err)
	}
	assay, made, known, filled := composed.Services["assay"], dockerfile(t), serveVariables(t), example(t)
	checkStop(t, assay.StopGracePeriod)
	if !slices.Equal(assay.Healthcheck.Test, append([]string{"CMD"}, made.check...)) {
		t.Errorf("compose.yaml checks with %q, the image with %q", assay.Healthcheck.Test, made.check)
	}
	if len(assay.Ports) != 1 || !strings.HasSuffix(assay.Ports[0], ":"+made.port) ||
		!strings.HasPrefix(assay.Ports[0], "127.0.0.1:") {
		t.Errorf("%q is published; only port %s on 127.0.0.1 cannot bypass the proxy", assay.Ports, made.port)
	}
	if len(assay.Tmpfs) != 1 || !strings.HasPrefix(assay.Tmpfs[0], made.volume+":") {
		t.Errorf("%q replaces the volume %s", assay.Tmpfs, made.volume)
	}

	// A filled-in .env is a complete configuration.
	filled["POSTGRES_PASSWORD"], filled["ASSAY_SECRET"] = strings.Repeat("0a", 16), testSecret
	variables := maps.Clone(made.variables)
	for name, value := range assay.Environment {
		if _, there := known[name]; !there {
			t.Errorf("the binary has no %s", name)
		}
		variables[name] = interpolation.ReplaceAllStringFunc(value, func(text string) string {
			of := interpolation.FindStringSubmatch(text)[1]
			if strings.HasPrefix(of, "ASSAY_") && of != name {
				t.Errorf("%s is filled with %s", name, of)
			}
			if _, there := filled[of]; !there && strings.Contains(text, ":?") {
				t.Errorf("%s needs %s, which .env.example does not name", name, of)
			}
			return filled[of]
		})
	}
	for name, value := range variables {
		if value != "" {
			t.Setenv(name, value)
		}
	}
	var all commands
	parser, err := kong.New(&all, defaults)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(made.run[1:]); err != nil {
		t.Fatal(err)
	}
	set, err := all.Serve.check(io.Discard)
	if err != nil || set.secretGenerated || !strings.HasPrefix(set.databaseURL, "postgres://") ||
		set.addr != made.variables["ASSAY_ADDR"] {
		t.Errorf("%+v, %v", set, err)
	}
}

func TestEnvExample(t *testing.T) {
	t.Parallel()
	known := serveVariables(t)
	for name := range example(t) {
		if _, there := known[name]; !there && name != "POSTGRES_PASSWORD" {
			t.Errorf("the binary has no %s", name)
		}
	}
}

// The operators' table of limits has each limit of the guide with the same default, and
// each quota.
func TestDocumentedLimits(t *testing.T) {
	t.Parallel()
	_, section, _ := strings.Cut(readFile(t, ".deploy/README.md"), "\n## Limits and quotas\n")
	section, _, _ = strings.Cut(section, "\n## ")
	quotas := 0
	rows := map[string]string{} // by the names of their limits
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 {
			continue
		}
		names := regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(cells[4], -1)
		switch kind := strings.Fields(cells[4])[0]; kind {
		case "limit", "limits":
			for _, name := range names {
				rows[name[1]] = cells[2]
			}
		case "quota":
			quotas++
			if _, faults := parseQuotas([]string{names[0][1] + "=1"}); len(faults) > 0 {
				t.Errorf("quota %s: %v", names[0][1], faults)
			}
		}
	}
	if want := reflect.TypeFor[store.Quotas]().NumField(); quotas != want {
		t.Errorf("it has %d quotas, want %d", quotas, want)
	}
	limits := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([^|]+) \\|").FindAllStringSubmatch(
		readFile(t, "gen/guide/60-rate-limits.md"), -1)
	for _, limit := range limits {
		if name, requests := limit[1], limit[2]; !strings.Contains(rows[name], requests) {
			t.Errorf("limit %s is %q, and %q in the guide", name, rows[name], requests)
		}
		if _, faults := parseRateLimits([]string{limit[1] + "=1/1s"}); len(faults) > 0 {
			t.Errorf("limit %s: %v", limit[1], faults)
		}
		delete(rows, limit[1])
	}
	if len(limits) == 0 || len(rows) > 0 {
		t.Errorf("the guide has %d limits, and not %v", len(limits), rows)
	}
}

// The variables, commands, and files that the documents name exist.
func TestDocumentedNames(t *testing.T) {
	t.Parallel()
	readme := readFile(t, "README.md") + readFile(t, ".deploy/README.md")
	parser, err := kong.New(&commands{}, defaults)
	if err != nil {
		t.Fatal(err)
	}
	variables, names := map[string]bool{}, map[string]bool{}
	for _, command := range parser.Model.Children {
		names[command.Name] = true
		for _, flag := range command.AllFlags(false) {
			for _, each := range flag {
				for _, name := range each.Envs {
					variables[name] = true
				}
			}
		}
	}
	for _, name := range regexp.MustCompile(`\bASSAY_[A-Z_]+\b`).FindAllString(readme, -1) {
		if !variables[name] && name != "ASSAY_VULNDB" { // of make vulncheck
			t.Errorf("the binary has no %s", name)
		}
	}
	for _, match := range regexp.MustCompile("(?:`|/)assay ([a-z]+(?:-[a-z]+)*)").FindAllStringSubmatch(readme, -1) {
		if !names[match[1]] {
			t.Errorf("there is no assay %s", match[1])
		}
	}
	for _, path := range regexp.MustCompile(`\.deploy/[.\w]+\w`).FindAllString(readme, -1) {
		if _, err := os.Stat(filepath.Join(root, path)); err != nil && path != ".deploy/.env" { // the reader creates it
			t.Error(err)
		}
	}
}
