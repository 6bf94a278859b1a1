package store

import "assay/store/rules"

// Documents of earlier versions lack some sums. Until such a document has been replaced, the figures that need these
// sums are missing, and their findings are uncertain: that there are few results would be false.

func (s AssessmentStatistics) hasAllSums() bool { return s.Finished.Version == rules.StatisticsVersion }

// Reliability is that of the whole assessment.
func (s AssessmentStatistics) Reliability() rules.Reliability {
	if !s.hasAllSums() {
		return rules.Reliability{Finding: rules.ReliabilityUncertain}
	}
	return s.Finished.Reliability(s.Assessment.Definition)
}

// StageReliability is that of the stage at position i.
func (s AssessmentStatistics) StageReliability(i int) rules.Reliability {
	if !s.hasAllSums() {
		return rules.Reliability{Finding: rules.ReliabilityUncertain}
	}
	return s.Finished.StageReliability(s.Assessment.Definition, i)
}

// AlphaWithout is alpha without the question at position j of stage i, or nil.
func (s AssessmentStatistics) AlphaWithout(i, j int) *float64 {
	if !s.hasAllSums() {
		return nil
	}
	return s.Finished.AlphaWithout(s.Assessment.Definition, i, j)
}

// PassingBand is nil without a passing score or a standard error. Only RetrieveAssessmentStatistics reads the scores.
func (s AssessmentStatistics) PassingBand() *rules.PassingBand {
	passing, standardError := s.Assessment.PassingScore, s.Reliability().StandardError
	if passing == nil || standardError == nil {
		return nil
	}
	return new(rules.NewPassingBand(s.scores, *passing, *standardError))
}

// Speed says whether the time is enough.
func (s AssessmentStatistics) Speed() rules.Speed {
	isLimited := s.Assessment.TimeLimitMinutes != nil
	for _, stage := range s.Assessment.Definition.Stages {
		isLimited = isLimited || stage.TimeLimitMinutes != nil
	}
	if isLimited && !s.hasAllSums() {
		return rules.Speed{Finding: rules.SpeedUncertain}
	}
	return s.Finished.Speed(s.Counts[rules.SessionCompleted]+s.Counts[rules.SessionDisqualified], isLimited)
}

// Suspicions says why the key of the question at position j of stage i is probably wrong.
func (s AssessmentStatistics) Suspicions(i, j int) []rules.Suspicion {
	if !s.hasAllSums() {
		return nil
	}
	return rules.Suspicions(s.Assessment.Definition.Stages[i].Questions[j], s.Finished.Stages[i].Questions[j],
		s.Corrections)
}

// Option is what the statistics say of an option.
type Option struct {
	Discrimination *float64
	Interval       *rules.Interval
	Findings       []rules.OptionFinding
}

// Option returns the figures of option k of the question at position j of stage i.
func (s AssessmentStatistics) Option(i, j, k int) Option {
	if !s.hasAllSums() {
		return Option{}
	}
	tally := s.Finished.Stages[i].Questions[j]
	return Option{
		Discrimination: tally.OptionDiscrimination(k), Interval: tally.OptionInterval(k),
		Findings: rules.OptionFindings(s.Assessment.Definition.Stages[i].Questions[j], tally, k, s.Corrections),
	}
}
