package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"assay/store/keys"
)

// SignInMethod is how a person has signed in.
type SignInMethod string

// The methods.
const (
	ByPassword SignInMethod = "PASSWORD"
	// ByProvider is the sign-in of one organization, which proves nothing to other organizations of the person.
	ByProvider SignInMethod = "PROVIDER"
	// byRecovery is the method of a challenge after a password and a recovery code of an organization that requires its
	// provider. The login is ByPassword.
	byRecovery SignInMethod = "RECOVERY"
)

const (
	challengeLifetime = 5 * time.Minute
	// maxCodes is how many wrong codes end a challenge, or a second factor that is not confirmed yet.
	maxCodes = 5
	// proofAge is how old the proof of a second factor can be for operations that export or destroy much.
	proofAge = 10 * time.Minute
)

// Challenge stands for a sign-in that needs the second factor.
type Challenge struct {
	Token     string
	Methods   []string // values of the contract's SecondFactorMethod
	ExpiresAt time.Time
}

// Proof proves a second factor. Exactly one field is set.
type Proof struct {
	Typed   string // a code of an authenticator app, or a recovery code
	Passkey string // the response of the browser, as JSON
}

// check refuses a proof that has none or both of its fields.
func (p Proof) check() error {
	switch {
	case p.Typed == "" && p.Passkey == "":
		return errInvalid.with(fault("/code", "required", "is required, or passkey is"))
	case p.Typed != "" && p.Passkey != "":
		return errInvalid.with(fault("/passkey", "invalid_value", "must be absent if code is present"))
	}
	return nil
}

// requireSecondFactor refuses a sign-in of a person with a second factor, unless the code is right. It returns when the
// second factor was proved, or nil for a person without one. Its refusals commit what the transaction has written, so
// it comes last before the login. A scope without a method is that of a password. Refusals: second_factor_required,
// invalid_code, *Limited.
func (c conn) requireSecondFactor(ctx context.Context, scope Scope, user User, typed string) (*time.Time, error) {
	var person struct {
		ID        string `db:"person_id"`
		HasFactor bool   `db:"has_second_factor"`
	}
	if err := c.Get(ctx, &person, `SELECT person_id, `+factorColumn+` FROM users WHERE organization_id = ? AND id = ?`,
		user.OrganizationID, user.ID); err != nil || !person.HasFactor {
		return nil, err
	}
	user.PersonID = person.ID
	if typed == "" {
		challenge, err := c.insertChallenge(ctx, user, cmp.Or(scope.Method, ByPassword))
		if err != nil {
			return nil, err
		}
		required := *errSecondFactorRequired
		required.Challenge = &challenge
		return nil, commitThenRefuse(&required)
	}
	scope.UserID = "" // nobody is signed in yet
	if err := c.proveFactor(ctx, scope, user, Proof{Typed: typed}, nil); err != nil {
		return nil, err
	}
	now := c.store.Now()
	return &now, nil
}

// factorColumn says whether the person of a row of users has a second factor.
const factorColumn = `EXISTS (SELECT 1 FROM second_factors f
	WHERE f.person_id = users.person_id AND f.confirmed_at IS NOT NULL) AS has_second_factor`

// confirmLogin notes in a new login when the second factor was proved.
func (c conn) confirmLogin(ctx context.Context, login Login, at *time.Time) error {
	if at == nil {
		return nil
	}
	_, err := c.Exec(ctx, `UPDATE logins SET confirmed_at = ? WHERE organization_id = ? AND id = ?`,
		*at, login.OrganizationID, login.ID)
	return err
}

func (c conn) insertChallenge(ctx context.Context, user User, method SignInMethod) (Challenge, error) {
	methods, err := c.factorMethods(ctx, user.PersonID)
	if err != nil {
		return Challenge{}, err
	}
	challenge := Challenge{
		Token:   c.store.NewID("chl") + "_" + hex.EncodeToString(keys.RandomBytes(16)),
		Methods: methods, ExpiresAt: c.store.Now().Add(challengeLifetime),
	}
	_, err = c.Exec(ctx, `
		INSERT INTO sign_in_challenges (token_hash, organization_id, user_id, person_id, method, expires_at)
		VALUES (?, ?, ?, ?, ?, ?)`,
		hashChallenge(challenge.Token), user.OrganizationID, user.ID, user.PersonID, method, challenge.ExpiresAt)
	return challenge, err
}

// hashChallenge needs no key: a token has 128 random bits.
func hashChallenge(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// factorMethods are the values of SecondFactorMethod that a person can use.
func (c conn) factorMethods(ctx context.Context, personID string) ([]string, error) {
	var methods []string
	err := c.List(ctx, &methods, `
		SELECT DISTINCT type FROM second_factors WHERE person_id = ? AND confirmed_at IS NOT NULL
		UNION ALL SELECT 'RECOVERY_CODE' WHERE EXISTS (
			SELECT 1 FROM recovery_codes WHERE person_id = ? AND used_at IS NULL)`, personID, personID)
	slices.SortFunc(methods, func(a, b string) int { return methodOrder(a) - methodOrder(b) })
	return methods, err
}

func methodOrder(method string) int {
	return slices.Index([]string{string(Passkey), string(TOTP), "RECOVERY_CODE"}, method)
}

// proveFactor checks a proof of a person's second factor, and uses it up. ceremony is what a passkey answers; nil for
// none. Refusals: invalid_code, which is audited and counted, *Limited.
func (c conn) proveFactor(ctx context.Context, scope Scope, user User, proof Proof, ceremony *string) error {
	if err := c.countCode(ctx, scope.Origin, user.PersonID); err != nil {
		return err
	}
	factors, err := c.lockFactors(ctx, user.PersonID)
	if err != nil {
		return err
	}
	code := codeForm(proof.Typed)
	var proved bool
	switch {
	case proof.Passkey != "":
		proved, err = c.usePasskey(ctx, user, factors, ceremony, proof.Passkey)
	case isTOTP(code):
		proved, err = c.useTOTP(ctx, factors, code)
	default:
		proved, err = c.useRecoveryCode(ctx, scope, user, code)
	}
	switch {
	case err != nil:
		return err
	case proved:
		return nil
	}
	if err := c.audit(ctx, scope, AuditSecondFactorFailed, user.ID); err != nil {
		return err
	}
	return commitThenRefuse(errInvalidCode)
}

// countCode counts a proof for a person. Only a client with the password can send one, so strangers cannot use up the
// limit. A network from which the person has signed in has a limit of its own, so that a thief of the password does not
// lock the person out. As in accountFrom, a sign-in with a provider makes no network known. The count is part of the
// transaction, which commits a refused proof.
func (c conn) countCode(ctx context.Context, origin Origin, personID string) error {
	var known bool
	if err := c.Get(ctx, &known, `
		SELECT EXISTS (SELECT 1 FROM users u JOIN logins l ON l.user_id = u.id
			WHERE u.person_id = ? AND l.network = ? AND l.created_at > ? AND l.method = 'PASSWORD')`,
		personID, origin.Network(), c.store.Now().Add(-knownNetworkLifetime)); err != nil {
		return err
	}
	who := "code:" + personID
	if known {
		who += "@" + origin.Network()
	}
	if err := c.count(ctx, c.store.opts.SignInLimits.LoginAccount, who); err != nil {
		return err
	}
	return c.count(ctx, c.store.opts.SignInLimits.LoginAccountHourly, who)
}

// endChallenges ends the sign-ins of a person that need the second factor. It is part of each change after which the
// password, or a second factor, is another one.
func (c conn) endChallenges(ctx context.Context, personID string) error {
	_, err := c.Exec(ctx, `DELETE FROM sign_in_challenges WHERE person_id = ?`, personID)
	return err
}

// endSecondFactors deletes the second factors of a person after the last membership.
func (c conn) endSecondFactors(ctx context.Context, personID string) error {
	var remains bool
	if err := c.Get(ctx, &remains, `SELECT EXISTS (SELECT 1 FROM users WHERE person_id = ? AND removed_at IS NULL)`,
		personID); err != nil || remains {
		return err
	}
	_, err := c.deleteSecondFactors(ctx, personID)
	return err
}

// endUnprovedFactors deletes the second factors of a person who proves the address. Somebody else can have added them.
func (c conn) endUnprovedFactors(ctx context.Context, scope Scope, user User) error {
	deleted, err := c.deleteSecondFactors(ctx, user.PersonID)
	if err != nil || deleted == 0 {
		return err
	}
	_, err = c.auditPerson(ctx, scope, AuditSecondFactorReset, user)
	return err
}

// deleteSecondFactors returns how many factors there were.
func (c conn) deleteSecondFactors(ctx context.Context, personID string) (deleted int64, err error) {
	for _, statement := range []string{
		`DELETE FROM recovery_codes WHERE person_id = ?`,
		`DELETE FROM sign_in_challenges WHERE person_id = ?`,
		`DELETE FROM second_factors WHERE person_id = ?`,
	} {
		if deleted, err = c.Exec(ctx, statement, personID); err != nil {
			return 0, err
		}
	}
	return deleted, nil
}

// CheckSecondFactor refuses an operation of a person. ofAccount says that it concerns only the person's account, and
// recent that it needs a recent proof of a second factor. A scope can be out of date for a second, so it is read again
// before a refusal. Refusals: second_factor_setup_required, reauthentication_required.
func (s *Store) CheckSecondFactor(ctx context.Context, scope Scope, ofAccount, recent bool) error {
	if scope.lacksFactor(s.Now(), ofAccount, recent) == nil {
		return nil
	}
	s.credentials.forget(scope.LoginID)
	current, err := s.UnscopedLogin(ctx, scope.Origin, scope.LoginID)
	if err != nil {
		return err
	}
	return current.lacksFactor(s.Now(), ofAccount, recent)
}

// lacksFactor decides CheckSecondFactor. A provider is responsible for the second factor of its sign-ins.
func (s Scope) lacksFactor(now time.Time, ofAccount, recent bool) error {
	switch {
	case s.UserID == "" || s.Method != ByPassword:
		return nil
	case !s.hasFactor && s.factorRequired && !ofAccount:
		return errSecondFactorSetupRequired
	case s.hasFactor && recent && (s.confirmedAt == nil || now.Sub(s.confirmedAt.Time) > proofAge):
		return errReauthenticationRequired
	}
	return nil
}
