package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"time"
)

// RateLimit allows so many requests in each window of time. A window begins
// with the first request in it.
type RateLimit struct {
	Name     string // as the RateLimit fields name it
	Requests int    // 0 limits nothing
	Window   time.Duration
}

// SignInLimits are the limits that hold across replicas, because they are
// counted in the database.
type SignInLimits struct {
	LoginIP            RateLimit // sign-ins from one network
	LoginAccount       RateLimit // passwords tried on one account, whether or not it exists
	LoginAccountHourly RateLimit
	RegisterIP         RateLimit // registrations from one network
}

// Limited is the refusal of a request over a limit.
type Limited struct {
	Limit      RateLimit
	RetryAfter time.Duration // until the window ends
}

func (l *Limited) Error() string { return "rate_limited: " + l.Limit.Name }

// count counts a request against a limit and refuses it when it is over: with a
// *Limited, and only until the window ends, so that nobody is locked out for good.
func (s *Store) count(ctx context.Context, limit RateLimit, who string) error {
	if limit.Requests == 0 {
		return nil
	}
	var window struct {
		Requests int  `db:"requests"`
		EndsAt   Time `db:"ends_at"`
	}
	now := s.Now()
	err := s.autocommit().Get(ctx, &window, `
		INSERT INTO rate_windows (bucket, requests, ends_at) VALUES (?, 1, ?)
		ON CONFLICT (bucket) DO UPDATE SET
			requests = CASE WHEN rate_windows.ends_at <= ? THEN 1 ELSE rate_windows.requests + 1 END,
			ends_at = CASE WHEN rate_windows.ends_at <= ? THEN excluded.ends_at ELSE rate_windows.ends_at END
		RETURNING requests, ends_at`, limit.Name+":"+who, now.Add(limit.Window), now, now)
	if err != nil {
		return fmt.Errorf("count against %s: %w", limit.Name, err)
	}
	if window.Requests > limit.Requests {
		return &Limited{limit, window.EndsAt.Sub(now)}
	}
	return nil
}

// countLogin counts the network first, so that one that is over its limit uses
// up no account's.
func (s *Store) countLogin(ctx context.Context, origin Origin, email string) error {
	if err := s.count(ctx, s.opts.SignInLimits.LoginIP, origin.Network()); err != nil {
		return err
	}
	return s.countGuess(ctx, email)
}

// countGuess counts a password that is tried on an account, in whichever way.
func (s *Store) countGuess(ctx context.Context, email string) error {
	sum := sha256.Sum256([]byte(emailKey(email)))
	account := hex.EncodeToString(sum[:16])
	if err := s.count(ctx, s.opts.SignInLimits.LoginAccount, account); err != nil {
		return err
	}
	return s.count(ctx, s.opts.SignInLimits.LoginAccountHourly, account)
}

// Origin says where a request came from.
type Origin struct {
	IP        string
	RequestID string
}

// ipv6Network is what one subscriber has: the host part is theirs to choose.
const ipv6Network = 64

// Network is what requests are counted by: the address, or for IPv6 its /64.
func (o Origin) Network() string {
	addr, err := netip.ParseAddr(o.IP)
	if err != nil {
		return o.IP
	}
	addr = addr.Unmap().WithZone("")
	if addr.Is4() {
		return addr.String()
	}
	network, err := addr.Prefix(ipv6Network)
	if err != nil {
		return o.IP
	}
	return network.String()
}
