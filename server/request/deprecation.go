package request

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// noticePeriod is the shortest time between x-deprecated-at and x-sunset.
const noticePeriod = 365 * 24 * time.Hour

// deprecation announces the end of an operation on each of its responses.
type deprecation struct {
	since  string // Deprecation (RFC 9745): "@" and Unix seconds; empty if it is not deprecated
	sunset string // Sunset (RFC 8594): an HTTP date
}

func (d deprecation) announce(header http.Header) {
	if d.since != "" {
		header.Set("Deprecation", d.since)
		header.Set("Sunset", d.sunset)
	}
}

// readDeprecation reads `deprecated` and its dates, x-deprecated-at and x-sunset,
// in the form 2027-01-31.
func readDeprecation(described *openapi3.Operation) (d deprecation, err error) {
	var dates [2]time.Time
	for i, name := range []string{"x-deprecated-at", "x-sunset"} {
		var text string
		if described.Extensions[name] != nil != described.Deprecated {
			return d, fmt.Errorf("deprecated and %s belong together", name)
		}
		if !described.Deprecated {
			continue
		}
		if err := extension(described, name, &text); err != nil {
			return d, fmt.Errorf("%s: %w", name, err)
		}
		if dates[i], err = time.Parse(time.DateOnly, text); err != nil {
			return d, fmt.Errorf("%s: %w", name, err)
		}
	}
	if !described.Deprecated {
		return d, nil
	}

	if dates[1].Sub(dates[0]) < noticePeriod {
		return d, errors.New("x-sunset is less than a year after x-deprecated-at")
	}
	return deprecation{since: "@" + strconv.FormatInt(dates[0].Unix(), 10), sunset: dates[1].Format(http.TimeFormat)}, nil
}
