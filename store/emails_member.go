package store

import "context"

// finishedEmail is the content of FINISHED.
func (s *Store) finishedEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	return nil, nil // TODO
}

// accountEmail is the content of the emails about accounts.
func (s *Store) accountEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	return nil, nil // TODO
}

// webhookEmail is the content of WEBHOOK_DISABLED.
func (s *Store) webhookEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	return nil, nil // TODO
}
