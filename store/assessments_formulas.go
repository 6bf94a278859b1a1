package store

import (
	"context"
	"fmt"
	"slices"

	"assay/store/markdown"
	"assay/store/rules"
)

// hasFormulas reports whether dollars in the texts can be formulas: in drafts, and in what was published with them.
func (a *Assessment) hasFormulas() bool {
	return a.Status == rules.AssessmentDraft || a.Definition.Formulas
}

// formulaFaults returns the formulas of an assessment that cannot be shown.
func (s *Store) formulaFaults(ctx context.Context, a *Assessment) ([]rules.Fault, error) {
	if !a.hasFormulas() {
		return nil, nil
	}
	var faults []rules.Fault
	seen, allowance := map[string][]markdown.Fault{}, markdown.NewAllowance()
	for pointer, text := range a.texts() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, ok := seen[text]
		if !ok {
			found = s.formulaText(a.OrganizationID, text, a.pictures, allowance).Faults
			seen[text] = found
		}
		if len(found) > 0 { // a client shows one message at a field
			faults = append(faults, rules.Fault{Pointer: pointer, Code: "invalid_format", Detail: fmt.Sprintf(
				"contains a formula that cannot be shown, at character %d: %s", found[0].Position, found[0].Reason)})
		}
	}
	return faults, nil
}

// newFormulaFaults returns the formulas that a change adds to a published assessment and that cannot be shown. A
// formula that could be shown when it was published stays as it is.
func (s *Store) newFormulaFaults(ctx context.Context, before, after *Assessment) ([]rules.Fault, error) {
	if before.Status == rules.AssessmentDraft || !before.hasFormulas() {
		return nil, nil
	}
	known, err := s.formulaFaults(ctx, before)
	if err != nil {
		return nil, err
	}
	faults, err := s.formulaFaults(ctx, after)
	return slices.DeleteFunc(faults, func(fault rules.Fault) bool { return slices.Contains(known, fault) }), err
}
