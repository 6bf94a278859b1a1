package store

// AssessmentStatus is where an assessment stands in its life:
//
//	       edit                publish             archive
//	       ┌──┐                 ┌──┐                ┌──┐
//	       │  ▼                 │  ▼                │  ▼
//	──▶ DRAFT ──── publish ──▶ PUBLISHED ─ archive ─▶ ARCHIVED
//	      │
//	    delete
//	      ▼
//	   (no row)
//
// Everything not drawn is refused. Content changes in DRAFT only, so that a
// candidate's answers always meet the questions they were given for.
type AssessmentStatus string

// The statuses of an assessment.
const (
	AssessmentDraft     AssessmentStatus = "DRAFT"
	AssessmentPublished AssessmentStatus = "PUBLISHED"
	AssessmentArchived  AssessmentStatus = "ARCHIVED"
)

// assessmentDeleted is what delete leads to: the row is gone. No row holds it.
const assessmentDeleted AssessmentStatus = ""

type assessmentVerb string

const (
	verbEdit    assessmentVerb = "edit"
	verbPublish assessmentVerb = "publish"
	verbArchive assessmentVerb = "archive"
	verbDelete  assessmentVerb = "delete"
)

// assessmentMove is one cell of the table: a next status, or the code of a refusal.
type assessmentMove struct {
	to      AssessmentStatus
	refusal string
}

var assessmentMoves = map[AssessmentStatus]map[assessmentVerb]assessmentMove{
	AssessmentDraft: {
		verbEdit:    {to: AssessmentDraft},
		verbPublish: {to: AssessmentPublished},
		verbArchive: {refusal: "assessment_not_published"},
		verbDelete:  {to: assessmentDeleted},
	},
	AssessmentPublished: {
		verbEdit:    {refusal: "assessment_not_draft"},
		verbPublish: {to: AssessmentPublished},
		verbArchive: {to: AssessmentArchived},
		verbDelete:  {refusal: "assessment_not_draft"},
	},
	AssessmentArchived: {
		verbEdit:    {refusal: "assessment_not_draft"},
		verbPublish: {refusal: "assessment_not_draft"},
		verbArchive: {to: AssessmentArchived},
		verbDelete:  {refusal: "assessment_not_draft"},
	},
}

var assessmentRefusals = map[string]Error{
	"assessment_not_draft":     {Kind: Conflict, Code: "assessment_not_draft", Detail: "The assessment is no longer a draft."},
	"assessment_not_published": {Kind: Conflict, Code: "assessment_not_published", Detail: "The assessment is not published."},
}

// after gives the status that a verb leads to, which may be the same one, or
// the refusal with the status unchanged. A pair outside the table is refused.
// The refusal is a *Error: compare it with nil before returning it as an error.
func (s AssessmentStatus) after(verb assessmentVerb) (AssessmentStatus, *Error) {
	move, known := assessmentMoves[s][verb]
	if !known {
		move.refusal = "assessment_not_draft"
	}
	if move.refusal == "" {
		return move.to, nil
	}
	refused := assessmentRefusals[move.refusal]
	return s, &refused
}
