package rules

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

type AssessmentVerb string

const (
	VerbEdit    AssessmentVerb = "edit"
	VerbPublish AssessmentVerb = "publish"
	VerbArchive AssessmentVerb = "archive"
	VerbDelete  AssessmentVerb = "delete"
)

// assessmentMove is one cell of the table: a next status, or the code of a refusal.
type assessmentMove struct {
	to      AssessmentStatus
	refusal string
}

var assessmentMoves = map[AssessmentStatus]map[AssessmentVerb]assessmentMove{
	AssessmentDraft: {
		VerbEdit:    {to: AssessmentDraft},
		VerbPublish: {to: AssessmentPublished},
		VerbArchive: {refusal: AssessmentNotPublished},
		VerbDelete:  {to: assessmentDeleted},
	},
	AssessmentPublished: {
		VerbEdit:    {refusal: AssessmentNotDraft},
		VerbPublish: {to: AssessmentPublished},
		VerbArchive: {to: AssessmentArchived},
		VerbDelete:  {refusal: AssessmentNotDraft},
	},
	AssessmentArchived: {
		VerbEdit:    {refusal: AssessmentNotDraft},
		VerbPublish: {refusal: AssessmentNotDraft},
		VerbArchive: {to: AssessmentArchived},
		VerbDelete:  {refusal: AssessmentNotDraft},
	},
}

// The codes of the refusals that the table gives, as in openapi.yaml's ErrorCode.
const (
	AssessmentNotDraft     = "assessment_not_draft"
	AssessmentNotPublished = "assessment_not_published"
)

// After returns the status that a verb leads to, which may be the same one, or
// the code of the refusal with the status unchanged. A pair outside the table
// is refused.
func (s AssessmentStatus) After(verb AssessmentVerb) (to AssessmentStatus, refusal string) {
	move, known := assessmentMoves[s][verb]
	if !known {
		return s, AssessmentNotDraft
	}
	if move.refusal != "" {
		return s, move.refusal
	}
	return move.to, ""
}
