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

// speeded is the percentage of candidates who may run out of time: at least 80 percent should reach the end (Swineford
// 1974).
const speeded = 20

// Speed is how many finished sessions ran out of time.
type Speed struct {
	OutOfTime int64
	Rate      *float64  // percent of finished sessions
	Interval  *Interval // in percent
	Finding   SpeedFinding
}

// Speed says whether the time is enough. finished is the number of completed and disqualified sessions. isLimited says
// whether the assessment or one of its stages has a time limit. Statistics of another version do not contain who ran
// out of time.
func (s Statistics) Speed(finished int64, isLimited bool) Speed {
	if s.Version != StatisticsVersion {
		finished = 0
	}
	outOfTime := PassCount{min(s.OutOfTime, finished), finished}
	speed := Speed{OutOfTime: s.OutOfTime, Rate: outOfTime.Rate(), Interval: outOfTime.Interval(), Finding: SpeedUncertain}
	switch {
	case !isLimited:
		speed.Finding = NoTimeLimit
	case finished < enoughResults:
		speed.Finding = SpeedFewResults
	case speed.Interval.From > speeded:
		speed.Finding = TooLittleTime
	case speed.Interval.To < speeded:
		speed.Finding = EnoughTime
	}
	return speed
}
