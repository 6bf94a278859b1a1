package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/internal/db"
)

// FactorType is a kind of second factor.
type FactorType string

// The types.
const (
	TOTP    FactorType = "TOTP"
	Passkey FactorType = "PASSKEY"
)

const (
	maxFactors = 10
	// pendingLifetime is how long a second factor can be confirmed.
	pendingLifetime = 15 * time.Minute
)

// SecondFactor is a confirmed second factor, as its person sees it.
type SecondFactor struct {
	ID         string     `db:"id"`
	Type       FactorType `db:"type"`
	Name       string     `db:"name"`
	CreatedAt  Time       `db:"created_at"`
	LastUsedAt *Time      `db:"last_used_at"`
}

// secondFactor is a row of second_factors.
type secondFactor struct {
	SecondFactor
	PersonID   string  `db:"person_id"`
	Secret     []byte  `db:"secret"`     // of TOTP: encrypted
	Credential *string `db:"credential"` // of PASSKEY
	Ceremony   *string `db:"ceremony"`
	Attempts   int     `db:"attempts"`
}

const selectFactors = `SELECT id, type, name, created_at, last_used_at, person_id, secret, credential, ceremony,
	attempts FROM second_factors`

// lockFactors returns the confirmed factors of a person. Two proofs at once are one after the other.
func (c conn) lockFactors(ctx context.Context, personID string) ([]secondFactor, error) {
	var factors []secondFactor
	err := c.List(ctx, &factors, selectFactors+` WHERE person_id = ? AND confirmed_at IS NOT NULL ORDER BY id DESC`+
		c.store.db.ForUpdate, personID)
	return factors, err
}

// lockOwnAccount locks all memberships of the scope's person, and returns the one of the scope. A sign-in that runs now
// waits, and then sees what this transaction has changed.
func (c conn) lockOwnAccount(ctx context.Context, scope Scope) (User, error) {
	if scope.Method == ByProvider {
		return User{}, errPasswordSignInRequired
	}
	if err := c.lockPerson(ctx, scope.PersonID); err != nil {
		return User{}, err
	}
	var memberships []User
	if err := c.List(ctx, &memberships, `
		SELECT id, organization_id, person_id, name, email, password_hash FROM users
		WHERE person_id = ? AND removed_at IS NULL ORDER BY id`+c.store.db.ForNoKeyUpdate, scope.PersonID); err != nil {
		return User{}, err
	}
	for _, membership := range memberships {
		if membership.ID == scope.UserID {
			return membership, c.requireLogin(ctx, scope)
		}
	}
	return User{}, errUnauthenticated
}

// requireLogin refuses a request whose sign-in has ended since it was authenticated.
func (c conn) requireLogin(ctx context.Context, scope Scope) error {
	var alive bool
	err := c.Get(ctx, &alive, `SELECT ended_at IS NULL FROM logins WHERE organization_id = ? AND id = ?`+
		c.store.db.ForNoKeyUpdate, scope.OrganizationID, scope.LoginID)
	if err == nil && !alive {
		return errUnauthenticated
	}
	return orRefuse(err, errUnauthenticated)
}

// SecondFactors are the second factors of a person.
type SecondFactors struct {
	Factors           []SecondFactor // newest first
	RecoveryCodesLeft int
}

// RetrieveSecondFactors returns the person's confirmed factors. A sign-in with a provider sees none, because the
// provider answers for it.
func (s *Store) RetrieveSecondFactors(ctx context.Context, scope Scope) (SecondFactors, error) {
	var out SecondFactors
	if scope.Method == ByProvider {
		return out, nil
	}
	c := s.read()
	if err := c.List(ctx, &out.Factors, `
		SELECT id, type, name, created_at, last_used_at FROM second_factors
		WHERE person_id = ? AND confirmed_at IS NOT NULL ORDER BY id DESC`, scope.PersonID); err != nil {
		return SecondFactors{}, err
	}
	err := c.Get(ctx, &out.RecoveryCodesLeft, `
		SELECT COUNT(*) FROM recovery_codes WHERE person_id = ? AND used_at IS NULL`, scope.PersonID)
	return out, err
}

// FactorInput is the input of CreateSecondFactor.
type FactorInput struct {
	Type     FactorType
	Name     string
	Password string
}

// NewFactor is a second factor that is not confirmed yet.
type NewFactor struct {
	ID        string
	Type      FactorType
	Secret    string // of TOTP, in Base32
	URI       string // of TOTP
	PublicKey string // of PASSKEY: JSON for the browser
	ExpiresAt time.Time
}

// CreateSecondFactor begins to add a second factor. An earlier one that is not confirmed ends. Refusals:
// password_sign_in_required, invalid_credentials for a wrong password, too_many_second_factors, invalid_request,
// *Limited, because a stolen access token must not permit guessing the password.
func (s *Store) CreateSecondFactor(ctx context.Context, scope Scope, in FactorInput) (NewFactor, error) {
	if scope.Method == ByProvider {
		return NewFactor{}, errPasswordSignInRequired
	}
	hash, err := s.checkOwnPassword(ctx, scope, in.Password)
	if err != nil {
		return NewFactor{}, err
	}
	var added NewFactor
	err = s.write(ctx, func(c conn) error {
		user, err := c.lockOwnAccount(ctx, scope)
		if err != nil {
			return err
		}
		if user.PasswordHash != hash { // another request has changed the password
			return errWrongOwnPassword
		}
		factors, err := c.lockFactors(ctx, user.PersonID)
		if err != nil {
			return err
		}
		if len(factors) >= maxFactors {
			return errTooManySecondFactors
		}
		if _, err := c.Exec(ctx, `DELETE FROM second_factors WHERE person_id = ? AND confirmed_at IS NULL`,
			user.PersonID); err != nil {
			return err
		}
		added, err = c.insertFactor(ctx, user, factors, in)
		return err
	})
	return added, err
}

// checkOwnPassword compares the password of the signed-in person, and returns its hash.
func (s *Store) checkOwnPassword(ctx context.Context, scope Scope, password string) (hash string, err error) {
	if err := s.read().Get(ctx, &hash, `SELECT password_hash FROM users WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, scope.UserID); err != nil {
		return "", orRefuse(err, errNoUser)
	}
	if err := s.countPassword(ctx, scope.LoginID); err != nil { // strangers cannot use it up
		return "", err
	}
	matches, err := s.passwords.matches(ctx, ofKnown, password, hash)
	if err == nil && !matches {
		s.auditRefusal(scope, AuditSecondFactorFailed, scope.UserID, scope.UserID)
		err = errWrongOwnPassword
	}
	return hash, err
}

func (c conn) insertFactor(
	ctx context.Context, user User, factors []secondFactor, in FactorInput,
) (NewFactor, error) {
	now := c.store.Now()
	added := NewFactor{ID: c.store.NewID("fct"), Type: in.Type, ExpiresAt: now.Add(pendingLifetime)}
	var sealed []byte
	var ceremony *string
	var err error
	switch in.Type {
	case TOTP:
		added.Secret = newTOTPSecret()
		added.URI = totpURI(added.Secret, user.Email)
		sealed, err = c.store.opts.Keys.SealTOTP(added.ID, added.Secret)
	case Passkey:
		var begun ceremonyOptions
		begun, err = c.store.beginPasskey(user, factors)
		added.PublicKey, ceremony = begun.options, &begun.ceremony
	}
	if err != nil {
		return NewFactor{}, err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO second_factors (id, person_id, type, name, secret, ceremony, created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		added.ID, user.PersonID, in.Type, in.Name, sealed, ceremony, now, added.ExpiresAt)
	return added, err
}

// ConfirmedFactor is the result of ConfirmSecondFactor.
type ConfirmedFactor struct {
	Factor        SecondFactor
	RecoveryCodes []string // nil if the person had codes already
}

// ConfirmSecondFactor finishes adding a second factor, and ends all other sign-ins of the person, which have not proved
// it. Refusals: password_sign_in_required, not_found, invalid_code, invalid_request.
func (s *Store) ConfirmSecondFactor(ctx context.Context, scope Scope, id string, proof Proof) (ConfirmedFactor, error) {
	if err := proof.check(); err != nil {
		return ConfirmedFactor{}, err
	}
	defer s.credentials.forget()
	var out ConfirmedFactor
	err := s.write(ctx, func(c conn) error {
		out = ConfirmedFactor{}
		user, err := c.lockOwnAccount(ctx, scope)
		if err != nil {
			return err
		}
		var factor secondFactor
		if err := c.Get(ctx, &factor, selectFactors+`
			WHERE person_id = ? AND id = ? AND confirmed_at IS NULL AND expires_at > ? AND attempts < ?`+s.db.ForUpdate,
			user.PersonID, id, s.Now(), maxCodes); err != nil {
			return orRefuse(err, errNoFactor)
		}
		confirmed, err := c.confirmFactor(ctx, user, factor, proof)
		if err != nil {
			return err
		}
		if !confirmed {
			if _, err := c.Exec(ctx, `UPDATE second_factors SET attempts = attempts + 1 WHERE person_id = ? AND id = ?`,
				user.PersonID, id); err != nil {
				return err
			}
			if err := c.audit(ctx, scope, AuditSecondFactorFailed, scope.UserID); err != nil {
				return err
			}
			return commitThenRefuse(errInvalidCode)
		}
		out.Factor = factor.SecondFactor
		if out.RecoveryCodes, err = c.firstRecoveryCodes(ctx, user.PersonID); err != nil {
			return err
		}
		return c.factorAdded(ctx, scope, user)
	})
	return out, err
}

// confirmFactor reports whether the proof confirms a pending factor, and stores that.
func (c conn) confirmFactor(ctx context.Context, user User, factor secondFactor, proof Proof) (bool, error) {
	var step *int64
	var credentialID, credential *string
	switch factor.Type {
	case TOTP:
		if proof.Typed == "" {
			return false, errInvalid.with(fault("/code", "required", "is required for an authenticator app"))
		}
		matched, matches, err := c.matchTOTP(ctx, factor, codeForm(proof.Typed), c.store.Now())
		if err != nil || !matches {
			return false, err
		}
		step = &matched
	case Passkey:
		if proof.Passkey == "" {
			return false, errInvalid.with(fault("/passkey", "required", "is required for a passkey"))
		}
		others, err := c.lockFactors(ctx, user.PersonID)
		if err != nil {
			return false, err
		}
		created := c.store.finishPasskey(user, others, factor.Ceremony, proof.Passkey)
		if created == nil {
			return false, nil
		}
		encoded, err := json.Marshal(created)
		if err != nil {
			return false, err
		}
		id, text := passkeyID(created), string(encoded)
		credentialID, credential = &id, &text
	}
	_, err := c.Exec(ctx, `
		UPDATE second_factors SET confirmed_at = ?, expires_at = NULL, ceremony = NULL, last_step = ?, credential_id = ?,
			credential = ?
		WHERE person_id = ? AND id = ?`,
		c.store.Now(), step, credentialID, credential, user.PersonID, factor.ID)
	if db.IsUnique(err, "second_factors_credential", "second_factors.credential_id") {
		return false, errInvalidCode // the passkey has been added before, by this person or another one
	}
	return err == nil, err
}

// firstRecoveryCodes makes recovery codes for a person without any, also without used ones.
func (c conn) firstRecoveryCodes(ctx context.Context, personID string) ([]string, error) {
	var exist bool
	if err := c.Get(ctx, &exist, `SELECT EXISTS (SELECT 1 FROM recovery_codes WHERE person_id = ?)`,
		personID); err != nil || exist {
		return nil, err
	}
	return c.replaceRecoveryCodes(ctx, personID)
}

// factorAdded ends the other sign-ins of a person with a new factor, notes its proof in the present one, and reports
// it.
func (c conn) factorAdded(ctx context.Context, scope Scope, user User) error {
	now := c.store.Now()
	if _, err := c.Exec(ctx, `
		UPDATE logins SET ended_at = ? WHERE id <> ? AND ended_at IS NULL
			AND user_id IN (SELECT id FROM users WHERE person_id = ?)`, now, scope.LoginID, user.PersonID); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `UPDATE logins SET confirmed_at = ? WHERE organization_id = ? AND id = ?`,
		now, scope.OrganizationID, scope.LoginID); err != nil {
		return err
	}
	entry, err := c.auditPerson(ctx, scope, AuditSecondFactorAdded, user)
	if err != nil {
		return err
	}
	return c.queueNotice(ctx, EmailSecondFactorAdded, scope.OrganizationID, scope.UserID, entry)
}

// DeleteSecondFactor removes a confirmed factor. With the last one, the recovery codes stop working. Refusals:
// password_sign_in_required, not_found.
func (s *Store) DeleteSecondFactor(ctx context.Context, scope Scope, id string) error {
	defer s.credentials.forget()
	return s.write(ctx, func(c conn) error {
		user, err := c.lockOwnAccount(ctx, scope)
		if err != nil {
			return err
		}
		deleted, err := c.Exec(ctx, `DELETE FROM second_factors WHERE person_id = ? AND id = ? AND confirmed_at IS NOT NULL`,
			user.PersonID, id)
		if err != nil {
			return err
		}
		if deleted == 0 {
			return errNoFactor
		}
		if err := c.endChallenges(ctx, user.PersonID); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `
			DELETE FROM recovery_codes WHERE person_id = ? AND NOT EXISTS (
				SELECT 1 FROM second_factors f WHERE f.person_id = ? AND f.confirmed_at IS NOT NULL)`,
			user.PersonID, user.PersonID); err != nil {
			return err
		}
		entry, err := c.auditPerson(ctx, scope, AuditSecondFactorRemoved, user)
		if err != nil {
			return err
		}
		return c.queueNotice(ctx, EmailSecondFactorRemoved, scope.OrganizationID, scope.UserID, entry)
	})
}
