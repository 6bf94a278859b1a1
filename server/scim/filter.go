package scim

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"assay/server/request"
	"assay/store"
)

// comparison is the only form of a filter that identity providers send: they look for one person.
var comparison = regexp.MustCompile(`(?is)^\s*([^\s\[]+(?:\[[^\]]*\]\S*)?)\s+eq\s+(".*")\s*$`)

// parseFilter reads a filter (RFC 7644, section 3.4.2.2). isEmpty reports that no member can match.
func parseFilter(ctx context.Context, text string) (filter store.ProvisionedFilter, isEmpty bool, err error) {
	if text == "" {
		return filter, false, nil
	}
	parts := comparison.FindStringSubmatch(text)
	var value string
	if parts == nil || json.Unmarshal([]byte(parts[2]), &value) != nil {
		return filter, false, unsupportedFilter()
	}
	switch strings.ToLower(trimSchema(parts[1])) {
	case "username", "emails", "emails.value", `emails[type eq "work"].value`:
		filter.Email = &value
		return filter, !request.Accepts(ctx, "Email", value), nil
	case "externalid":
		filter.ExternalID = &value
		return filter, !request.Accepts(ctx, "ExternalId", value), nil
	}
	return filter, false, unsupportedFilter()
}

func unsupportedFilter() error {
	return &fault{invalidFilter, `The filter must be userName eq "…", emails.value eq "…", or externalId eq "…".`}
}

// trimSchema removes the name of the schema of users from an attribute (RFC 7644, section 3.10).
func trimSchema(attribute string) string {
	const prefix = userSchema + ":"
	if len(attribute) > len(prefix) && strings.EqualFold(attribute[:len(prefix)], prefix) {
		return attribute[len(prefix):]
	}
	return attribute
}
