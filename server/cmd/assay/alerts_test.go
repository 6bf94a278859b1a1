package main

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Each alert has a case in which it fires and one in which it does not. make check-alerts runs them.
func TestEachAlertHasCases(t *testing.T) {
	t.Parallel()
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert       string
				Annotations struct{ Summary string }
			}
		}
	}
	var cases struct {
		RuleFiles []string `yaml:"rule_files"`
		Tests     []struct {
			InputSeries   []any `yaml:"input_series"`
			AlertRuleTest []struct {
				Alertname string
				ExpAlerts []any `yaml:"exp_alerts"`
			} `yaml:"alert_rule_test"`
		}
	}
	for file, into := range map[string]any{".deploy/alerts.yaml": &rules, ".deploy/alerts_test.yaml": &cases} {
		if err := yaml.Unmarshal([]byte(readFile(t, file)), into); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	fires, silent, known := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, test := range cases.Tests {
		for _, alert := range test.AlertRuleTest {
			switch {
			case len(test.InputSeries) == 0:
				t.Errorf("a case of %s has no series", alert.Alertname)
			case len(alert.ExpAlerts) > 0:
				fires[alert.Alertname] = true
			default:
				silent[alert.Alertname] = true
			}
		}
	}
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			known[rule.Alert] = true
			if !fires[rule.Alert] || !silent[rule.Alert] {
				t.Errorf("%s: a case that fires: %t, and one that does not: %t",
					rule.Alert, fires[rule.Alert], silent[rule.Alert])
			}
			if !strings.HasSuffix(rule.Annotations.Summary, ".") {
				t.Errorf("%s has no summary", rule.Alert)
			}
		}
	}
	for name := range fires {
		if !known[name] {
			t.Errorf("there is no alert %s", name)
		}
	}
	if len(cases.RuleFiles) != 1 || cases.RuleFiles[0] != "alerts.yaml" || len(known) == 0 {
		t.Errorf("rules of %q, %d alerts", cases.RuleFiles, len(known))
	}
}
