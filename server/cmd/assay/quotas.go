package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay/store"
)

func defaultQuotas() store.Quotas {
	return store.Quotas{
		Webhooks: 50, APIKeys: 100, Members: 500, Assessments: 5000, DefinitionBytes: 256 << 20, MediaBytes: 256 << 20,
		LiveSessions: 1_000_000, QueuedDeliveries: 1_000_000, Emails: 50_000, NewEmails: 200,
	}
}

// parseQuotas parses "off" or changes to the default quotas. A change has the form
// NAME=NUMBER. It returns all errors.
func parseQuotas(changes []string) (store.Quotas, []error) {
	if len(changes) == 1 && strings.TrimSpace(changes[0]) == "off" {
		return store.Quotas{}, nil
	}
	quotas := defaultQuotas()
	named := map[string]*int64{
		"webhooks": &quotas.Webhooks, "api-keys": &quotas.APIKeys, "members": &quotas.Members,
		"assessments": &quotas.Assessments, "definition-bytes": &quotas.DefinitionBytes,
		"media-bytes":   &quotas.MediaBytes,
		"live-sessions": &quotas.LiveSessions, "queued-deliveries": &quotas.QueuedDeliveries,
		"emails": &quotas.Emails, "new-emails": &quotas.NewEmails,
	}
	var faults []error
	changed := map[string]bool{}
	for _, change := range changes {
		name, value, _ := strings.Cut(strings.TrimSpace(change), "=")
		parsed, err := parseQuota(value)
		switch {
		case named[name] == nil:
			err = errors.New("names no quota")
		case err == nil && changed[name]:
			err = errors.New("is the second value of the quota")
		case err == nil:
			*named[name] = parsed
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%q %w", change, err))
		}
		changed[name] = true
	}
	return quotas, faults
}

const maxQuota = 1_000_000_000_000

func parseQuota(text string) (int64, error) {
	quota, err := strconv.ParseInt(text, 10, 64)
	if err != nil || quota < 1 || quota > maxQuota || text[0] == '+' {
		return 0, fmt.Errorf("is not like webhooks=100, with a number from 1 to %d", int64(maxQuota))
	}
	return quota, nil
}
