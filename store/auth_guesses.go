package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Passwords are guessed from many networks, so an account has a limit for all of them
// together. So that strangers do not lock its person out, a network from which the person
// has signed in has a limit of its own.

// knownNetworkLifetime is how long a sign-in makes its network known.
const knownNetworkLifetime = 30 * 24 * time.Hour

// countGuess counts a password for the account of an address, whether or not the account
// exists. known says that its person has signed in from the network.
func (s *Store) countGuess(ctx context.Context, origin Origin, email string, known bool) error {
	account := hashAccount(email)
	if known {
		return s.countPassword(ctx, account+"@"+origin.Network())
	}
	return s.countUnknownNetwork(ctx, account)
}

// accountHere is the account of an address, and whether its person has signed in from the network of the request.
type accountHere struct {
	User
	KnownNetwork bool `db:"known_network"`
}

func (a accountHere) share() hashShare {
	if a.KnownNetwork {
		return ofKnown
	}
	return ofStrangers
}

// accountFrom returns the account of an address, or sql.ErrNoRows. A sign-in with a provider makes no network known,
// because the administrator of the provider can cause one.
func (c conn) accountFrom(ctx context.Context, origin Origin, email string) (accountHere, error) {
	var found accountHere
	err := c.Get(ctx, &found, `
		SELECT id, organization_id, person_id, name, email, password_hash, `+roleColumn+`, unproved, EXISTS (
			SELECT 1 FROM logins l WHERE l.user_id IN (SELECT m.id FROM users m WHERE m.person_id = users.person_id)
				AND l.network = ? AND l.created_at > ? AND l.method = 'PASSWORD') AS known_network
		FROM users WHERE email_key = ?`,
		origin.Network(), c.store.Now().Add(-knownNetworkLifetime), emailKey(email))
	return found, err
}

// hashAccount is the form of an address in the name of a bucket.
func hashAccount(email string) string {
	sum := sha256.Sum256([]byte(emailKey(email)))
	return hex.EncodeToString(sum[:16])
}

// countPassword counts a password in the buckets of one client.
func (s *Store) countPassword(ctx context.Context, who string) error {
	if err := s.count(ctx, s.opts.SignInLimits.LoginAccount, who); err != nil {
		return err
	}
	return s.count(ctx, s.opts.SignInLimits.LoginAccountHourly, who)
}

// moveGuesses counts the passwords of a login for the login that continues it. Otherwise a stolen access token would
// permit any number of guesses.
func (c conn) moveGuesses(ctx context.Context, from, to string) error {
	limits := c.store.opts.SignInLimits
	for _, limit := range []RateLimit{limits.LoginAccount, limits.LoginAccountHourly} {
		if _, err := c.Exec(ctx, `UPDATE rate_windows SET bucket = ? WHERE bucket = ?`,
			limit.Name+":"+to, limit.Name+":"+from); err != nil {
			return err
		}
	}
	return nil
}

// countUnknownNetwork counts a password in the bucket of an account that all unknown
// networks share. A refused request writes nothing.
func (s *Store) countUnknownNetwork(ctx context.Context, account string) error {
	limits := newGuessLimits(s.opts.SignInLimits)
	if limits.burst.Requests == 0 && limits.total.Requests == 0 {
		return nil
	}
	bucket := s.unknownNetworks(account)
	for counted := false; !counted; { // again if another request was counted meanwhile
		now := s.Now()
		var stored string
		err := s.read().Get(ctx, &stored, `SELECT attempts FROM rate_windows WHERE bucket = ?`, bucket)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("count against %s: %w", bucket, err)
		}
		var attempts []int64
		if stored != "" {
			if err := json.Unmarshal([]byte(stored), &attempts); err != nil {
				return fmt.Errorf("count against %s: %w", bucket, err)
			}
		}
		attempts, limited := limits.accept(attempts, now)
		if limited != nil {
			return limited
		}
		if counted, err = s.storeAttempts(ctx, bucket, stored, attempts, now.Add(limits.longest())); err != nil {
			return fmt.Errorf("count against %s: %w", bucket, err)
		}
	}
	return nil
}

func (s *Store) unknownNetworks(account string) string {
	return s.opts.SignInLimits.LoginAccount.Name + "-unknown:" + account
}

// forgetGuesses ends the limits of an account whose person has set a new password, because
// the counted guesses were guesses of the old password.
func (c conn) forgetGuesses(ctx context.Context, origin Origin, email string) error {
	account, limits := hashAccount(email), c.store.opts.SignInLimits
	_, err := c.Exec(ctx, `DELETE FROM rate_windows WHERE bucket IN (?, ?, ?)`, c.store.unknownNetworks(account),
		limits.LoginAccount.Name+":"+account+"@"+origin.Network(),
		limits.LoginAccountHourly.Name+":"+account+"@"+origin.Network())
	return err
}

// storeAttempts replaces the attempts of a bucket, unless another request has done so.
func (s *Store) storeAttempts(
	ctx context.Context, bucket, before string, attempts []int64, endsAt time.Time,
) (stored bool, err error) {
	after, err := json.Marshal(attempts)
	if err != nil {
		return false, err
	}
	var rows int64
	if before == "" {
		rows, err = s.autocommit().Exec(ctx, `
			INSERT INTO rate_windows (bucket, requests, attempts, ends_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (bucket) DO NOTHING`, bucket, len(attempts), string(after), endsAt)
	} else {
		rows, err = s.autocommit().Exec(ctx, `
			UPDATE rate_windows SET requests = ?, attempts = ?, ends_at = ? WHERE bucket = ? AND attempts = ?`,
			len(attempts), string(after), endsAt, bucket, before)
	}
	return rows == 1, err
}

// guessLimits are the limits of the unknown networks together: a burst in any window of
// its limit, a total in any window of its limit, and after a burst one request in each
// gap, so that requests become free evenly. Without gaps, an attacker would use up the
// total at once, and keep the person out for the rest of the hour.
//
// With the default limits, a burst and the gaps after it are 20 requests in 45 minutes.
// The next request is free when the burst is an hour old, so in the first hour of an
// attack one wait is 15 minutes.
type guessLimits struct {
	burst, total RateLimit
	gap          time.Duration
}

// maxKeptAttempts bounds the stored times of a bucket. A higher limit acts as this one.
const maxKeptAttempts = 1000

func newGuessLimits(limits SignInLimits) guessLimits {
	l := guessLimits{burst: limits.LoginAccount, total: limits.LoginAccountHourly}
	l.burst.Requests = min(l.burst.Requests, maxKeptAttempts)
	l.total.Requests = min(l.total.Requests, maxKeptAttempts)
	if l.burst.Requests > 0 && l.total.Requests > 0 {
		l.gap = l.total.Window / time.Duration(l.total.Requests)
	}
	return l
}

func (l guessLimits) longest() time.Duration { return max(l.burst.Window, l.total.Window) }

// accept adds a request at the time now to the earlier ones, which are in microseconds
// since 1970, or refuses it.
func (l guessLimits) accept(attempts []int64, now time.Time) ([]int64, error) {
	for len(attempts) > 0 && !now.Before(time.UnixMicro(attempts[0]).Add(l.longest())) {
		attempts = attempts[1:]
	}
	// free returns when the limit would permit another request.
	free := func(limit RateLimit, requests int) time.Time {
		if requests == 0 || len(attempts) < requests {
			return now
		}
		return time.UnixMicro(attempts[len(attempts)-requests]).Add(limit.Window)
	}
	decisive, at := l.burst, free(l.burst, l.burst.Requests)
	total := free(l.total, l.total.Requests)
	if l.gap > 0 && len(attempts) > 0 {
		afterGap, noBurst := time.UnixMicro(attempts[len(attempts)-1]).Add(l.gap), free(l.total, l.burst.Requests)
		if noBurst.Before(afterGap) {
			afterGap = noBurst
		}
		if afterGap.After(total) {
			total = afterGap
		}
	}
	if total.After(at) {
		decisive, at = l.total, total
	}
	if at.After(now) {
		return nil, &Limited{decisive, at.Sub(now)}
	}
	return append(attempts, now.UnixMicro()), nil
}
