package store

import (
	"context"
	"slices"
	"strconv"

	"assay/store/internal/db"
	"assay/store/rules"
)

// ReviewState is a state that an organization gives to candidates.
type ReviewState struct {
	ID       string `db:"id"` // never changes
	Name     string `db:"name"`
	Archived bool   `db:"archived"` // cannot be set
	Version  int    `db:"version"`
}

// ReviewStates are the states of an organization in its order. Version is that of the list.
type ReviewStates struct {
	Version int
	States  []ReviewState
}

func (l ReviewStates) byID(id string) (ReviewState, bool) {
	i := slices.IndexFunc(l.States, func(state ReviewState) bool { return state.ID == id })
	if i < 0 {
		return ReviewState{}, false
	}
	return l.States[i], true
}

// initialState is the state of each candidate for whom nobody has set one.
const initialState = "new"

// defaultStates are the states of an organization that has not changed them.
func defaultStates() ReviewStates {
	return ReviewStates{States: []ReviewState{
		{ID: initialState, Name: "New"}, {ID: "shortlisted", Name: "Shortlisted"}, {ID: "rejected", Name: "Rejected"},
		{ID: "hired", Name: "Hired"},
	}}
}

// IsDefault reports whether a state has the name that the service has given it, so that a program can translate it.
func (s ReviewState) IsDefault() bool {
	return slices.ContainsFunc(defaultStates().States, func(state ReviewState) bool {
		return state.ID == s.ID && state.Name == s.Name
	})
}

// ListReviewStates returns the states of the organization.
func (s *Store) ListReviewStates(ctx context.Context, scope Scope) (ReviewStates, error) {
	return s.read().reviewStates(ctx, scope)
}

// ListPublicReviewStates is ListReviewStates.
func (s *Store) ListPublicReviewStates(ctx context.Context, scope Scope) (ReviewStates, error) {
	return s.ListReviewStates(ctx, scope)
}

func (c conn) reviewStates(ctx context.Context, scope Scope) (ReviewStates, error) {
	var list ReviewStates
	if err := c.List(ctx, &list.States, `
		SELECT id, name, archived, version FROM review_states WHERE organization_id = ? ORDER BY position`,
		scope.OrganizationID); err != nil {
		return list, err
	}
	if len(list.States) == 0 {
		return defaultStates(), nil
	}
	for _, state := range list.States {
		list.Version = max(list.Version, state.Version)
	}
	return list, nil
}

// storeStates writes the default states before the first change that needs them.
func (c conn) storeStates(ctx context.Context, scope Scope) error {
	stored, err := c.hasStates(ctx, scope)
	if err != nil || stored {
		return err
	}
	// Two first changes at the same time write them once.
	var held string
	if err := c.Get(ctx, &held, `SELECT id FROM organizations WHERE id = ?`+c.store.db.ForNoKeyUpdate,
		scope.OrganizationID); err != nil {
		return err
	}
	if stored, err = c.hasStates(ctx, scope); err != nil || stored {
		return err
	}
	for i, state := range defaultStates().States {
		if err := c.putState(ctx, scope, state, i); err != nil {
			return err
		}
	}
	return nil
}

func (c conn) hasStates(ctx context.Context, scope Scope) (bool, error) {
	var found []string
	err := c.List(ctx, &found, `SELECT id FROM review_states WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, initialState)
	return len(found) > 0, err
}

func (c conn) putState(ctx context.Context, scope Scope, state ReviewState, position int) error {
	_, err := c.Exec(ctx, `
		INSERT INTO review_states (organization_id, id, name, position, archived, version) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (organization_id, id) DO UPDATE SET name = excluded.name, position = excluded.position,
			archived = excluded.archived, version = excluded.version`,
		scope.OrganizationID, state.ID, state.Name, position, state.Archived, state.Version)
	return err
}

// ReviewStatesChange is the input of ReplaceReviewStates. A state without an id is new.
type ReviewStatesChange struct {
	Version int // of the list that the caller has seen
	States  []ReviewState
}

// ReplaceReviewStates replaces the list of states. A state that is missing is removed. Refusals: states_changed,
// state_in_use, invalid_request.
func (s *Store) ReplaceReviewStates(ctx context.Context, scope Scope, in ReviewStatesChange) (ReviewStates, error) {
	var list ReviewStates
	err := s.write(ctx, func(c conn) error {
		if err := c.storeStates(ctx, scope); err != nil {
			return err
		}
		var held []string
		if err := c.List(ctx, &held, `SELECT id FROM review_states WHERE organization_id = ? ORDER BY id`+s.db.ForNoKeyUpdate,
			scope.OrganizationID); err != nil {
			return err
		}
		before, err := c.reviewStates(ctx, scope)
		if err != nil {
			return err
		}
		if in.Version != before.Version {
			return errStatesChanged
		}
		if err := in.check(before); err != nil {
			return err
		}
		if list, err = c.replaceStates(ctx, scope, before, in.States); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditReviewStatesReplaced, scope.OrganizationID)
	})
	if db.IsForeignKey(err, "reviews_state_exists") {
		err = errStateInUse
	}
	return list, err
}

func (c conn) replaceStates(
	ctx context.Context, scope Scope, before ReviewStates, states []ReviewState,
) (ReviewStates, error) {
	list := ReviewStates{Version: before.Version + 1}
	for i, state := range states {
		if state.ID == "" {
			state.ID = c.store.NewID("rst")
		}
		state.Version = list.Version
		list.States = append(list.States, state)
		if err := c.putState(ctx, scope, state, i); err != nil {
			return list, err
		}
	}
	_, err := c.Exec(ctx, `DELETE FROM review_states WHERE organization_id = ? AND version < ?`,
		scope.OrganizationID, list.Version)
	return list, err
}

// check refuses a list with an unknown or repeated id, a repeated name, or without the initial state.
func (in ReviewStatesChange) check(before ReviewStates) error {
	ids, names := map[string]bool{}, map[string]bool{}
	for i, state := range in.States {
		at := "/states/" + strconv.Itoa(i)
		_, known := before.byID(state.ID)
		name := rules.NormalText(state.Name, false)
		switch {
		case state.ID != "" && !known:
			return errInvalid.with(fault(at+"/id", "unknown_id", "is not a state of the organization"))
		case state.ID != "" && ids[state.ID]:
			return errInvalid.with(fault(at+"/id", "duplicate", "is in the list twice"))
		case names[name]:
			return errInvalid.with(fault(at+"/name", "duplicate", "is the name of another state"))
		case state.ID == initialState && state.Archived:
			return errInvalid.with(fault(at+"/archived", "invalid_value", "the state new cannot be archived"))
		}
		ids[state.ID], names[name] = true, true
	}
	if !ids[initialState] {
		return errInvalid.with(fault("/states", "invalid_value", "must contain the state new"))
	}
	return nil
}
