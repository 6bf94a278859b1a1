package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/keys"
)

// An address is proved when the person of the account has shown that they receive its email: with the link of
// EMAIL_CONFIRMATION, with the link of an invitation in an email, or with a link that resets the password. The
// operator's own registrations need no proof. Anybody can register an address that is not theirs, so an unproved
// account sends no email to others, and loses the address to an invitation that its owner accepts.

const (
	// proofLifetime is how long a link that proves an address works after it was sent.
	proofLifetime = 7 * 24 * time.Hour
	// proofPath is the page on which a person uses such a link.
	proofPath = "/confirm-email"
)

// confirmationEmails bounds the emails that ask one address for its confirmation, over all accounts that had it.
var confirmationEmails = RateLimit{Name: "confirmation-email", Requests: 5, Window: 24 * time.Hour}

// isProved reports whether the address of a registration needs no proof, because the operator registers it: with the
// setup token, on the machine of the service, by command, or as the first organization of the service.
func (c conn) isProved(ctx context.Context, in Registration) (bool, error) {
	if in.Local || c.store.opts.Registration != RegistrationOpen {
		return true, nil
	}
	exists, err := c.organizationExists(ctx)
	if exists || err != nil {
		return false, err
	}
	// Of two first registrations at once, the second one waits here.
	if err := c.store.db.Lock(ctx, c.Conn, lockRegistration); err != nil {
		return false, err
	}
	exists, err = c.organizationExists(ctx)
	return !exists, err
}

// requireProved refuses an email to others in the name of an organization none of whose members has proved their
// address. Refusal: email_not_confirmed.
func (c conn) requireProved(ctx context.Context, scope Scope) error {
	if !c.store.opts.SendsEmail {
		return nil
	}
	if c.store.proved.Contains(scope.OrganizationID) {
		return nil
	}
	proved, err := c.provedOrganization(ctx, scope)
	switch {
	case err != nil:
		return err
	case !proved:
		return errEmailNotConfirmed
	}
	c.store.proved.Add(scope.OrganizationID, struct{}{})
	return nil
}

func (c conn) provedOrganization(ctx context.Context, scope Scope) (proved bool, err error) {
	err = c.Get(ctx, &proved, `SELECT EXISTS (SELECT 1 FROM users WHERE organization_id = ? AND NOT unproved
		AND removed_at IS NULL)`, scope.OrganizationID)
	return proved, err
}

// maySend reports whether an email may leave. Requests are refused before, so this stops emails that jobs have queued,
// and emails to the unproved address itself, which can be a stranger's.
func (c conn) maySend(ctx context.Context, scope Scope, kind EmailKind) (bool, error) {
	switch kind {
	case EmailConfirmation, EmailPasswordReset, EmailPasswordChanged, EmailSecondFactorAdded, EmailSecondFactorRemoved,
		EmailRecoveryCodeUsed:
		return true, nil
	}
	return c.provedOrganization(ctx, scope)
}

// SendEmailConfirmation queues an email with the link that proves the person's address. For a proved address it does
// nothing. Refusals: password_sign_in_required, email_not_configured, *Limited.
func (s *Store) SendEmailConfirmation(ctx context.Context, scope Scope) error {
	if scope.Method == ByProvider {
		return errPasswordSignInRequired
	}
	if !s.opts.SendsEmail {
		return errEmailNotConfigured
	}
	return s.write(ctx, func(c conn) error {
		var person struct {
			Email    string `db:"email"`
			Unproved bool   `db:"unproved"`
		}
		if err := c.Get(ctx, &person, `SELECT email, unproved FROM users WHERE organization_id = ? AND id = ?`+s.db.ForUpdate,
			scope.OrganizationID, scope.UserID); err != nil {
			return orRefuse(err, errNoUser)
		}
		if !person.Unproved {
			return nil
		}
		if err := c.count(ctx, confirmationEmails, hashAccount(person.Email)); err != nil {
			return err
		}
		if err := c.cancelPersonEmails(ctx, scope.PersonID, EmailConfirmation); err != nil {
			return err
		}
		return c.queueConfirmation(ctx, scope.OrganizationID, scope.UserID)
	})
}

func (c conn) queueConfirmation(ctx context.Context, organizationID, userID string) error {
	return c.queueEmail(ctx, newEmail{
		kind: EmailConfirmation, organizationID: organizationID, userID: &userID, subjectID: &userID,
	})
}

// queueFirstConfirmation queues the email about a registration. An address over its limit gets none: its person can ask
// for it later.
func (c conn) queueFirstConfirmation(ctx context.Context, user User) error {
	if !c.store.opts.SendsEmail {
		return nil
	}
	var limited *Limited
	switch err := c.count(ctx, confirmationEmails, hashAccount(user.Email)); {
	case errors.As(err, &limited):
		return nil
	case err != nil:
		return err
	}
	return c.queueConfirmation(ctx, user.OrganizationID, user.ID)
}

// ConfirmEmail proves the person's address with the token of a link. The person must be signed in, so a person whose
// address a stranger has registered cannot prove the stranger's account by opening the link. A second use changes
// nothing. Refusals: password_sign_in_required, not_found for a token of another account, confirmation_expired.
func (s *Store) ConfirmEmail(ctx context.Context, scope Scope, token string) error {
	if scope.Method == ByProvider {
		return errPasswordSignInRequired
	}
	id, ok := s.opts.Keys.ParseLinkToken(keys.PurposeEmailProof, token)
	if !ok {
		return errNoConfirmation
	}
	return s.write(ctx, func(c conn) error {
		if err := c.lockPerson(ctx, scope.PersonID); err != nil {
			return err // an invitation has taken the address meanwhile
		}
		var person struct {
			User
			ExpiresAt *Time `db:"proof_expires_at"`
		}
		if err := c.Get(ctx, &person, `
			SELECT id, organization_id, person_id, unproved, proof_expires_at FROM users WHERE id = ? AND person_id = ?`,
			id, scope.PersonID); err != nil {
			return orRefuse(err, errNoConfirmation)
		}
		switch {
		case !person.Unproved:
			return nil
		case person.ExpiresAt == nil || !s.Now().Before(person.ExpiresAt.Time):
			return errConfirmationExpired
		}
		return c.prove(ctx, scope, person.User)
	})
}

// prove marks the address of a locked person as proved.
func (c conn) prove(ctx context.Context, scope Scope, user User) error {
	if _, err := c.Exec(ctx, `
		UPDATE users SET unproved = FALSE, proof_expires_at = NULL, updated_at = ? WHERE person_id = ?`,
		c.store.Now(), user.PersonID); err != nil {
		return err
	}
	if err := c.cancelPersonEmails(ctx, user.PersonID, EmailConfirmation); err != nil {
		return err
	}
	_, err := c.auditPerson(ctx, scope, AuditEmailConfirmed, user)
	return err
}

// UnscopedProveEmail marks an address as proved, for an operator who knows the person. It returns ErrNoAccount for an
// address without an account.
func (s *Store) UnscopedProveEmail(ctx context.Context, email string) error {
	return s.write(ctx, func(c conn) error {
		user, err := c.accountOf(ctx, email)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoAccount
		}
		if err != nil {
			return err
		}
		if err := c.lockPerson(ctx, user.PersonID); err != nil {
			return err
		}
		unproved, err := c.Exec(ctx, `UPDATE users SET updated_at = ? WHERE person_id = ? AND unproved`,
			s.Now(), user.PersonID)
		if err != nil || unproved == 0 {
			return err
		}
		return c.prove(ctx, Scope{OrganizationID: user.OrganizationID}, user)
	})
}

func (s *Store) proofLink(userID string) string {
	return s.opts.BaseURL + proofPath + "#" + s.opts.Keys.LinkToken(keys.PurposeEmailProof, userID)
}

// confirmationEmail is the content of EMAIL_CONFIRMATION. The lifetime of its link begins. The email is not needed if
// the address is proved or the account has ended.
func (s *Store) confirmationEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	var content *EmailContent
	err := s.write(ctx, func(c conn) error {
		made, user, err := c.memberEmail(ctx, scope, e, s.db.ForUpdate)
		content = nil
		if err != nil || made == nil {
			return err
		}
		expiresAt := s.Now().Add(proofLifetime)
		unproved, err := c.Exec(ctx, `
			UPDATE users SET proof_expires_at = ? WHERE person_id = ? AND unproved`, expiresAt, user.PersonID)
		if err != nil || unproved == 0 {
			return err
		}
		// The address can be a stranger's, so the email contains no words of the person who registered it.
		made.ToName, made.Organization = "", Organization{ID: made.Organization.ID, Name: "Assay"}
		made.Account = &AccountContent{Link: s.proofLink(user.ID), ExpiresAt: expiresAt, At: e.CreatedAt.Time}
		content = made
		return nil
	})
	return content, err
}
