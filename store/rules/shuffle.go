package rules

import (
	"bytes"
	"crypto/sha256"
	"slices"
)

// Shuffled returns the stage as the candidate of a session sees it: with its
// questions, and the options of each question, in an order that depends only on the
// session's id and their own ids. No order is stored, and it never changes.
func (s Stage) Shuffled(sessionID string, questions, options bool) Stage {
	if questions {
		s.Questions = inDrawnOrder(s.Questions, sessionID, func(q Question) string { return q.ID })
	}
	if options {
		s.Questions = slices.Clone(s.Questions)
		for i, question := range s.Questions {
			s.Questions[i].Options = inDrawnOrder(question.Options, sessionID+" "+question.ID,
				func(o Option) string { return o.ID })
		}
	}
	return s
}

// inDrawnOrder returns the items sorted by the hash of the key and their ids. The
// session's id is random, so each order is equally probable.
func inDrawnOrder[T any](items []T, key string, id func(T) string) []T {
	type drawn struct {
		item T
		hash [sha256.Size]byte
	}
	order := make([]drawn, len(items))
	for i, item := range items {
		order[i] = drawn{item, sha256.Sum256([]byte(key + " " + id(item)))}
	}
	slices.SortFunc(order, func(a, b drawn) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	shuffled := make([]T, len(items))
	for i := range order {
		shuffled[i] = order[i].item
	}
	return shuffled
}
