package server

import (
	"context"
	"math"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// RetrieveAssessmentStatistics implements GET /v1/assessments/{id}/statistics.
func (s *Server) RetrieveAssessmentStatistics(
	ctx context.Context, request gen.RetrieveAssessmentStatisticsRequestObject,
) (gen.RetrieveAssessmentStatisticsResponseObject, error) {
	statistics, err := s.store.RetrieveAssessmentStatistics(ctx, scopeOf(ctx), request.ID, request.Params.SegmentID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveAssessmentStatistics200JSONResponse{
		Body: gen.AssessmentStatisticsData{Data: apiStatistics(statistics)},
	}, nil
}

// RetrieveAssessmentQuestionStatistics implements GET /v1/assessments/{id}/statistics/questions.
func (s *Server) RetrieveAssessmentQuestionStatistics(
	ctx context.Context, request gen.RetrieveAssessmentQuestionStatisticsRequestObject,
) (gen.RetrieveAssessmentQuestionStatisticsResponseObject, error) {
	statistics, err := s.store.RetrieveAssessmentQuestionStatistics(ctx, scopeOf(ctx), request.ID,
		request.Params.SegmentID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveAssessmentQuestionStatistics200JSONResponse{
		Body: gen.AssessmentQuestionStatisticsData{Data: gen.AssessmentQuestionStatistics{
			ComputedAt: store.WireTime(statistics.ComputedAt), Questions: apiQuestionStatistics(statistics),
		}},
	}, nil
}

func apiSessionCounts(counts store.SessionCounts) gen.SessionCounts {
	return gen.SessionCounts{
		Invited: counts[rules.SessionInvited], InProgress: counts[rules.SessionInProgress],
		InReview: counts[rules.SessionInReview], Completed: counts[rules.SessionCompleted],
		Disqualified: counts[rules.SessionDisqualified], Expired: counts[rules.SessionExpired],
		Cancelled: counts[rules.SessionCancelled],
	}
}

func apiStatistics(s store.AssessmentStatistics) gen.AssessmentStatistics {
	completed, started := s.Counts[rules.SessionCompleted], s.Counts.Started()
	var passRate *float64
	var passed *int64
	if s.Assessment.PassingScore != nil {
		passRate, passed = percentOrNull(s.Finished.Passed, completed), &s.Finished.Passed
	}
	completionRate := percentOrNull(completed, started)
	if s.SegmentID != nil { // it contains no sessions that have not finished
		completionRate = nil
	}
	mapped := gen.AssessmentStatistics{
		ComputedAt: store.WireTime(s.ComputedAt), SegmentID: s.SegmentID, Complete: s.Complete,
		SessionCounts: apiSessionCounts(s.Counts), CompletionRate: completionRate, PassRate: passRate, PassedCount: passed,
		PassingScore: s.Assessment.PassingScore,
		Duration: gen.DurationStatistics{
			MedianSeconds: rounded(s.Finished.Durations.Quantile(0.5)), P90Seconds: rounded(s.Finished.Durations.Quantile(0.9)),
		},
		Scores: apiScores(s.Scores), Reliability: apiReliability(s.Reliability()),
		PassingBand: apiPassingBand(s.PassingBand()), Speed: apiSpeed(s.Speed()), Stages: []gen.StageStatistics{},
	}
	for i, stage := range s.Assessment.Definition.Stages {
		tally := s.Finished.Stages[i]
		mapped.Stages = append(mapped.Stages, gen.StageStatistics{
			ID: stage.ID, Order: i + 1, Title: stage.Title, Gate: apiGate(stage.Gate),
			Reached: tally.Reached, Passed: tally.Passed, Failed: tally.Failed,
			MedianScore: decimals(tally.Scores.Quantile(0.5), 2), Reliability: apiReliability(s.StageReliability(i)),
			MedianSeconds: rounded(tally.Durations.Quantile(0.5)), OutOfTimeCount: tally.OutOfTime,
		})
	}
	return mapped
}

func apiScores(d rules.Distribution) gen.ScoreStatistics {
	const width = 100.0 / rules.ScoreBins
	scores := gen.ScoreStatistics{
		Count: d.Count, Mean: d.Mean, StandardDeviation: decimals(d.StandardDeviation, 2),
		Skewness: decimals(d.Skewness, 4), LowerQuartile: d.Lower, Median: d.Median, UpperQuartile: d.Upper,
	}
	for i, count := range d.Bins {
		scores.Bins = append(scores.Bins, gen.ScoreBin{From: width * float64(i), To: width * float64(i+1), Count: count})
	}
	return scores
}

func apiQuestionStatistics(s store.AssessmentStatistics) []gen.QuestionStatistics {
	questions := []gen.QuestionStatistics{}
	for i, stage := range s.Assessment.Definition.Stages {
		for j, question := range stage.Questions {
			reached := s.Finished.Stages[i].QuestionReached(stage, j)
			tally := s.Finished.Stages[i].Questions[j]
			mapped := gen.QuestionStatistics{
				ID: question.ID, StageID: stage.ID, Order: j + 1, Type: string(question.Type), Prompt: question.Prompt,
				MaxPoints: question.Points, Reached: reached, Answered: tally.Answered,
				MeanPoints: decimals(tally.MeanPoints(reached), 2), Difficulty: decimals(tally.Difficulty(question, reached), 4),
				Discrimination: decimals(tally.Pairs.Correlation(), 4), Options: []gen.OptionStatistics{},
				DiscriminationInterval: apiInterval(tally.Pairs.Interval(), 4), AlphaWithout: decimals(s.AlphaWithout(i, j), 4),
				TimedCount: tally.Times.Count(), MedianSeconds: rounded(tally.Times.Quantile(0.5)),
				P90Seconds: rounded(tally.Times.Quantile(0.9)), KeySuspicions: named(s.Suspicions(i, j)),
			}
			for k, option := range question.Options {
				figures := s.Option(i, j, k)
				mapped.Options = append(mapped.Options, gen.OptionStatistics{
					ID: option.ID, Text: option.Text, Chosen: tally.Chosen[k],
					Correct:        rules.AcceptsOption(question, option.ID, s.Corrections),
					Discrimination: decimals(figures.Discrimination, 4), Findings: named(figures.Findings),
					DiscriminationInterval: apiInterval(figures.Interval, 4),
				})
			}
			questions = append(questions, mapped)
		}
	}
	return questions
}

func apiReliability(r rules.Reliability) gen.Reliability {
	return gen.Reliability{
		Alpha: decimals(r.Alpha, 4), Interval: apiInterval(r.Interval, 4), StandardError: decimals(r.StandardError, 2),
		QuestionCount: r.Questions, Count: r.Count, Finding: string(r.Finding), ResultsNeeded: r.ResultsNeeded,
	}
}

func apiPassingBand(band *rules.PassingBand) *gen.PassingBand {
	if band == nil {
		return nil
	}
	return &gen.PassingBand{From: *decimals(&band.From, 2), To: *decimals(&band.To, 2), Count: band.Count}
}

func apiSpeed(s rules.Speed) gen.SpeedStatistics {
	return gen.SpeedStatistics{
		OutOfTimeCount: s.OutOfTime, OutOfTimeRate: decimals(s.Rate, 2), Interval: apiInterval(s.Interval, 2),
		Finding: string(s.Finding),
	}
}

// apiInterval rounds the ends to n decimals.
func apiInterval(interval *rules.Interval, n int) *gen.ConfidenceInterval {
	if interval == nil {
		return nil
	}
	return &gen.ConfidenceInterval{From: *decimals(&interval.From, n), To: *decimals(&interval.To, n)}
}

// named maps a list of values that are texts.
func named[Text ~string](values []Text) []string {
	return each(values, func(value Text) string { return string(value) })
}

// percentOrNull is part of whole in percent, or null when there is no whole.
func percentOrNull(part, whole int64) *float64 {
	if whole == 0 {
		return nil
	}
	return new(rules.Percent(float64(part), float64(whole)))
}

func rounded(number *float64) *int {
	if number == nil {
		return nil
	}
	return new(int(math.Round(*number)))
}

// decimals rounds a number to n decimals.
func decimals(number *float64, n int) *float64 {
	if number == nil {
		return nil
	}
	factor := math.Pow10(n)
	return new(math.Round(*number*factor) / factor)
}
