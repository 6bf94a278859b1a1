package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"assay/store"
	"assay/store/archive"
)

// Exit statuses. A process manager restarts the service after exitFailed, and not after exitUnusable.
const (
	exitFailed   = 1
	exitUnusable = 2
)

// misconfigured is an error of the configuration.
type misconfigured struct{ error }

func (m misconfigured) Unwrap() error { return m.error }

// wrongConfiguration returns all faults as one error, or nil.
func wrongConfiguration(faults []error) error {
	if len(faults) == 0 {
		return nil
	}
	return misconfigured{errors.Join(faults...)}
}

// statusOf returns the exit status of a command that ended with err: exitUnusable if a restart cannot help.
func statusOf(err error) int {
	var configuration misconfigured
	if errors.As(err, &configuration) || errors.Is(err, store.ErrUnusableFile) ||
		errors.Is(err, store.ErrNewerSchema) || isArchiveUnusable(err) {
		return exitUnusable
	}
	return exitFailed
}

// isArchiveUnusable reports whether the same archive, passphrase, or organization would fail again.
func isArchiveUnusable(err error) bool {
	return slices.ContainsFunc([]error{
		archive.ErrPassphrase, archive.ErrDamaged, archive.ErrNewerFormat, store.ErrImportRefused, store.ErrNothingToExport,
		store.ErrSecretsLost,
	}, func(unusable error) bool { return errors.Is(err, unusable) })
}

// toggle is the text of a flag or variable that is true or false. Kong's own parser would report it before, and instead
// of, all other faults.
type toggle string

// Decode implements kong.MapperValue: the flag alone means true.
func (t *toggle) Decode(ctx *kong.DecodeContext) error {
	*t = "true"
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		*t = toggle(ctx.Scan.Pop().String())
	}
	return nil
}

// IsBool implements kong.BoolMapperValue.
func (*toggle) IsBool() bool { return true }

func (t toggle) parse() (bool, error) {
	switch strings.ToLower(string(t)) {
	case "true", "1", "yes":
		return true, nil
	case "", "false", "0", "no":
		return false, nil
	}
	return false, fmt.Errorf("is not true or false: %q", string(t))
}

// secretFiles are files with the values of variables that contain secrets, as process managers provide them.
type secretFiles struct {
	SecretFile          string `env:"ASSAY_SECRET_FILE" help:"File with the value of ASSAY_SECRET."`
	SecretPreviousFile  string `env:"ASSAY_SECRET_PREVIOUS_FILE" help:"The same, one secret on each line."`
	DatabaseURLFile     string `env:"ASSAY_DATABASE_URL_FILE" help:"File with the value of ASSAY_DATABASE_URL."`
	DatabaseReadURLFile string `env:"ASSAY_DATABASE_READ_URL_FILE" help:"File with the value of ASSAY_DATABASE_READ_URL."`
}

// readSecretFiles returns the configuration with the content of the files.
func (c config) readSecretFiles(fault func(variable string, err error)) config {
	previous := strings.Join(c.SecretPrevious, ",")
	for _, of := range []struct {
		variable, file string
		value          *string
	}{
		{"ASSAY_SECRET", c.SecretFile, &c.Secret},
		{"ASSAY_SECRET_PREVIOUS", c.SecretPreviousFile, &previous},
		{"ASSAY_DATABASE_URL", c.DatabaseURLFile, &c.DatabaseURL},
		{"ASSAY_DATABASE_READ_URL", c.DatabaseReadURLFile, &c.DatabaseReadURL},
	} {
		fault(of.variable+"_FILE", readValue(of.variable, of.file, of.value))
	}
	if c.SecretPreviousFile != "" {
		c.SecretPrevious = strings.FieldsFunc(previous, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' })
	}
	return c
}

// maxValueFile is in bytes. Every value is much shorter.
const maxValueFile = 64 << 10

// readValue reads the value of a variable from a file, if there is one. The error does not contain the content.
func readValue(variable, file string, value *string) error {
	if file == "" {
		return nil
	}
	if *value != "" {
		return fmt.Errorf("%s is set, too: remove one of the two", variable)
	}
	opened, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
	content, err := io.ReadAll(io.LimitReader(opened, maxValueFile+1))
	text := strings.TrimRight(string(content), "\r\n")
	switch {
	case err != nil:
		return err
	case len(content) > maxValueFile:
		return fmt.Errorf("%s has more than %d bytes", file, maxValueFile)
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%s is empty", file)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return fmt.Errorf("%s is not text in UTF-8", file)
	case strings.ContainsAny(text, "\r\n") && variable != "ASSAY_SECRET_PREVIOUS":
		return fmt.Errorf("%s has more than one line", file)
	}
	*value = text
	return nil
}

// warn logs what is probably a mistake, and what is permitted but dangerous. An unknown variable does not end the
// process: it can be meant for a newer version, to which the operator returns after a step back.
func (c config) warn(log *slog.Logger, stderr io.Writer) {
	if log == nil {
		log = slog.New(slog.NewTextHandler(stderr, nil))
	}
	known := knownVariables()
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "ASSAY_") || slices.Contains(known, name) {
			continue
		}
		if near := nearest(name, known); near != "" {
			log.Warn("a variable is unknown and has no effect", "variable", name, "similar", near)
		} else {
			log.Warn("a variable is unknown and has no effect", "variable", name)
		}
	}
	for _, network := range c.TrustedProxies {
		if prefix, err := parseNetwork(strings.TrimSpace(network)); err == nil && isWide(prefix) {
			log.Warn("ASSAY_TRUSTED_PROXIES trusts so many addresses that clients can choose the address "+
				"that limits and the audit log see; name the proxy's own address", "network", prefix.String())
		}
	}
}

// knownVariables are the variables of all commands.
func knownVariables() (names []string) {
	parser, err := kong.New(&commands{}, defaults)
	if err != nil {
		return nil
	}
	var walk func(node *kong.Node)
	walk = func(node *kong.Node) {
		for _, flag := range node.Flags {
			names = append(names, flag.Envs...)
		}
		for _, child := range node.Children {
			walk(child)
		}
	}
	walk(parser.Model.Node)
	slices.Sort(names)
	return slices.Compact(names)
}

// nearest returns the name with the fewest differences, if they are few.
func nearest(name string, known []string) (near string) {
	least := 1 + max(2, (len(name)-len("ASSAY_"))/3)
	for _, candidate := range known {
		if d := distance(name, candidate); d < least {
			near, least = candidate, d
		}
	}
	return near
}

// distance counts the characters to insert, delete, or replace (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0]++
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// minStrength is in bits. Thirty-two random hexadecimal digits have at least 96 by the measure of strength.
const minStrength = 90

// strength estimates the entropy of a secret from how often each character occurs, and each difference between
// neighbours, as in abcdef. A text that repeats a shorter text counts once.
func strength(secret string) float64 {
	if again := strings.Index((secret + secret)[1:], secret) + 1; again > 0 && again < len(secret) {
		secret = secret[:again]
	}
	characters, differences := map[int]int{}, map[int]int{}
	for i := range len(secret) {
		characters[int(secret[i])]++
		if i > 0 {
			differences[int(secret[i])-int(secret[i-1])]++
		}
	}
	return min(entropy(characters), entropy(differences)) * float64(len(secret))
}

// entropy returns the bits of one of the counted values.
func entropy(counts map[int]int) (bits float64) {
	total := 0
	for count := range maps.Values(counts) {
		total += count
	}
	for count := range maps.Values(counts) {
		share := float64(count) / float64(total)
		bits -= share * math.Log2(share)
	}
	return bits
}
