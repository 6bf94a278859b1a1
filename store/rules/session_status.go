package rules

// SessionStatus is the state of a candidate session:
//
//	   resend           start, save, submit, extend, timeout
//	    ┌──┐                     ┌──┐
//	    │  ▼                     │  ▼
//	──▶ INVITED ─── start ──▶ IN_PROGRESS ─ submit, timeout ─▶ COMPLETED
//	    │  ▲  │                │       │
//	    │  │  └─── cancel ──┐  │       └─── submit, timeout ─▶ DISQUALIFIED
//	 expire│                │ cancel
//	    │  resend           ▼  ▼
//	    ▼  │             CANCELLED
//	   EXPIRED
//
//	              submit, timeout, decide
//	IN_PROGRESS ◀────────────────────────▶ IN_REVIEW ─── decide ──▶ COMPLETED, DISQUALIFIED
//	                                        │  ▲  └───── cancel ──▶ CANCELLED
//	                                        └──┘
//	                                       decide
//
// In IN_REVIEW, no clock runs. A person can reopen a COMPLETED or DISQUALIFIED session, which is IN_PROGRESS again.
// Everything else that is not drawn is refused. The gates and the remaining stages
// decide where submit and timeout lead: see Progress. A stage that waits is started
// under the conditions of save.
type SessionStatus string

// The statuses of a candidate session.
const (
	SessionInvited      SessionStatus = "INVITED"
	SessionInProgress   SessionStatus = "IN_PROGRESS"
	SessionInReview     SessionStatus = "IN_REVIEW" // waits for a person's grade or ruling
	SessionCompleted    SessionStatus = "COMPLETED"
	SessionDisqualified SessionStatus = "DISQUALIFIED"
	SessionExpired      SessionStatus = "EXPIRED"
	SessionCancelled    SessionStatus = "CANCELLED"
)

// SessionStatuses returns all statuses.
func SessionStatuses() []SessionStatus {
	return []SessionStatus{
		SessionInvited, SessionInProgress, SessionInReview, SessionCompleted, SessionDisqualified, SessionExpired,
		SessionCancelled,
	}
}

// CloseReason is the reason for which a session ended.
type CloseReason string

// The reasons for which a session ends.
const (
	ClosedSubmitted     CloseReason = "SUBMITTED"      // COMPLETED: the candidate submitted the last stage
	ClosedTimeExpired   CloseReason = "TIME_EXPIRED"   // COMPLETED: a deadline ended it
	ClosedAbandoned     CloseReason = "ABANDONED"      // COMPLETED: the candidate did not return
	ClosedStageGate     CloseReason = "STAGE_GATE"     // DISQUALIFIED
	ClosedCancelled     CloseReason = "CANCELLED"      // CANCELLED
	ClosedInviteExpired CloseReason = "INVITE_EXPIRED" // EXPIRED
)

// StageStatus is the state of one stage of a session.
type StageStatus string

// The statuses of a stage. A result never contains READY, IN_PROGRESS, or IN_REVIEW.
const (
	StagePassed     StageStatus = "PASSED"
	StageFailed     StageStatus = "FAILED"
	StageCompleted  StageStatus = "COMPLETED" // closed; it has no gate
	StageNotReached StageStatus = "NOT_REACHED"
	StageReady      StageStatus = "READY" // waits for the candidate to start it
	StageInProgress StageStatus = "IN_PROGRESS"
	StageInReview   StageStatus = "IN_REVIEW" // closed; its score waits for grades, or its failed gate for a ruling
)

// SessionVerb is an action on a session.
type SessionVerb string

// The actions on a session. expire is the end of an unused invitation. timeout is a
// passed deadline of a stage or the session, or the abandonment of the session. No
// request asks for these two: the store applies them without this table, which
// contains them so that it is complete.
const (
	VerbStart   SessionVerb = "start"
	VerbSave    SessionVerb = "save"
	VerbSubmit  SessionVerb = "submit"
	VerbExtend  SessionVerb = "extend"
	VerbCancel  SessionVerb = "cancel"
	VerbResend  SessionVerb = "resend"
	VerbReopen  SessionVerb = "reopen"
	VerbDecide  SessionVerb = "decide" // a grade, a ruling, or a correction; see Progress.Decide
	verbExpire  SessionVerb = "expire"
	verbTimeout SessionVerb = "timeout"
)

// sessionMove is one cell of the table: every status that the verb can lead to,
// or the code of a refusal. The first status holds unless a gate or the last
// stage decides otherwise.
type sessionMove struct {
	to      []SessionStatus
	refusal string
}

var sessionMoves = map[SessionStatus]map[SessionVerb]sessionMove{
	SessionInvited: {
		VerbStart:   {to: []SessionStatus{SessionInProgress}},
		VerbSave:    {refusal: SessionNotInProgress},
		VerbSubmit:  {refusal: SessionNotInProgress},
		VerbExtend:  {refusal: SessionNotInProgress},
		VerbCancel:  {to: []SessionStatus{SessionCancelled}},
		VerbResend:  {to: []SessionStatus{SessionInvited}},
		VerbReopen:  {refusal: SessionNotFinished},
		VerbDecide:  {refusal: SessionNotInReview},
		verbExpire:  {to: []SessionStatus{SessionExpired}},
		verbTimeout: {refusal: SessionNotInProgress},
	},
	SessionInProgress: {
		VerbStart:   {to: []SessionStatus{SessionInProgress}},
		VerbSave:    {to: []SessionStatus{SessionInProgress}},
		VerbSubmit:  {to: []SessionStatus{SessionInProgress, SessionCompleted, SessionDisqualified, SessionInReview}},
		VerbExtend:  {to: []SessionStatus{SessionInProgress}},
		VerbCancel:  {to: []SessionStatus{SessionCancelled}},
		VerbResend:  {refusal: SessionNotInvited},
		VerbReopen:  {refusal: SessionNotFinished},
		VerbDecide:  {refusal: SessionNotInReview},
		verbExpire:  {refusal: SessionNotInvited},
		verbTimeout: {to: []SessionStatus{SessionInProgress, SessionCompleted, SessionDisqualified, SessionInReview}},
	},
	SessionInReview: {
		VerbStart:   {refusal: SessionNotInProgress},
		VerbSave:    {refusal: SessionNotInProgress},
		VerbSubmit:  {refusal: SessionNotInProgress},
		VerbExtend:  {refusal: SessionNotInProgress},
		VerbCancel:  {to: []SessionStatus{SessionCancelled}},
		VerbResend:  {refusal: SessionNotInvited},
		VerbReopen:  {refusal: SessionNotFinished},
		VerbDecide:  {to: []SessionStatus{SessionInReview, SessionInProgress, SessionCompleted, SessionDisqualified}},
		verbExpire:  {refusal: SessionNotInvited},
		verbTimeout: {refusal: SessionNotInProgress},
	},
	SessionCompleted: {
		VerbStart:   {refusal: SessionNotInProgress},
		VerbSave:    {refusal: SessionNotInProgress},
		VerbSubmit:  {refusal: SessionNotInProgress},
		VerbExtend:  {refusal: SessionNotInProgress},
		VerbCancel:  {refusal: SessionClosed},
		VerbResend:  {refusal: SessionNotInvited},
		VerbReopen:  {to: []SessionStatus{SessionInProgress}},
		VerbDecide:  {refusal: SessionNotInReview},
		verbExpire:  {refusal: SessionNotInvited},
		verbTimeout: {refusal: SessionNotInProgress},
	},
	SessionDisqualified: {
		VerbStart:   {refusal: SessionNotInProgress},
		VerbSave:    {refusal: SessionNotInProgress},
		VerbSubmit:  {refusal: SessionNotInProgress},
		VerbExtend:  {refusal: SessionNotInProgress},
		VerbCancel:  {refusal: SessionClosed},
		VerbResend:  {refusal: SessionNotInvited},
		VerbReopen:  {to: []SessionStatus{SessionInProgress}},
		VerbDecide:  {refusal: SessionNotInReview},
		verbExpire:  {refusal: SessionNotInvited},
		verbTimeout: {refusal: SessionNotInProgress},
	},
	SessionExpired: {
		VerbStart:   {refusal: InviteExpired},
		VerbSave:    {refusal: InviteExpired},
		VerbSubmit:  {refusal: InviteExpired},
		VerbExtend:  {refusal: SessionNotInProgress},
		VerbCancel:  {refusal: SessionClosed},
		VerbResend:  {to: []SessionStatus{SessionInvited}},
		VerbReopen:  {refusal: SessionNotFinished},
		VerbDecide:  {refusal: SessionNotInReview},
		verbExpire:  {refusal: SessionNotInvited},
		verbTimeout: {refusal: SessionNotInProgress},
	},
	SessionCancelled: {
		VerbStart:   {refusal: SessionNotInProgress},
		VerbSave:    {refusal: SessionNotInProgress},
		VerbSubmit:  {refusal: SessionNotInProgress},
		VerbExtend:  {refusal: SessionNotInProgress},
		VerbCancel:  {refusal: SessionClosed},
		VerbResend:  {refusal: SessionNotInvited},
		VerbReopen:  {refusal: SessionNotFinished},
		VerbDecide:  {refusal: SessionNotInReview},
		verbExpire:  {refusal: SessionNotInvited},
		verbTimeout: {refusal: SessionNotInProgress},
	},
}

// The codes of the refusals that the status tables give, as in openapi.yaml's ErrorCode.
const (
	SessionNotInProgress = "session_not_in_progress"
	SessionNotInvited    = "session_not_invited"
	SessionClosed        = "session_closed"
	SessionNotFinished   = "session_not_finished"
	SessionNotInReview   = "session_not_in_review"
	InviteExpired        = "invite_expired"
)

// After returns the status that a verb leads to, which may be the same one, or
// the code of the refusal with the status unchanged. For submit and timeout it
// returns the status that holds unless a gate or the last stage ends the
// session. A pair outside the table is refused.
func (s SessionStatus) After(verb SessionVerb) (to SessionStatus, refusal string) {
	move, known := sessionMoves[s][verb]
	if !known {
		return s, SessionClosed
	}
	if move.refusal != "" {
		return s, move.refusal
	}
	return move.to[0], ""
}
