package rules

// Judge are the ratings of one person: the share of the points, in percent, by question.
type Judge map[string]float64

// CutScore is the sum of the judge's ratings in percent of all points. It is nil unless each question with points is rated.
func (j Judge) CutScore(d Definition) *float64 { panic("not written") }

// CutScore is what several judges suggest.
type CutScore struct {
	Value         *float64
	StandardError *float64 // nil below two judges
}

// NewCutScore is the mean of the judges who have rated every question (modified Angoff method).
func NewCutScore(d Definition, judges []Judge) CutScore { panic("not written") }

// Consistency is how often candidates would be on the same side of a cut score twice.
type Consistency struct {
	Agreement float64
	Kappa     *float64 // nil if everybody is on one side
}

// NewConsistency computes it for a cut score, from the mean and the standard deviation of the scores and from their
// reliability (Peng and Subkoviak 1980).
func NewConsistency(cut, mean, standardDeviation, reliability float64) Consistency {
	panic("not written")
}
