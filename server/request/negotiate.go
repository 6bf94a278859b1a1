package request

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/gen"
)

var errNotAcceptable = &Fault{
	Status: http.StatusNotAcceptable, Code: gen.ErrorCodeNotAcceptable,
	Detail: "The header Accept excludes application/json, and this operation returns nothing else.",
}

// acceptsJSON reads Accept (RFC 9110, section 12.5.1). Of the ranges that contain JSON, the most
// specific one counts. A header that nobody can read excludes nothing.
func acceptsJSON(values []string) bool {
	const none, all, applications, json = 0, 1, 2, 3
	isEmpty, found, accepted := true, none, false
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		kind, parameters, _ := strings.Cut(item, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
		if kind == "" {
			continue
		}
		isEmpty = false
		contains := map[string]int{"*": all, "*/*": all, "application/*": applications, echo.MIMEApplicationJSON: json}[kind]
		if contains == none || contains < found {
			continue
		}
		isWanted := weight(parameters) > 0
		accepted = isWanted || contains == found && accepted
		found = contains
	}
	return isEmpty || accepted
}

// weight returns the parameter q of a range, which is 1 if it is absent or nobody can read it.
func weight(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		if q, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil {
			return q
		}
	}
	return 1
}
