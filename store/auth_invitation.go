package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"assay/store/keys"
)

// invitation is what a token stands for.
type invitation struct {
	User
	ExpiresAt  *Time `db:"expires_at"` // nil for a token that was used or replaced
	Generation int   `db:"generation"`
}

// acceptance is an invitation that a person accepts.
type acceptance struct {
	invitation
	isProved   bool   // the token is from the email
	hash       []byte // of the token
	account    *User  // of the address, whose password is right; nil for a new account
	isWrongFor *User  // the unproved account of the address, whose password is wrong: see displace
}

// errAccountChanged means that the account of an address has changed since the password was compared.
var errAccountChanged = errors.New("the account of the address has changed")

// AcceptInvitation makes the account of the invited person, with their password, or adds a membership to the account
// that the address has, whose password it must then be. It signs the person in to the organization. The token works
// once. A token from the email also has a proof after a dot: it proves the address. With it and another password, an
// unproved account loses the address, see displace. As Login, it computes exactly one password hash. The membership
// stays if only the sign-in is refused. Refusals: unauthenticated, invitation_expired, invalid_credentials,
// second_factor_required, sso_required, invalid_request for a weak password of a new account, *Limited.
func (s *Store) AcceptInvitation(ctx context.Context, scope Scope, token, password string) (SignedIn, error) {
	token, proof, _ := strings.Cut(token, ".")
	if len(token) != invitationLength || !strings.HasPrefix(token, keys.InvitationPrefix) {
		return SignedIn{}, errUnauthenticated
	}
	hash := hashInvitation(token)
	found, err := s.read().invitation(ctx, hash)
	if err != nil {
		return SignedIn{}, err
	}
	if refusal := found.refusal(s); refusal != nil {
		return SignedIn{}, s.auditDeadInvitation(ctx, scope, hash, found, refusal)
	}
	// Before everything whose response depends on whether the address has an account.
	if err := s.countAcceptance(ctx, scope.Origin, hash); err != nil {
		return SignedIn{}, err
	}
	proof, _ = s.opts.Keys.ParseLinkToken(keys.PurposeInviteProof, proof)
	in := acceptance{invitation: found, hash: hash, isProved: proof == inviteProofID(found.ID, found.Generation)}
	scope.OrganizationID = found.OrganizationID
	out, err := SignedIn{}, errAccountChanged
	for attempt := 0; attempt < maxAcceptances && errors.Is(err, errAccountChanged); attempt++ {
		if out, err = s.acceptInvitation(ctx, scope, in, password); err != nil {
			out = SignedIn{}
		}
	}
	switch {
	case errors.Is(err, errAccountChanged):
		return SignedIn{}, errTooManyHashes
	case errors.Is(err, errUnauthenticated) || errors.Is(err, errInvitationExpired): // ended meanwhile
		return SignedIn{}, s.auditDeadInvitation(ctx, scope, hash, found, err)
	}
	return out, err
}

// maxAcceptances is how often an acceptance compares the password, if the account changes at the same time.
const maxAcceptances = 3

// acceptInvitation checks the password, and accepts the invitation. Error: errAccountChanged.
func (s *Store) acceptInvitation(
	ctx context.Context, scope Scope, in acceptance, password string,
) (out SignedIn, err error) {
	if err := s.checkAcceptance(ctx, scope, &in, password); err != nil {
		return SignedIn{}, err
	}
	defer s.credentials.forget() // also of a displaced account
	err = s.write(ctx, func(c conn) error {
		// When two requests use the token at once, the second one does not find it.
		var accepted invitation
		if err := c.Get(ctx, &accepted, `
			SELECT id, organization_id, name, email, `+roleColumn+`, expires_at, generation FROM invitations
			WHERE organization_id = ? AND token_hash = ?`+s.db.ForUpdate, scope.OrganizationID, in.hash); err != nil {
			return orRefuse(err, errUnauthenticated)
		}
		if refusal := accepted.refusal(s); refusal != nil {
			return refusal
		}
		person, err := c.join(ctx, scope, in, accepted.User)
		if err != nil {
			return err
		}
		now := s.Now()
		if err := c.deleteInvitation(ctx, scope, accepted.ID, now); err != nil {
			return err
		}
		if err := c.uncountAcceptance(ctx, scope.Origin); err != nil {
			return err
		}
		if err := c.audit(ctx, scope.as(person), AuditMemberJoined, accepted.ID); err != nil {
			return err
		}
		out = SignedIn{}
		out.User, out.Login, err = c.signInAfter(ctx, scope, person, scope.OrganizationID)
		return err
	})
	return out, err
}

// checkAcceptance compares the password with that of the account of the address, or computes its hash for a new one.
// Refusals: invalid_credentials, invalid_request for a weak password of a new account, *Limited.
func (s *Store) checkAcceptance(ctx context.Context, scope Scope, in *acceptance, password string) error {
	account, err := s.read().accountFrom(ctx, scope.Origin, in.Email)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err == nil {
		if err := s.count(ctx, s.opts.SignInLimits.LoginIP, scope.Origin.Network()); err != nil {
			return err
		}
		if err := s.countGuess(ctx, scope.Origin, in.Email, account.KnownNetwork); err != nil {
			return err
		}
		matches, err := s.passwords.matches(ctx, account.share(), password, account.PasswordHash)
		switch {
		case err != nil:
			return err
		case matches:
			in.account = &account.User
			return nil
		case !in.isProved || !account.Unproved:
			return s.write(ctx, func(c conn) error { return c.failAcceptance(ctx, scope, in.ID, account.User) })
		}
		in.isWrongFor = &account.User
	}
	if weak := s.passwords.weakness("/password", password, in.Email, in.Name); weak != nil {
		return errInvalid.with(*weak)
	}
	in.PasswordHash, err = s.passwords.hash(ctx, ofKnown, password)
	return err
}

// failAcceptance audits a wrong password in the organization of the invitation, and in one of the account.
func (c conn) failAcceptance(ctx context.Context, scope Scope, invitationID string, account User) error {
	if err := c.audit(ctx, scope, AuditMemberInvitationRefused, invitationID); err != nil {
		return err
	}
	return c.failSignIn(ctx, Scope{OrganizationID: account.OrganizationID, Origin: scope.Origin}, account)
}

// join adds the membership of a locked invitation, to a new account or to the one of the address. A person who is a
// member already stays one. Refusal: invalid_credentials. Error: errAccountChanged.
func (c conn) join(ctx context.Context, scope Scope, in acceptance, invited User) (User, error) {
	now := c.store.Now()
	if in.account == nil {
		return c.joinAnew(ctx, scope, in, invited, now)
	}
	var account User
	err := c.Get(ctx, &account, memberOf+` WHERE email_key = ?`+c.store.db.ForNoKeyUpdate, emailKey(in.Email))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return User{}, err
	}
	if account.PersonID != in.account.PersonID || account.PasswordHash != in.account.PasswordHash {
		return User{}, errAccountChanged
	}
	if _, err := c.Exec(ctx, `
		INSERT INTO users (id, organization_id, person_id, name, email, email_key, password_hash, role, is_editor, limited_to,
			unproved, proof_expires_at, created_at, updated_at)
		SELECT i.id, i.organization_id, a.person_id, a.name, a.email, i.id, a.password_hash, i.role, i.is_editor,
			i.limited_to, a.unproved, a.proof_expires_at, i.created_at, ?
		FROM invitations i JOIN users a ON a.id = ? WHERE i.organization_id = ? AND i.id = ?
		ON CONFLICT DO NOTHING`, now, account.ID, scope.OrganizationID, invited.ID); err != nil {
		return User{}, err
	}
	account.ID, account.OrganizationID = invited.ID, scope.OrganizationID
	if in.isProved && account.Unproved {
		return account, c.prove(ctx, scope.as(account), account)
	}
	return account, nil
}

func (c conn) joinAnew(ctx context.Context, scope Scope, in acceptance, invited User, now time.Time) (User, error) {
	if in.isProved {
		if err := c.displace(ctx, scope, invited.Email, now); err != nil {
			return User{}, err
		}
	}
	invited.PersonID = personOf(invited.ID)
	inserted, err := c.Exec(ctx, `
		INSERT INTO users (id, organization_id, person_id, name, email, email_key, password_hash, role, is_editor, limited_to,
			unproved, created_at, updated_at)
		SELECT id, organization_id, ?, name, email, email_key, ?, role, is_editor, limited_to, ?, created_at, ?
		FROM invitations WHERE organization_id = ? AND id = ?
		ON CONFLICT (email_key) DO NOTHING`,
		invited.PersonID, in.PasswordHash, !in.isProved, now, scope.OrganizationID, invited.ID)
	if err != nil || inserted > 0 {
		return invited, err
	}
	account, err := c.accountOf(ctx, invited.Email)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return User{}, err
	case in.isWrongFor != nil && account.PersonID == in.isWrongFor.PersonID: // the account keeps its address
		return User{}, c.failAcceptance(ctx, scope, invited.ID, account)
	}
	return User{}, errAccountChanged
}

// invitation runs the same statement for every token. Refusal: unauthenticated for a
// token that never existed.
func (c conn) invitation(ctx context.Context, hash []byte) (invitation, error) {
	var found invitation
	err := c.Get(ctx, &found, `
		SELECT id, organization_id, name, email, `+roleColumn+`, expires_at, generation FROM invitations WHERE token_hash = ?
		UNION ALL SELECT user_id, organization_id, '', '', '', NULL, 0 FROM ended_invitations WHERE token_hash = ?`,
		hash, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return invitation{}, errUnauthenticated
	}
	return found, err
}

// refusal returns why the token cannot be used, or nil.
func (i invitation) refusal(s *Store) error {
	switch {
	case i.ExpiresAt == nil:
		return errUnauthenticated
	case !s.Now().Before(i.ExpiresAt.Time):
		return errInvitationExpired
	}
	return nil
}

// auditDeadInvitation audits the use of a token that was used or replaced or has expired,
// and returns the refusal. A limit bounds the entries and not the responses: an unknown
// token always gets the same one.
func (s *Store) auditDeadInvitation(
	ctx context.Context, scope Scope, hash []byte, found invitation, refusal error,
) error {
	var limited *Limited
	switch err := s.count(ctx, s.opts.SignInLimits.Invitation, hex.EncodeToString(hash)); {
	case errors.As(err, &limited):
		return refusal
	case err != nil:
		return err
	}
	scope.OrganizationID = found.OrganizationID
	if err := s.write(ctx, func(c conn) error {
		return c.audit(ctx, scope, AuditMemberInvitationRefused, found.ID)
	}); err != nil {
		return err
	}
	return refusal
}
