package store

import (
	"bufio"
	"context"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"assay/store/keys"

	"assay/store/rules"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/secure/precis"
)

// PasswordCost is the cost of one argon2id hash (RFC 9106).
type PasswordCost struct {
	MemoryKiB uint32
	Passes    uint32
}

// DefaultPasswordCost takes about 30 ms of one core.
var DefaultPasswordCost = PasswordCost{MemoryKiB: 19456, Passes: 2}

// passwordWait is how long a request waits for its turn to compute a hash before it
// is refused. Hashes use at most half of the cores, but at least one, so that a
// flood of sign-ins leaves the other half to other requests.
const passwordWait = 2 * time.Second

//go:embed common_passwords.txt
var commonPasswordList string

type passwordHasher struct {
	cost   PasswordCost
	turns  hashTurns
	hashes atomic.Int64 // number of computed hashes since the start
	memory idleRelease
	common map[string]bool
	decoy  string // compared with the password of an unknown account
}

func newPasswordHasher(cost PasswordCost) (*passwordHasher, error) {
	if cost == (PasswordCost{}) {
		cost = DefaultPasswordCost
	}
	h := &passwordHasher{
		cost: cost, common: map[string]bool{}, memory: idleRelease{release: debug.FreeOSMemory},
		turns: hashTurns{free: max(1, runtime.GOMAXPROCS(0)/2)},
	}
	lines := bufio.NewScanner(strings.NewReader(commonPasswordList))
	for lines.Scan() {
		h.common[strings.ToLower(lines.Text())] = true
	}
	h.decoy = h.encode(keys.RandomBytes(16), make([]byte, 32))
	return h, lines.Err()
}

// PasswordHashes returns the number of password hashes that the store has computed.
func (s *Store) PasswordHashes() int64 { return s.passwords.hashes.Load() }

// hash returns the PHC string of the password. Refusal: unavailable after passwordWait.
func (h *passwordHasher) hash(ctx context.Context, share hashShare, password string) (string, error) {
	salt := keys.RandomBytes(16)
	key, err := h.compute(ctx, share, passwordForm(password), salt, h.cost)
	if err != nil {
		return "", err
	}
	return h.encode(salt, key), nil
}

// passwordForm is the form in which passwords are compared (RFC 8265, OpaqueString), because
// keyboards write the same accent as one character or as two, and spaces of several kinds.
func passwordForm(password string) string {
	form, err := precis.OpaqueString.String(password)
	if err != nil { // a character that the RFC does not permit
		return password
	}
	return form
}

// matches compares a password with a PHC string, at the cost stored in the string. Version
// 1.0 stored hashes of passwords as they were typed. So a password that differs from its form
// is compared in both.
func (h *passwordHasher) matches(ctx context.Context, share hashShare, password, encoded string) (bool, error) {
	parts := strings.Split(encoded, "$")
	if len(parts) != 6 {
		return false, errors.New("store: a password hash is not in PHC form")
	}
	var cost PasswordCost
	var threads int
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &cost.MemoryKiB, &cost.Passes, &threads); err != nil {
		return false, fmt.Errorf("store: a password hash has unreadable parameters: %w", err)
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	want, keyErr := base64.RawStdEncoding.DecodeString(parts[5])
	if err := errors.Join(saltErr, keyErr); err != nil {
		return false, err
	}
	for _, typed := range slices.Compact([]string{passwordForm(password), password}) {
		key, err := h.compute(ctx, share, typed, salt, cost)
		if err != nil {
			return false, err
		}
		if subtle.ConstantTimeCompare(key, want) == 1 {
			return true, nil
		}
	}
	return false, nil
}

func (h *passwordHasher) compute(
	ctx context.Context, share hashShare, password string, salt []byte, cost PasswordCost,
) ([]byte, error) {
	waiting, cancel := context.WithTimeout(ctx, passwordWait)
	defer cancel()
	if err := h.turns.acquire(waiting, share); err != nil {
		return nil, errTooManyHashes
	}
	defer h.turns.release()
	h.hashes.Add(1)
	h.memory.begin()
	defer h.memory.end()
	return argon2.IDKey([]byte(password), salt, cost.Passes, cost.MemoryKiB, 1, 32), nil
}

// hashingIdle is the time from the end of the last hash until the memory of hashes is
// returned to the operating system.
const hashingIdle = 3 * time.Second

// idleRelease returns memory after work that needs much of it. Each hash takes 19 MiB,
// which become garbage at its end. Go's runtime reuses them for the next hash, and
// otherwise returns them only over minutes. The release collects garbage, which costs
// some milliseconds, so it runs once after a burst of hashes, and not otherwise.
type idleRelease struct {
	release func()

	mu      sync.Mutex
	running int
	timer   *time.Timer // nil before the first end
}

func (r *idleRelease) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running++
	if r.timer != nil {
		r.timer.Stop()
	}
}

func (r *idleRelease) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
	switch {
	case r.running > 0:
	case r.timer == nil:
		r.timer = time.AfterFunc(hashingIdle, r.release)
	default:
		r.timer.Reset(hashingIdle)
	}
}

func (h *passwordHasher) encode(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, h.cost.MemoryKiB, h.cost.Passes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// weakness returns the fault of a weak password, or nil. It requires no mixture of
// letters, digits, and symbols (NIST SP 800-63B, section 5.1.1.2).
func (h *passwordHasher) weakness(pointer, password string, personal ...string) *rules.Fault {
	folded := strings.ToLower(password)
	switch length := utf8.RuneCountInString(password); {
	case length < 12:
		return &rules.Fault{Pointer: pointer, Code: "too_short", Detail: "must be at least 12 characters long"}
	case length > 128:
		return &rules.Fault{Pointer: pointer, Code: "too_long", Detail: "must be at most 128 characters long"}
	case h.common[folded]:
		return &rules.Fault{Pointer: pointer, Code: "too_common", Detail: "is one of the most common passwords"}
	case strings.Count(folded, folded[:1]) == len(folded):
		return &rules.Fault{Pointer: pointer, Code: "too_common", Detail: "is one character repeated"}
	}
	for _, value := range personal {
		if value != "" && folded == strings.ToLower(value) {
			return &rules.Fault{Pointer: pointer, Code: "too_common", Detail: "must not be the email address or a name"}
		}
	}
	return nil
}
