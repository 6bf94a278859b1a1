package server

import (
	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// questionETag is the entity tag of a question of the bank.
func questionETag(q *store.BankQuestion) string { return `"` + q.Revision() + `"` }

func (s *Server) bankQuestion(q *store.BankQuestion) gen.BankQuestionData {
	t := s.textsOf(q.Texts)
	return gen.BankQuestionData{Data: gen.BankQuestion{
		ID: q.ID, Version: q.Version, Tags: q.Tags(), Question: t.question(1, q.Content), UsedIn: q.UsedIn,
		CreatedAt: timestamp(q.CreatedAt), UpdatedAt: timestamp(q.UpdatedAt), ArchivedAt: timeOrNull(q.ArchivedAt),
	}}
}

func apiBankSummary(q store.BankQuestion) gen.BankQuestionSummary {
	return gen.BankQuestionSummary{
		ID: q.ID, Version: q.Version, Type: gen.QuestionType(q.Type), Prompt: q.Prompt, Points: q.Points, Tags: q.Tags(),
		UsedIn: q.UsedIn, CreatedAt: timestamp(q.CreatedAt), UpdatedAt: timestamp(q.UpdatedAt),
		ArchivedAt: timeOrNull(q.ArchivedAt),
	}
}

// apiBankUse caps the share of points: with NEVER_LOWER, points on an excluded question remain.
func apiBankUse(use store.BankUse) gen.BankQuestionUse {
	var points *float64
	if use.MaxPoints > 0 {
		points = new(rules.Percent(min(max(use.Points, 0), use.MaxPoints), use.MaxPoints))
	}
	return gen.BankQuestionUse{
		AssessmentID: use.AssessmentID, AssessmentTitle: use.AssessmentTitle, Exposures: use.Exposures,
		Answers: use.Answers, CorrectShare: percentOrNull(use.Correct, use.Exposures), PointsShare: points,
	}
}

func storePool(in gen.PoolInput) rules.Pool {
	return rules.Pool{
		ID: orZero(in.ID), Title: given(in.Title), Count: in.Count, Points: in.Points,
		Tags: each(in.Tags, rules.Label),
	}
}

// apiPools maps the pools of a stage. A draft has no questions of pools yet.
func apiPools(stage rules.Stage, status rules.AssessmentStatus) []gen.Pool {
	return each(stage.Pools, func(pool rules.Pool) gen.Pool {
		mapped := gen.Pool{
			ID: pool.ID, Title: pool.Title, Count: pool.Count, Tags: each(pool.Tags, func(tag string) string { return tag }),
			Points: pool.Points,
		}
		if status != rules.AssessmentDraft {
			mapped.QuestionCount = new(stage.PoolSize(pool.ID))
		}
		return mapped
	})
}
