package server

import (
	"context"
	"strconv"
	"strings"
	"time"

	"assay/gen"
	"assay/store"
)

// ExportCandidateSessions implements GET /v1/candidate-sessions/export.
func (s *Server) ExportCandidateSessions(
	ctx context.Context, request gen.ExportCandidateSessionsRequestObject,
) (gen.ExportCandidateSessionsResponseObject, error) {
	next, err := s.store.ExportCandidateSessions(ctx, scopeOf(ctx),
		sessionFilter(gen.SummarizeCandidateSessionsParams(request.Params)))
	if err != nil {
		return nil, err
	}
	return csvFile{"candidate-sessions.csv", newCSV(ctx, sessionColumns, func() ([][]string, error) {
		sessions, err := next()
		return each(sessions, sessionCells), err
	}), s.opts.Now().Add(exportTimeout)}, nil
}

var sessionColumns = []string{
	"id", "assessmentId", "assessmentTitle", "candidateName", "candidateEmail", "externalId", "metadata", "status",
	"attempt", "score", "passed", "closeReason", "extraTimePercent", "invitedAt", "expiresAt", "startedAt", "deadlineAt",
	"completedAt", "disqualifiedAt", "cancelledAt", "createdAt", "updatedAt", "erasedAt", "note", "startFrom",
	"startUntil", "stateId", "tags", "rating",
}

func sessionCells(session store.CandidateSession) []string {
	span := session.Span()
	passed := ""
	if session.Passed != nil {
		passed = strconv.FormatBool(*session.Passed)
	}
	return []string{
		session.ID, session.AssessmentID, session.AssessmentTitle, session.CandidateName, session.CandidateEmail,
		orZero(session.ExternalID), session.MetadataJSON, string(session.Status),
		strconv.Itoa(session.Attempt), plainNumber(session.Score), passed, string(orZero(session.CloseReason)),
		strconv.Itoa(session.ExtraTimePercent), timestamp(session.InvitedAt), timestamp(session.ExpiresAt),
		timeCell(session.StartedAt), timeCell(session.DeadlineAt), timeCell(session.CompletedAt),
		timeCell(session.DisqualifiedAt), timeCell(session.CancelledAt), timestamp(session.CreatedAt),
		timestamp(session.UpdatedAt), timeCell(session.ErasedAt), orZero(session.Note),
		orZero(wireOrNull(span.From)), orZero(wireOrNull(span.Until)), session.ReviewState(),
		strings.Join(session.Tags(), ","), plainNumber(session.Rating),
	}
}

// plainNumber is a number without an exponent, or an empty cell.
func plainNumber(number *float64) string {
	if number == nil {
		return ""
	}
	return strconv.FormatFloat(*number, 'f', -1, 64)
}

func timeCell(t *store.Time) string {
	if t == nil {
		return ""
	}
	return timestamp(*t)
}

// exportTimeout bounds an export, in place of the bound of other responses.
const exportTimeout = time.Hour
