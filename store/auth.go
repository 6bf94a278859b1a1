package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// User is a person of an organization.
type User struct {
	ID             string `db:"id"`
	OrganizationID string `db:"organization_id"`
	Name           string `db:"name"`
	Email          string `db:"email"`
	PersonID       string `db:"person_id" json:"-"` // the account, which can have memberships in other organizations
	PasswordHash   string `db:"password_hash" json:"-"`
	Role           Role   `db:"role"`
	// For Unproved, see requireProved. Only Register, me, and ResetPassword set it.
	Unproved  bool `db:"unproved"`
	HasFactor bool `db:"has_second_factor" json:"-"` // only me sets it
}

// Login is one sign-in. The server makes the tokens from it. The refresh token of
// one generation has the same bytes each time it is made.
type Login struct {
	ID             string `db:"id"` // lgn_…; only inside tokens
	OrganizationID string `db:"organization_id"`
	UserID         string `db:"user_id"`
	Generation     int64  `db:"generation"`
	RotatedAt      Time   `db:"rotated_at"` // when the current generation began
	ExpiresAt      Time   `db:"expires_at"` // the latest end of the login
	EndedAt        *Time  `db:"ended_at"`
}

const (
	loginLifetime = 30 * 24 * time.Hour

	defaultInviteExpiryDays = 14
)

// Registration is the input of Register.
type Registration struct {
	OrganizationName string
	Name             string
	Email            string
	Password         string
	SetupToken       string // "" for none
	Local            bool   // the request comes from the machine of the service
}

// SignedIn is the result of a registration or a sign-in.
type SignedIn struct {
	User         User
	Organization Organization
	Login        Login
}

// Register creates an organization with its OWNER and signs them in. Refusals:
// registration_closed, setup_token_required, invalid_request for a weak password,
// email_taken, unavailable, *Limited.
func (s *Store) Register(ctx context.Context, scope Scope, in Registration) (SignedIn, error) {
	if err := s.count(ctx, s.opts.SignInLimits.RegisterIP, scope.Origin.Network()); err != nil {
		return SignedIn{}, err
	}
	var out SignedIn
	if refused := s.mayRegister(ctx, in); refused != nil {
		if scope.Once == nil {
			return out, refused
		}
		// An earlier request with the same Idempotency-Key can have been the first registration.
		err := once(ctx, s, scope, &out, func(conn) error { return refused })
		return out, err
	}
	if weak := s.passwords.weakness("/password", in.Password, in.Email, in.Name, in.OrganizationName); weak != nil {
		return SignedIn{}, errInvalid.with(*weak)
	}
	hash, err := s.passwords.hash(ctx, ofStrangers, in.Password)
	if err != nil {
		return SignedIn{}, err
	}
	err = once(ctx, s, scope, &out, func(c conn) error {
		if err := c.stillFirst(ctx); err != nil {
			return err
		}
		proved, err := c.isProved(ctx, in)
		if err != nil {
			return err
		}
		now := s.Now()
		out = SignedIn{Organization: Organization{
			ID: s.NewID("org"), Name: in.OrganizationName, InviteExpiryDays: defaultInviteExpiryDays,
			NotifyReopened: true, ResultLinkDays: defaultResultLinkDays,
			CreatedAt: Time{now}, UpdatedAt: Time{now}, Usage: Usage{Members: 1},
		}}
		out.User = User{
			ID: s.NewID("usr"), OrganizationID: out.Organization.ID,
			Name: in.Name, Email: in.Email, PasswordHash: hash, Role: Owner, Unproved: !proved,
		}
		out.User.PersonID = personOf(out.User.ID)
		if _, err := c.Exec(ctx, `
			INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at) VALUES (?, ?, ?, ?, ?)`,
			out.Organization.ID, in.OrganizationName, defaultInviteExpiryDays, now, now); err != nil {
			return err
		}
		if err := c.insertUser(ctx, out.User, now); err != nil {
			return err
		}
		if out.Login, err = c.insertLogin(ctx, scope.Origin, out.User, now); err != nil {
			return err
		}
		if !proved {
			if err := c.queueFirstConfirmation(ctx, out.User); err != nil {
				return err
			}
		}
		return c.audit(ctx, scope.as(out.User), AuditOrganizationRegistered, out.Organization.ID)
	})
	return out, err
}

// insertLogin adds a sign-in with a password. Every sign-in with a password ends here, so that none enters an
// organization that requires its provider. Refusal: sso_required.
func (c conn) insertLogin(ctx context.Context, from Origin, user User, now time.Time) (Login, error) {
	required, err := c.ssoRequired(ctx, user.OrganizationID)
	if err != nil {
		return Login{}, err
	}
	if required {
		return Login{}, errSSORequired
	}
	return c.addLogin(ctx, from, user, ByPassword, now)
}

// addLogin adds a sign-in. Refusal: member_deactivated.
func (c conn) addLogin(
	ctx context.Context, from Origin, user User, method SignInMethod, now time.Time,
) (Login, error) {
	if err := c.requireActive(ctx, user); err != nil {
		return Login{}, err
	}
	login := Login{
		ID: c.store.NewID("lgn"), OrganizationID: user.OrganizationID, UserID: user.ID, Generation: 1,
		RotatedAt: Time{now}, ExpiresAt: Time{now.Add(loginLifetime)},
	}
	_, err := c.Exec(ctx, `
		INSERT INTO logins (id, organization_id, user_id, generation, rotated_at, expires_at, created_at, ip, network,
			user_agent, method)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		login.ID, login.OrganizationID, login.UserID, login.Generation, now, login.ExpiresAt.Time, now,
		from.IP, from.Network(), from.UserAgent, method)
	if err != nil {
		return Login{}, err
	}
	return login, c.enter(ctx, user, now)
}

// Credentials are the input of Login.
type Credentials struct {
	Email          string
	Password       string
	OrganizationID string // "" for the organization of the last sign-in
	Code           string // of the second factor; "" for none
}

// Login signs in. It computes exactly one password hash whether or not the account
// exists, and every failure runs the same statements, so that its duration does not
// reveal which accounts exist. Refusals: invalid_credentials, second_factor_required, invalid_code, sso_required,
// unavailable, *Limited.
func (s *Store) Login(ctx context.Context, scope Scope, in Credentials) (SignedIn, error) {
	// The network first, so that one over its limit does not use up the limit of an account.
	if err := s.count(ctx, s.opts.SignInLimits.LoginIP, scope.Origin.Network()); err != nil {
		return SignedIn{}, err
	}
	found, err := s.read().accountFrom(ctx, scope.Origin, in.Email)
	user, known := found.User, err == nil
	if errors.Is(err, sql.ErrNoRows) {
		user.PasswordHash = s.passwords.decoy
	} else if err != nil {
		return SignedIn{}, err
	}
	if err := s.countGuess(ctx, scope.Origin, in.Email, found.KnownNetwork); err != nil {
		return SignedIn{}, err
	}
	matches, err := s.passwords.matches(ctx, found.share(), in.Password, user.PasswordHash)
	if err != nil {
		return SignedIn{}, err
	}
	scope.OrganizationID = user.OrganizationID
	var out SignedIn
	err = s.write(ctx, func(c conn) error {
		if !known || !matches {
			return c.failSignIn(ctx, scope, user)
		}
		// The password can have changed since it was compared.
		var current string
		if err := c.Get(ctx, &current, `SELECT password_hash FROM users WHERE organization_id = ? AND id = ?`+
			s.db.ForNoKeyUpdate, user.OrganizationID, user.ID); err != nil {
			return err
		}
		if current != user.PasswordHash {
			return c.failSignIn(ctx, scope, user)
		}
		member, err := c.entrance(ctx, user, in.OrganizationID, ByPassword)
		if errors.Is(err, errSSORequired) {
			return c.signInToRecover(ctx, scope, user, in, &out)
		}
		if errors.Is(err, errInvalidCredentials) { // not a member of the organization
			return c.failSignIn(ctx, scope, user)
		}
		if err != nil {
			return err
		}
		proved, err := c.requireSecondFactor(ctx, scope.as(member), member, in.Code)
		if err != nil {
			return err
		}
		out.User = member
		if out.Login, err = c.insertLogin(ctx, scope.Origin, member, s.Now()); err != nil {
			return err
		}
		if err := c.confirmLogin(ctx, out.Login, proved); err != nil {
			return err
		}
		return c.audit(ctx, scope.as(member), AuditSignedIn, member.ID)
	})
	return out, err
}

// failSignIn audits a failed attempt, also for an account that does not exist, so
// that both take the same time.
func (c conn) failSignIn(ctx context.Context, scope Scope, user User) error {
	if _, err := c.auditPerson(ctx, scope, AuditSignInFailed, user); err != nil {
		return err
	}
	return commitThenRefuse(errInvalidCredentials)
}

// as returns the scope of a request that has just authenticated the user.
func (s Scope) as(user User) Scope {
	s.OrganizationID, s.UserID, s.PersonID = user.OrganizationID, user.ID, user.PersonID
	return s
}

// Logout ends the login and its access tokens. A second call changes nothing.
func (s *Store) Logout(ctx context.Context, scope Scope) error {
	defer s.credentials.forget(scope.LoginID)
	return s.write(ctx, func(c conn) error {
		ended, err := c.Exec(ctx, `UPDATE logins SET ended_at = ? WHERE organization_id = ? AND id = ? AND ended_at IS NULL`,
			s.Now(), scope.OrganizationID, scope.LoginID)
		if err != nil || ended == 0 {
			return err
		}
		return c.audit(ctx, scope, AuditSignedOut, scope.UserID)
	})
}

// UnscopedLogin returns the scope of the login's person. Refusal: unauthenticated for a
// login that has ended, which is audited.
func (s *Store) UnscopedLogin(ctx context.Context, from Origin, loginID string) (Scope, error) {
	return s.scope(ctx, loginID, credentialLifetime, func(ctx context.Context) (Scope, error) {
		var row struct {
			OrganizationID string       `db:"organization_id"`
			UserID         string       `db:"user_id"`
			PersonID       string       `db:"person_id"`
			Method         SignInMethod `db:"method"`
			Role           Role         `db:"role"`
			Alive          bool         `db:"alive"`
			LimitedTo      LimitedTo    `db:"limited_to"`
			HasFactor      bool         `db:"has_factor"`
			FactorRequired bool         `db:"factor_required"`
			ConfirmedAt    *Time        `db:"confirmed_at"`
		}
		err := s.read().Get(ctx, &row, `
			SELECT u.organization_id, u.id AS user_id, u.person_id, l.method, `+roleColumn+`, `+limitColumn+`,
				l.confirmed_at, EXISTS (SELECT 1 FROM second_factors f
					WHERE f.person_id = u.person_id AND f.confirmed_at IS NOT NULL) AS has_factor,
				(SELECT o.second_factor_required FROM organizations o WHERE o.id = u.organization_id) AS factor_required,
				l.ended_at IS NULL AND l.expires_at > ? AND u.removed_at IS NULL AND u.deactivated_at IS NULL
					AS alive
			FROM logins l JOIN users u ON u.id = l.user_id WHERE l.id = ?`, s.Now(), loginID)
		if errors.Is(err, sql.ErrNoRows) {
			return Scope{}, errUnauthenticated
		}
		if err == nil && !row.Alive {
			s.auditEndedToken(from, row.OrganizationID, row.UserID)
			return Scope{}, errUnauthenticated
		}
		return Scope{
			OrganizationID: row.OrganizationID, UserID: row.UserID, LoginID: loginID, Role: row.Role, LimitedTo: row.LimitedTo,
			PersonID: row.PersonID, Method: row.Method,
			hasFactor: row.HasFactor, factorRequired: row.FactorRequired, confirmedAt: row.ConfirmedAt,
		}, err
	})
}

// endLogins ends every login of the person except the scope's, and returns their number.
func (c conn) endLogins(ctx context.Context, scope Scope, userID string, now time.Time) (int64, error) {
	return c.Exec(ctx, `
		UPDATE logins SET ended_at = ? WHERE organization_id = ? AND user_id = ? AND id <> ? AND ended_at IS NULL`,
		now, scope.OrganizationID, userID, scope.LoginID)
}
