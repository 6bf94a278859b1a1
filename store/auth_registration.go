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
	// RegistrationByOperator is for the commands of the operator, which register whatever the configured mode is.
	RegistrationByOperator
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

// RegistrationState says what a registration needs now.
type RegistrationState struct {
	// Mode is the configured mode, but RegistrationClosed instead of RegistrationFirst if
	// an organization exists.
	Mode RegistrationMode
	// FirstRun reports whether no organization exists yet.
	FirstRun bool
}

// UnscopedRegistration returns what a registration needs now.
func (s *Store) UnscopedRegistration(ctx context.Context) (RegistrationState, error) {
	exists, err := s.everRegistered(ctx)
	if err != nil {
		return RegistrationState{}, err
	}
	state := RegistrationState{Mode: s.opts.Registration, FirstRun: !exists}
	if exists && state.Mode == RegistrationFirst {
		state.Mode = RegistrationClosed
	}
	return state, nil
}

// everRegistered reports whether an organization exists. It remembers the first one,
// because the row of a deleted organization stays.
func (s *Store) everRegistered(ctx context.Context) (bool, error) {
	if s.registered.Load() {
		return true, nil
	}
	exists, err := s.read().organizationExists(ctx)
	if exists {
		s.registered.Store(true)
	}
	return exists, err
}

// mayRegister refuses a registration that the mode does not permit. The refusal is
// cheap. Refusals: registration_closed, setup_token_required.
func (s *Store) mayRegister(ctx context.Context, in Registration) error {
	switch s.opts.Registration {
	case RegistrationOpen, RegistrationByOperator:
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
