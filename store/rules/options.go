package rules

// OptionFinding is what is unusual about a wrong option.
type OptionFinding string

// The findings about options.
const (
	HardlyChosen     OptionFinding = "HARDLY_CHOSEN"
	ChosenByStronger OptionFinding = "CHOSEN_BY_STRONGER"
)

// OptionDiscrimination is the correlation of choosing the option at position k with the points for all other questions.
func (t QuestionTally) OptionDiscrimination(k int) *float64 { panic("not written") }

// OptionInterval is the interval of OptionDiscrimination.
func (t QuestionTally) OptionInterval(k int) *Interval { panic("not written") }

// OptionFindings returns what is unusual about the option at position k. There is nothing unusual about a right one.
func OptionFindings(q Question, t QuestionTally, k int, corrections []Correction) []OptionFinding {
	panic("not written")
}
