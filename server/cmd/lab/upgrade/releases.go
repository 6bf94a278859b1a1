package upgrade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

// release is a line of .deploy/releases.txt.
type release struct{ version, commit string }

// releases reads .deploy/releases.txt of the present folder's repository: those named, or all.
func releases(named []string) (found []release, err error) {
	content, err := os.ReadFile(".deploy/releases.txt")
	if err != nil {
		return nil, fmt.Errorf("run this in the repository: %w", err)
	}
	for line := range strings.Lines(string(content)) {
		version, commit, isRelease := strings.Cut(strings.TrimSpace(line), " ")
		if isRelease && version != "#" && (len(named) == 0 || slices.Contains(named, version)) {
			found = append(found, release{version, strings.TrimSpace(commit)})
		}
	}
	if len(found) == 0 {
		return nil, errors.New(".deploy/releases.txt has no such release")
	}
	return found, nil
}

// build returns the binary of the release. It is built once on each machine.
func (r release) build(ctx context.Context) (binary string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	binary = filepath.Join(cache, "assay", "releases", r.version+"-"+r.commit)
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil { //nolint:gosec // no secrets
		return "", err
	}
	source, err := os.MkdirTemp("", "assay-release-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(source)) }()
	// The version in .deploy/releases.txt is trusted: it is a file of this repository.
	script := `git archive "$1" | tar --extract --directory "$2" && cd "$2" &&
		go build -trimpath -buildvcs=false -ldflags "-X main.version=$3" -o "$4.new" ./server/cmd/assay && mv "$4.new" "$4"`
	//nolint:gosec // a constant, and files of this repository
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script, "build", r.commit, source, r.version, binary)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s from commit %s, which a shallow clone lacks: %w\n%s",
			r.version, r.commit, err, output)
	}
	return binary, nil
}

func (u *upgrade) command(ctx context.Context, db *rig.Database) *exec.Cmd {
	service := db.Service(u.Binary)
	service.Env = []string{"ASSAY_LOG_FORMAT=json"}
	service.LogLevel = "info"
	return service.Command(ctx, "127.0.0.1:0", "off", "migrate", "up")
}

// migrate runs `assay migrate up` of the new binary, and returns its log.
func (u *upgrade) migrate(ctx context.Context, db *rig.Database) (log string, err error) {
	var stderr strings.Builder
	cmd := u.command(ctx, db)
	cmd.Stdout, cmd.Stderr = io.Discard, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("migrate up: %w\n%s", err, stderr.String())
	}
	return stderr.String(), nil
}

// slowest names the migration that took longest, by the times of the lines in the log.
func slowest(log string) string {
	var name string
	var longest time.Duration
	var began time.Time
	for line := range strings.Lines(log) {
		var entry struct {
			Time           time.Time
			Msg, Migration string
		}
		if json.Unmarshal([]byte(line), &entry) != nil {
			continue
		}
		switch took := entry.Time.Sub(began); {
		case entry.Msg == "applying a migration":
			began = entry.Time
		case entry.Msg == "applied a migration" && took >= longest:
			longest, name = took, strings.TrimSuffix(entry.Migration, ".sql")
		}
	}
	if name == "" {
		return "none"
	}
	return fmt.Sprintf("%s, %s", name, rig.Seconds(longest))
}
