package store

import (
	"context"

	"assay/store/rules"
)

// CheckAssessment returns the faults that PublishAssessment would refuse.
func (s *Store) CheckAssessment(ctx context.Context, scope Scope, id string) ([]rules.Fault, error) {
	assessment, err := s.read().current(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	return s.read().missingForPublish(ctx, assessment)
}
