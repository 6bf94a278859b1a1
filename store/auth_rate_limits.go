package store

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/netip"
	"time"
)

// RateLimit permits a number of requests in each window of time. A window begins
// with its first request.
type RateLimit struct {
	Name     string // as in the RateLimit header
	Requests int    // 0 sets no limit
	Window   time.Duration
}

// SignInLimits are counted in the database, so that they hold for all replicas together.
type SignInLimits struct {
	LoginIP            RateLimit // sign-ins from one network
	LoginAccount       RateLimit // passwords for one account, whether or not it exists; see countGuess
	LoginAccountHourly RateLimit
	RegisterIP         RateLimit // registrations from one network
	Invitation         RateLimit // refused acceptances of invitations, by token and by network
	ForgotIP           RateLimit // requests for a link to reset a password, from one network
	ForgotAccount      RateLimit // the same for one address, whether or not it has an account
	ResetIP            RateLimit // wrong tokens of such links, from one network

	// People who register themselves as candidates. Each of these emails a link to the address.
	CandidateIP         RateLimit // from one network
	CandidateIPDaily    RateLimit
	CandidateAddress    RateLimit // for one address
	CandidateAssessment RateLimit // for one assessment

	// Emails that are sent, see emailLimits.
	EmailRecipient RateLimit // of one organization to one address, to candidates and invited members
	EmailAddress   RateLimit // of all organizations to one address, where strangers can cause them
	EmailMember    RateLimit // of one organization to one member; those about the account have a share of their own
	EmailReset     RateLimit // with a link to reset a password, to one address
}

// Limited is the refusal of a request over a limit.
type Limited struct {
	Limit      RateLimit
	RetryAfter time.Duration // until the window ends
}

func (l *Limited) Error() string { return "rate_limited: " + l.Limit.Name }

// count counts a request, and refuses it with *Limited when the window's limit is
// exceeded. Refused requests do not extend the window, so that nobody is locked out
// forever. The count commits on its own: a request that fails later stays counted.
func (s *Store) count(ctx context.Context, limit RateLimit, who string) error {
	return s.autocommit().count(ctx, limit, who)
}

// count is Store.count in c's transaction: a refused request that writes nothing is not counted.
func (c conn) count(ctx context.Context, limit RateLimit, who string) error {
	if limit.Requests == 0 {
		return nil
	}
	var window struct {
		Requests int  `db:"requests"`
		EndsAt   Time `db:"ends_at"`
	}
	now := c.store.Now()
	err := c.Get(ctx, &window, `
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

// countAcceptance counts an acceptance of an invitation, until uncountAcceptance: only
// refused ones remain counted. Otherwise invitations would reveal without limit which
// addresses have accounts elsewhere.
func (s *Store) countAcceptance(ctx context.Context, origin Origin, tokenHash []byte) error {
	if err := s.count(ctx, s.opts.SignInLimits.Invitation, hex.EncodeToString(tokenHash)); err != nil {
		return err
	}
	return s.count(ctx, s.opts.SignInLimits.Invitation, origin.Network())
}

// uncountAcceptance uncounts an acceptance that succeeded. Its token is never used again.
func (c conn) uncountAcceptance(ctx context.Context, origin Origin) error {
	limit := c.store.opts.SignInLimits.Invitation
	if limit.Requests == 0 {
		return nil
	}
	_, err := c.Exec(ctx, `UPDATE rate_windows SET requests = requests - 1 WHERE bucket = ? AND requests > 0`,
		limit.Name+":"+origin.Network())
	return err
}

// Origin is the source of a request.
type Origin struct {
	IP        string
	RequestID string
	UserAgent string // what the client says it is, valid UTF-8 of at most MaxUserAgent characters
}

// MaxUserAgent bounds the stored part of a User-Agent header.
const MaxUserAgent = 255

// ipv6Network is the prefix length of one subscriber, who chooses the rest of the address.
const ipv6Network = 64

// Network is the address by which requests are counted: the IPv4 address, or the
// /64 of an IPv6 address.
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
