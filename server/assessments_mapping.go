package server

import (
	"strings"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

func assessmentID(a store.Assessment) string { return a.ID }

func apiAssessment(a store.Assessment) gen.Assessment {
	return gen.Assessment{
		ID: a.ID, Title: a.Title, Description: a.Description, Status: gen.AssessmentStatus(a.Status),
		PassingScore: a.PassingScore, TimeLimitMinutes: a.TimeLimitMinutes,
		InviteExpiryDays: a.InviteExpiryDays, RedirectURL: a.RedirectURL, Locale: a.Locale,
		ShuffleQuestions: a.ShuffleQuestions, ShuffleOptions: a.ShuffleOptions,
		OpensAt: timeOrNull(a.OpensAt), ClosesAt: timeOrNull(a.ClosesAt),
		StageCount: a.StageCount, QuestionCount: a.QuestionCount, MaxPoints: a.MaxPoints,
		CreatedAt: timestamp(a.CreatedAt), UpdatedAt: timestamp(a.UpdatedAt),
		PublishedAt: timeOrNull(a.PublishedAt), ArchivedAt: timeOrNull(a.ArchivedAt),
		RepeatRule: string(a.RepeatRule), RepeatAfterDays: a.RepeatAfterDays, Grading: gen.GradingRules(a.GradingRules),
	}
}

func apiCountedAssessment(a store.Assessment) gen.CountedAssessment {
	summary := apiAssessment(a)
	return gen.CountedAssessment{
		ID: summary.ID, Title: summary.Title, Description: summary.Description, Status: summary.Status,
		PassingScore: summary.PassingScore, TimeLimitMinutes: summary.TimeLimitMinutes,
		InviteExpiryDays: summary.InviteExpiryDays, RedirectURL: summary.RedirectURL, Locale: summary.Locale,
		ShuffleQuestions: summary.ShuffleQuestions, ShuffleOptions: summary.ShuffleOptions,
		OpensAt: summary.OpensAt, ClosesAt: summary.ClosesAt,
		StageCount: summary.StageCount, QuestionCount: summary.QuestionCount, MaxPoints: summary.MaxPoints,
		CreatedAt: summary.CreatedAt, UpdatedAt: summary.UpdatedAt,
		PublishedAt: summary.PublishedAt, ArchivedAt: summary.ArchivedAt,
		RepeatRule: summary.RepeatRule, RepeatAfterDays: summary.RepeatAfterDays, Grading: summary.Grading,
		SessionCounts: apiSessionCounts(a.Counts),
	}
}

func newAssessment(body gen.AssessmentCreate) (store.NewAssessment, error) {
	definition, err := storeDefinition(body.Stages)
	return store.NewAssessment{
		Title: body.Title, Description: given(body.Description),
		PassingScore: given(body.PassingScore), TimeLimitMinutes: given(body.TimeLimitMinutes),
		InviteExpiryDays: body.InviteExpiryDays, RedirectURL: given(body.RedirectURL),
		Instructions: given(body.Instructions), ClosingMessage: given(body.ClosingMessage),
		InviteMessage: given(body.InviteMessage), RemindAfterHours: body.RemindAfterHours,
		Locale: given(body.Locale), ShuffleQuestions: orZero(body.ShuffleQuestions),
		ShuffleOptions: orZero(body.ShuffleOptions), Window: rules.Window{
			OpensAt: instant(given(body.OpensAt)), ClosesAt: instant(given(body.ClosesAt)),
		}, RepeatRule: rules.RepeatRule(orZero(body.RepeatRule)), RepeatAfterDays: body.RepeatAfterDays,
		Grading: gradingChange(body.Grading), Definition: definition,
	}, err
}

func (s *Server) assessmentDetail(a *store.Assessment) gen.AssessmentDetailData {
	summary, t := apiAssessment(*a), s.textsOf(a)
	return gen.AssessmentDetailData{Data: gen.AssessmentDetail{
		ID: summary.ID, Title: summary.Title, Description: summary.Description, Status: summary.Status,
		PassingScore: summary.PassingScore, TimeLimitMinutes: summary.TimeLimitMinutes,
		InviteExpiryDays: summary.InviteExpiryDays, RedirectURL: summary.RedirectURL, Locale: summary.Locale,
		ShuffleQuestions: summary.ShuffleQuestions, ShuffleOptions: summary.ShuffleOptions,
		OpensAt: summary.OpensAt, ClosesAt: summary.ClosesAt,
		StageCount: summary.StageCount, QuestionCount: summary.QuestionCount, MaxPoints: summary.MaxPoints,
		CreatedAt: summary.CreatedAt, UpdatedAt: summary.UpdatedAt,
		PublishedAt: summary.PublishedAt, ArchivedAt: summary.ArchivedAt,
		RepeatRule: summary.RepeatRule, RepeatAfterDays: summary.RepeatAfterDays, Grading: summary.Grading,
		DescriptionHTML: t.htmlOrNull(a.Description),
		Instructions:    a.Instructions, InstructionsHTML: t.htmlOrNull(a.Instructions),
		ClosingMessage: a.ClosingMessage, ClosingMessageHTML: t.htmlOrNull(a.ClosingMessage),
		InviteMessage: a.InviteMessage, InviteMessageHTML: s.store.InviteHTML(a),
		RemindAfterHours: each(a.RemindAfterHours, func(hours int) int { return hours }),
		SessionCounts:    apiSessionCounts(a.Counts), Stages: t.stages(),
	}}
}

func (s *Server) publicAssessmentDetail(a *store.Assessment) gen.PublicAssessmentDetail {
	summary, t := apiAssessment(*a), s.textsOf(a)
	return gen.PublicAssessmentDetail{
		ID: summary.ID, Title: summary.Title, Description: summary.Description, Status: summary.Status,
		PassingScore: summary.PassingScore, TimeLimitMinutes: summary.TimeLimitMinutes,
		InviteExpiryDays: summary.InviteExpiryDays, RedirectURL: summary.RedirectURL, Locale: summary.Locale,
		ShuffleQuestions: summary.ShuffleQuestions, ShuffleOptions: summary.ShuffleOptions,
		OpensAt: summary.OpensAt, ClosesAt: summary.ClosesAt,
		StageCount: summary.StageCount, QuestionCount: summary.QuestionCount, MaxPoints: summary.MaxPoints,
		CreatedAt: summary.CreatedAt, UpdatedAt: summary.UpdatedAt,
		PublishedAt: summary.PublishedAt, ArchivedAt: summary.ArchivedAt,
		RepeatRule: summary.RepeatRule, RepeatAfterDays: summary.RepeatAfterDays, Grading: summary.Grading,
		DescriptionHTML: t.htmlOrNull(a.Description),
		Instructions:    a.Instructions, InstructionsHTML: t.htmlOrNull(a.Instructions),
		ClosingMessage: a.ClosingMessage, ClosingMessageHTML: t.htmlOrNull(a.ClosingMessage),
		Stages: t.publicStages(),
	}
}

// etag is the entity tag of an assessment (RFC 9110, section 8.8.3).
func etag(a *store.Assessment) string { return `"` + a.Revision() + `"` }

// revisions returns the revisions that an If-Match header names, or nil when it permits
// every revision. It ignores W/, which proxies add when they compress a response.
func revisions(ifMatch *string) []string {
	if ifMatch == nil {
		return nil
	}
	named := []string{}
	for tag := range strings.SplitSeq(*ifMatch, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" {
			return nil
		}
		named = append(named, strings.Trim(strings.TrimPrefix(tag, "W/"), `"`))
	}
	return named
}
