package rules

// SpeedFinding says whether candidates have enough time.
type SpeedFinding string

// The findings about time.
const (
	TooLittleTime   SpeedFinding = "TOO_LITTLE_TIME"
	EnoughTime      SpeedFinding = "ENOUGH_TIME"
	SpeedUncertain  SpeedFinding = "UNCERTAIN"
	SpeedFewResults SpeedFinding = "TOO_FEW_RESULTS"
	NoTimeLimit     SpeedFinding = "NO_TIME_LIMIT"
)

// Speed is how many finished sessions ran out of time.
type Speed struct {
	OutOfTime int64
	Rate      *float64  // percent of finished sessions
	Interval  *Interval // in percent
	Finding   SpeedFinding
}

// Speed says whether the time is enough. finished is the number of completed and disqualified sessions. isLimited says
// whether the assessment or one of its stages has a time limit.
func (s Statistics) Speed(finished int64, isLimited bool) Speed { panic("not written") }
