package rules

// OptionFinding is what is unusual about a wrong option.
type OptionFinding string

// The findings about options.
const (
	HardlyChosen     OptionFinding = "HARDLY_CHOSEN"
	ChosenByStronger OptionFinding = "CHOSEN_BY_STRONGER"
)

// hardlyChosen is the share of answers below which a wrong option does not help to tell candidates apart (Haladyna and
// Downing 1993).
const hardlyChosen = 0.05

// optionPairs are choosing the option at position k (1, or 0) and the points for all other questions.
func (t QuestionTally) optionPairs(k int) Pairs {
	p := t.Pairs
	if p.N == 0 {
		return Pairs{}
	}
	chosen := float64(t.Choosers[k])
	p.MeanX = chosen / float64(p.N)
	p.XX = chosen * (1 - p.MeanX)
	p.XY = chosen * (t.Rest[k] - p.MeanY)
	return p
}

// OptionDiscrimination is the correlation of choosing the option at position k with the points for all other questions.
// It is nil if nobody or everybody chose it.
func (t QuestionTally) OptionDiscrimination(k int) *float64 { return t.optionPairs(k).Correlation() }

// OptionInterval is the interval of OptionDiscrimination.
func (t QuestionTally) OptionInterval(k int) *Interval { return t.optionPairs(k).Interval() }

// strongerChoose reports whether candidates who are stronger elsewhere choose the option. The interval of a
// correlation is wrong if only a few candidates differ from all others.
func (t QuestionTally) strongerChoose(k int) bool {
	interval := t.OptionInterval(k)
	few := min(t.Choosers[k], t.Pairs.N-t.Choosers[k])
	return interval != nil && interval.From > 0 && few >= enoughAnswers
}

// OptionFindings returns what is unusual about the option at position k. There is nothing unusual about a right one.
func OptionFindings(q Question, t QuestionTally, k int, corrections []Correction) []OptionFinding {
	findings := []OptionFinding{}
	accepted := keysOf(q, corrections)
	if accepted.full || accepted.excluded || q.Points <= 0 || accepted.accepts(q.Options[k].ID) {
		return findings
	}
	if t.Answered > 0 && wilson(float64(t.Chosen[k]), float64(t.Answered)).To < hardlyChosen {
		findings = append(findings, HardlyChosen)
	}
	if t.strongerChoose(k) {
		findings = append(findings, ChosenByStronger)
	}
	return findings
}
