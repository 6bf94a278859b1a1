package store

import "context"

// ForgotPassword queues an email with a link with which the person resets their password.
// It does the same work for an address without an account. Refusals:
// email_not_configured, *Limited.
func (s *Store) ForgotPassword(ctx context.Context, scope Scope, email string) error { return nil } // TODO

// ResetPassword sets the password of the person whose link has the token, and ends all
// their sign-ins. The token works once. Refusals: unauthenticated, password_reset_expired,
// invalid_request for a weak password, *Limited.
func (s *Store) ResetPassword(ctx context.Context, scope Scope, token, password string) error {
	return errUnauthenticated // TODO
}
