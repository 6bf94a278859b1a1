package rules

// AssessmentStatus is the state of an assessment:
//
//	       edit             publish, edit         archive
//	       ┌──┐                 ┌──┐                ┌──┐
//	       │  ▼                 │  ▼                │  ▼
//	──▶ DRAFT ──── publish ──▶ PUBLISHED ─ archive ─▶ ARCHIVED
//	      │
//	    delete
//	      ▼
//	   (no row)
//
// Everything that is not drawn is refused. Questions, gates, limits, and shuffling
// change in DRAFT only (see FrozenFaults), so that the answers of a candidate always
// belong to the questions that the candidate saw.
type AssessmentStatus string

// The statuses of an assessment.
const (
	AssessmentDraft     AssessmentStatus = "DRAFT"
	AssessmentPublished AssessmentStatus = "PUBLISHED"
	AssessmentArchived  AssessmentStatus = "ARCHIVED"
)

// assessmentDeleted is the target of delete. No row has it.
const assessmentDeleted AssessmentStatus = ""

// AssessmentVerb is an action on an assessment.
type AssessmentVerb string

// The actions on an assessment.
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
		VerbEdit:    {to: AssessmentPublished},
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
