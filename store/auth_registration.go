package store

import (
	"context"
)

// RegistrationMode says who can register an organization.
type RegistrationMode int

// The modes of registration.
const (
	// RegistrationOpen permits every client to register.
	RegistrationOpen RegistrationMode = iota
	// RegistrationFirst permits the first organization only. The request needs the
	// setup token, unless it comes from the machine of the service.
	RegistrationFirst
	// RegistrationClosed permits no client to register.
	RegistrationClosed
)

// lockRegistration is the lock of the first registration: "register", in ASCII.
const lockRegistration = 0x7265676973746572

// UnscopedSetupToken returns the token for the first registration, or "" if no request needs
// one: if registration is not RegistrationFirst, or an organization exists.
func (s *Store) UnscopedSetupToken(ctx context.Context) (string, error) {
	if s.opts.Registration != RegistrationFirst {
		return "", nil
	}
	if exists, err := s.read().organizationExists(ctx); exists || err != nil {
		return "", err
	}
	return s.opts.Keys.SetupToken(), nil
}

// mayRegister refuses a registration that the mode does not permit. The refusal is
// cheap. Refusals: registration_closed, setup_token_required.
func (s *Store) mayRegister(ctx context.Context, in Registration) error {
	switch s.opts.Registration {
	case RegistrationOpen:
		return nil
	case RegistrationClosed:
		return errRegistrationClosed
	case RegistrationFirst:
	}
	exists, err := s.read().organizationExists(ctx)
	switch {
	case err != nil:
		return err
	case exists:
		return errRegistrationClosed
	case !in.Local && !s.opts.Keys.IsSetupToken(in.SetupToken):
		return errSetupTokenRequired
	}
	return nil
}

// stillFirst refuses a registration if another one was faster. Its lock ends with
// the transaction, so that of two registrations at once the second one sees the
// organization of the first. Refusal: registration_closed.
func (c conn) stillFirst(ctx context.Context) error {
	if c.store.opts.Registration != RegistrationFirst {
		return nil
	}
	if err := c.store.db.Lock(ctx, c.Conn, lockRegistration); err != nil {
		return err
	}
	exists, err := c.organizationExists(ctx)
	if exists && err == nil {
		return errRegistrationClosed
	}
	return err
}

func (c conn) organizationExists(ctx context.Context) (exists bool, err error) {
	err = c.Get(ctx, &exists, `SELECT EXISTS (SELECT 1 FROM organizations)`)
	return exists, err
}
