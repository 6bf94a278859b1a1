package store

import (
	"context"
	"crypto/sha256"
	"regexp"
	"slices"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// maxDevices bounds the rows of a session: some phones change their network every few minutes.
const maxDevices = 20

// notedDevices is how many devices a process remembers as recorded, at about 120 bytes
// each. One that it has forgotten costs one query.
const notedDevices = 50_000

// device is where a candidate's request comes from, as the timeline shows it. It is
// coarse, because it must not identify a person beyond the session.
type device struct {
	Browser  string `db:"browser"` // '' if it is unknown
	System   string `db:"system"`  // '' if it is unknown
	Network  string `db:"network"` // see Origin.Network
	ClientID string `db:"client_id"`
	At       Time   `db:"created_at"`
}

// deviceOf returns the device of a request. clientID identifies the open page, and can be empty.
func deviceOf(from Origin, clientID string) device {
	return device{
		Browser: firstMatch(browserNames, from.UserAgent), System: firstMatch(systemNames, from.UserAgent),
		Network: from.Network(), ClientID: clientID,
	}
}

// covers reports whether a row already records the device. A request without a client
// id can come from each page on a device.
func (d device) covers(other device) bool {
	return d.isLike(other) && d.Network == other.Network && (other.ClientID == "" || d.ClientID == other.ClientID)
}

func (d device) isLike(other device) bool {
	return d.Browser == other.Browser && d.System == other.System
}

type named struct {
	pattern *regexp.Regexp
	name    string
}

// The browser that a User-Agent header names. The order matters, because most browsers
// also name others. server/web/src/app/profile/user_agent.ts has the same names.
var browserNames = []named{
	{regexp.MustCompile(`\bEdg(A|iOS)?/`), "Edge"},
	{regexp.MustCompile(`\bOPR/`), "Opera"},
	{regexp.MustCompile(`\bSamsungBrowser/`), "Samsung Internet"},
	{regexp.MustCompile(`\bVivaldi/`), "Vivaldi"},
	{regexp.MustCompile(`\b(Firefox|FxiOS)/`), "Firefox"},
	{regexp.MustCompile(`\b(Chrome|CriOS|HeadlessChrome|Chromium)/`), "Chrome"},
	{regexp.MustCompile(`\bVersion/[\d.]+.* Safari/`), "Safari"},
}

var systemNames = []named{
	{regexp.MustCompile(`\b(iPhone|iPod)\b`), "iPhone"},
	{regexp.MustCompile(`\biPad\b`), "iPad"},
	{regexp.MustCompile(`\bAndroid\b`), "Android"},
	{regexp.MustCompile(`\bCrOS\b`), "ChromeOS"},
	{regexp.MustCompile(`\bWindows\b`), "Windows"},
	{regexp.MustCompile(`\bMac OS X\b|\bMacintosh\b`), "macOS"},
	{regexp.MustCompile(`\bLinux\b|\bX11\b`), "Linux"},
}

func firstMatch(table []named, userAgent string) string {
	for _, row := range table {
		if row.pattern.MatchString(userAgent) {
			return row.name
		}
	}
	return ""
}

// deviceCache contains the recorded devices by session. A request from a device in it
// neither reads nor writes the table.
type deviceCache = lru.Cache[[sha256.Size]byte, struct{}]

func deviceKey(scope Scope, clientID string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(
		[]string{scope.SessionID, scope.Origin.Network(), scope.Origin.UserAgent, clientID}, "\x00")))
}

// noteDevice records where the candidate's request comes from, if the session has no
// row of it. It must run in a transaction that has locked the session, so that an
// erasure misses no row. A test session and the demo's invented candidates have no rows.
func (c conn) noteDevice(ctx context.Context, own ownSession, scope Scope, clientID string, now time.Time) error {
	if own.Test {
		return nil
	}
	isNoted, err := c.isNoted(ctx, scope, clientID)
	if isNoted || err != nil {
		return err
	}
	present := deviceOf(scope.Origin, clientID)
	if _, err := c.Exec(ctx, `
		INSERT INTO candidate_session_devices
			(organization_id, session_id, browser, system, network, client_id, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		scope.OrganizationID, scope.SessionID, present.Browser, present.System, present.Network, present.ClientID,
		now); err != nil {
		return err
	}
	c.AfterCommit(func() { c.store.rememberDevice(scope, clientID) })
	return nil
}

// isNoted reports whether nothing needs to be recorded for a request.
func (c conn) isNoted(ctx context.Context, scope Scope, clientID string) (bool, error) {
	if scope.Origin.IP == "" || c.store.devices.Contains(deviceKey(scope, clientID)) {
		return true, nil
	}
	present := deviceOf(scope.Origin, clientID)
	rows, err := c.devices(ctx, scope, scope.SessionID)
	covers := func(row device) bool { return row.covers(present) }
	if err != nil || len(rows) < maxDevices && !slices.ContainsFunc(rows, covers) {
		return false, err
	}
	c.store.rememberDevice(scope, clientID)
	return true, nil
}

func (s *Store) rememberDevice(scope Scope, clientID string) {
	s.devices.Add(deviceKey(scope, clientID), struct{}{})
	s.devices.Add(deviceKey(scope, ""), struct{}{})
}

// noteReader is noteDevice for a request that changes nothing else. The candidate
// gets the response also if it fails.
func (s *Store) noteReader(ctx context.Context, scope Scope) {
	isNoted, err := s.read().isNoted(ctx, scope, "")
	if !isNoted && err == nil {
		err = s.write(ctx, func(c conn) error {
			own, err := c.ownSession(ctx, scope, ownSessionQuery+s.db.ForUpdate)
			if err != nil {
				return err
			}
			return c.noteDevice(ctx, own, scope, "", s.Now())
		})
	}
	if err != nil {
		s.opts.Log.WarnContext(ctx, "the device of a candidate was not recorded", "session", scope.SessionID, "error", err)
	}
}

// devices are the rows of a session, oldest first.
func (c conn) devices(ctx context.Context, scope Scope, sessionID string) ([]device, error) {
	var rows []device
	err := c.List(ctx, &rows, `
		SELECT browser, system, network, client_id, created_at FROM candidate_session_devices
		WHERE organization_id = ? AND session_id = ? ORDER BY created_at, client_id`, scope.OrganizationID, sessionID)
	return rows, err
}

// addDevices adds to a timeline where the session was started, and each change.
func addDevices(entries []TimelineEntry, devices []device) []TimelineEntry {
	for i, row := range shownDevices(devices) {
		browser, system, ip := orNil(row.Browser), orNil(row.System), orNil(row.Network)
		if i > 0 {
			entries = append(entries, TimelineEntry{
				At: row.At.Time, Type: TimelineDeviceChanged, Actor: ActorCandidate,
				Browser: browser, System: system, IP: ip,
			})
			continue
		}
		// If the service did not record devices yet at the start, the first row says nothing.
		for j := range entries {
			if entry := &entries[j]; entry.Type == TimelineStarted && entry.At.Equal(row.At.Time) {
				entry.Browser, entry.System, entry.IP = browser, system, ip
			}
		}
	}
	return entries
}

// shownDevices joins a row without a client id with one that has one, on the same kind
// of device and the same network: both are probably the same page.
func shownDevices(devices []device) []device {
	var shown []device
	for _, row := range devices {
		same := slices.IndexFunc(shown, func(other device) bool {
			isNamed := other.ClientID != "" && row.ClientID != ""
			return !isNamed && other.isLike(row) && other.Network == row.Network
		})
		switch {
		case same < 0:
			shown = append(shown, row)
		case shown[same].ClientID == "":
			shown[same].ClientID = row.ClientID
		}
	}
	return shown
}

func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (c conn) eraseDevices(ctx context.Context, scope Scope, id string, _ time.Time) error {
	_, err := c.Exec(ctx, `DELETE FROM candidate_session_devices WHERE organization_id = ? AND session_id = ?`,
		scope.OrganizationID, id)
	return err
}
