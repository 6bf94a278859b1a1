package store

// SessionStatus is where a candidate session stands in its life:
//
//	   resend           start, save, submit, timeout
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
// Everything not drawn is refused. Where submit and timeout lead is decided by
// the gates and the stages left: see Progress.
type SessionStatus string

// The statuses of a candidate session.
const (
	SessionInvited      SessionStatus = "INVITED"
	SessionInProgress   SessionStatus = "IN_PROGRESS"
	SessionCompleted    SessionStatus = "COMPLETED"
	SessionDisqualified SessionStatus = "DISQUALIFIED"
	SessionExpired      SessionStatus = "EXPIRED"
	SessionCancelled    SessionStatus = "CANCELLED"
)

// CloseReason says why a session is over.
type CloseReason string

// The reasons for which a session is over.
const (
	ClosedSubmitted     CloseReason = "SUBMITTED"      // COMPLETED: the candidate submitted the last stage
	ClosedTimeExpired   CloseReason = "TIME_EXPIRED"   // COMPLETED: a deadline ended it
	ClosedStageGate     CloseReason = "STAGE_GATE"     // DISQUALIFIED
	ClosedCancelled     CloseReason = "CANCELLED"      // CANCELLED
	ClosedInviteExpired CloseReason = "INVITE_EXPIRED" // EXPIRED
)

// StageStatus says how far a candidate is with one stage, and how it ended.
type StageStatus string

// The statuses of a stage. IN_PROGRESS is the one being worked on: its candidate
// sees it, a result never does.
const (
	StagePassed     StageStatus = "PASSED"
	StageFailed     StageStatus = "FAILED"
	StageCompleted  StageStatus = "COMPLETED" // closed; it has no gate
	StageNotReached StageStatus = "NOT_REACHED"
	StageInProgress StageStatus = "IN_PROGRESS"
)

// sessionVerb is what happens to a session. The sweeper uses the same verbs as
// the API: expire for an invitation that ran out, timeout for a deadline.
type sessionVerb string

const (
	verbStart   sessionVerb = "start"
	verbSave    sessionVerb = "save"
	verbSubmit  sessionVerb = "submit"
	verbCancel  sessionVerb = "cancel"
	verbResend  sessionVerb = "resend"
	verbExpire  sessionVerb = "expire"
	verbTimeout sessionVerb = "timeout"
)

// sessionMove is one cell of the table: every status that the verb can lead to,
// first the one when nothing more is known, or the code of a refusal.
type sessionMove struct {
	to      []SessionStatus
	refusal string
}

var sessionMoves = map[SessionStatus]map[sessionVerb]sessionMove{
	SessionInvited: {
		verbStart:   {to: []SessionStatus{SessionInProgress}},
		verbSave:    {refusal: "session_not_in_progress"},
		verbSubmit:  {refusal: "session_not_in_progress"},
		verbCancel:  {to: []SessionStatus{SessionCancelled}},
		verbResend:  {to: []SessionStatus{SessionInvited}},
		verbExpire:  {to: []SessionStatus{SessionExpired}},
		verbTimeout: {refusal: "session_not_in_progress"},
	},
	SessionInProgress: {
		verbStart:   {to: []SessionStatus{SessionInProgress}},
		verbSave:    {to: []SessionStatus{SessionInProgress}},
		verbSubmit:  {to: []SessionStatus{SessionInProgress, SessionCompleted, SessionDisqualified}},
		verbCancel:  {to: []SessionStatus{SessionCancelled}},
		verbResend:  {refusal: "session_not_invited"},
		verbExpire:  {refusal: "session_not_invited"},
		verbTimeout: {to: []SessionStatus{SessionInProgress, SessionCompleted, SessionDisqualified}},
	},
	SessionCompleted: {
		verbStart:   {refusal: "session_not_in_progress"},
		verbSave:    {refusal: "session_not_in_progress"},
		verbSubmit:  {refusal: "session_not_in_progress"},
		verbCancel:  {refusal: "session_closed"},
		verbResend:  {refusal: "session_not_invited"},
		verbExpire:  {refusal: "session_not_invited"},
		verbTimeout: {refusal: "session_not_in_progress"},
	},
	SessionDisqualified: {
		verbStart:   {refusal: "session_not_in_progress"},
		verbSave:    {refusal: "session_not_in_progress"},
		verbSubmit:  {refusal: "session_not_in_progress"},
		verbCancel:  {refusal: "session_closed"},
		verbResend:  {refusal: "session_not_invited"},
		verbExpire:  {refusal: "session_not_invited"},
		verbTimeout: {refusal: "session_not_in_progress"},
	},
	SessionExpired: {
		verbStart:   {refusal: "invite_expired"},
		verbSave:    {refusal: "invite_expired"},
		verbSubmit:  {refusal: "invite_expired"},
		verbCancel:  {refusal: "session_closed"},
		verbResend:  {to: []SessionStatus{SessionInvited}},
		verbExpire:  {refusal: "session_not_invited"},
		verbTimeout: {refusal: "session_not_in_progress"},
	},
	SessionCancelled: {
		verbStart:   {refusal: "session_not_in_progress"},
		verbSave:    {refusal: "session_not_in_progress"},
		verbSubmit:  {refusal: "session_not_in_progress"},
		verbCancel:  {refusal: "session_closed"},
		verbResend:  {refusal: "session_not_invited"},
		verbExpire:  {refusal: "session_not_invited"},
		verbTimeout: {refusal: "session_not_in_progress"},
	},
}

var sessionRefusals = map[string]Error{
	"session_not_in_progress": {Kind: Conflict, Code: "session_not_in_progress", Detail: "The session is not in progress."},
	"session_not_invited":     {Kind: Conflict, Code: "session_not_invited", Detail: "The session is no longer an open or expired invitation."},
	"session_closed":          {Kind: Conflict, Code: "session_closed", Detail: "The session is over."},
	"invite_expired":          {Kind: Gone, Code: "invite_expired", Detail: "The invitation has expired."},
}

// after gives the status that a verb leads to, which may be the same one, or
// the refusal with the status unchanged. For submit and timeout it is the
// status as long as no gate and no last stage ends the session. A pair outside
// the table is refused. The refusal is a *Error: compare it with nil before
// returning it as an error.
func (s SessionStatus) after(verb sessionVerb) (SessionStatus, *Error) {
	move, known := sessionMoves[s][verb]
	if !known {
		move.refusal = "session_closed"
	}
	if move.refusal == "" {
		return move.to[0], nil
	}
	refused := sessionRefusals[move.refusal]
	return s, &refused
}
