package rules

import (
	"strings"
	"time"
	_ "time/tzdata" // for hosts without a time zone database

	"golang.org/x/text/language"
)

// The codes of the refusals to start a session, as in openapi.yaml's ErrorCode.
const (
	AssessmentNotOpen = "assessment_not_open"
	AssessmentClosed  = "assessment_closed"
)

// Window is the time in which sessions of an assessment can be started, see StartTerms. It
// does not limit sessions that are in progress. A nil time does not limit anything.
type Window struct {
	OpensAt  *time.Time // the first moment
	ClosesAt *time.Time // the first moment after it
}

// Faults returns the fault of a window that ends before it begins.
func (w Window) Faults() []Fault {
	if w.OpensAt == nil || w.ClosesAt == nil || w.OpensAt.Before(*w.ClosesAt) {
		return nil
	}
	return []Fault{{Pointer: "/closesAt", Code: "too_small", Detail: "must be after opensAt"}}
}

// LocaleFaults returns the fault of a language tag that is not valid (BCP 47): its
// form is wrong, or it has a part that is not registered.
func LocaleFaults(tag *string) []Fault {
	if tag == nil {
		return nil
	}
	if _, err := language.Parse(*tag); err == nil {
		return nil
	}
	return []Fault{{Pointer: "/locale", Code: "invalid_value", Detail: "must be a BCP 47 language tag, such as pt-BR"}}
}

// TimeZoneFaults returns the fault of a name that is not in the IANA time zone database.
func TimeZoneFaults(name *string) []Fault {
	if name == nil || IsTimeZone(*name) {
		return nil
	}
	return []Fault{{
		Pointer: "/timeZone", Code: "invalid_value", Detail: "must be an IANA time zone, such as Europe/Berlin",
	}}
}

// IsTimeZone reports whether a name is in the IANA time zone database. It rejects what LoadLocation also accepts:
// the host's own zone, and files
// that only some hosts have.
func IsTimeZone(name string) bool {
	if name == "" || name == "Local" || strings.HasPrefix(name, "posix") || strings.HasPrefix(name, "right/") {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}
