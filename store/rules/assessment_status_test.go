package rules

import "testing"

// The matrix repeats assessmentMoves in full, so that a change of the table by
// mistake fails. A lower-case cell is the code of a refusal.

func TestAssessmentStatusAfter(t *testing.T) {
	t.Parallel()
	verbs := []AssessmentVerb{VerbEdit, VerbPublish, VerbArchive, VerbDelete}
	matrix := map[AssessmentStatus][]string{
		AssessmentDraft:     {"DRAFT", "PUBLISHED", "assessment_not_published", ""},
		AssessmentPublished: {"PUBLISHED", "PUBLISHED", "ARCHIVED", "assessment_not_draft"},
		AssessmentArchived:  {"assessment_not_draft", "assessment_not_draft", "ARCHIVED", "assessment_not_draft"},
		"UNKNOWN":           {"assessment_not_draft", "assessment_not_draft", "assessment_not_draft", "assessment_not_draft"},
	}
	for from, cells := range matrix {
		for i, verb := range verbs {
			to, refused := from.After(verb)
			compareMove(t, string(from)+" "+string(verb), string(from), string(to), refused, cells[i])
		}
	}
	if len(assessmentMoves) != len(matrix)-1 {
		t.Errorf("the table has %d rows, the matrix %d", len(assessmentMoves), len(matrix)-1)
	}
	for from, row := range assessmentMoves {
		if len(row) != len(verbs) {
			t.Errorf("%s has %d cells, want %d", from, len(row), len(verbs))
		}
	}
}
