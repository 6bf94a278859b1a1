package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// exportedMetrics returns the labels of each metric of a process by name, also of the series of histograms.
func exportedMetrics(t *testing.T) map[string][]string {
	t.Helper()
	descriptions := make(chan *prometheus.Desc)
	registry := instrumented(t)
	go func() {
		registry.Describe(descriptions)
		close(descriptions)
	}()
	labels := map[string][]string{}
	for description := range descriptions {
		text := description.String()
		name := regexp.MustCompile(`fqName: "([^"]+)"`).FindStringSubmatch(text)[1]
		_, text, _ = strings.Cut(text, "constLabels:")
		own := []string{"instance", "job"} // which Prometheus adds
		for _, match := range regexp.MustCompile(`(\w+)="|[{,](\w+)(?:[,}])`).FindAllStringSubmatch(
			strings.ReplaceAll(text, ",", ",,"), -1) {
			own = append(own, match[1]+match[2])
		}
		for _, suffix := range []string{"", "_sum", "_count"} {
			labels[name+suffix] = own
		}
		labels[name+"_bucket"] = append(slices.Clone(own), "le")
	}
	return labels
}

var (
	promText     = regexp.MustCompile(`"[^"]*"`)
	promRange    = regexp.MustCompile(`\[(\$__rate_interval|[0-9]+[smhd])\]`)
	promGrouping = regexp.MustCompile(`\b(?:by|without) \(([a-z_, ]*)\)`)
	promSelector = regexp.MustCompile(`([a-z_:]+)?\{([^}]*)\}`)
	promMatcher  = regexp.MustCompile(`^([a-z_]+)(=|!=|=~|!~)$`)
	promWord     = regexp.MustCompile(`[a-zA-Z_:][a-zA-Z0-9_:]*`)
	promFunction = regexp.MustCompile(
		`^(sum|min|max|avg|count|topk|rate|increase|changes|histogram_quantile|vector|or|time)$`)
)

// wrongNames returns the words of a query that are neither a function, nor a metric that exists, nor a label of its
// metrics.
func wrongNames(query string, exported map[string][]string) (wrong []string) {
	query = promRange.ReplaceAllString(promText.ReplaceAllString(query, ""), "")
	if strings.Count(query, "(") != strings.Count(query, ")") || strings.ContainsAny(query, `[]"$`) {
		wrong = append(wrong, query)
	}
	var names, used []string
	for _, match := range promGrouping.FindAllStringSubmatch(query, -1) {
		used = append(used, strings.Split(match[1], ", ")...)
	}
	query = promGrouping.ReplaceAllString(query, "")
	for _, match := range promSelector.FindAllStringSubmatch(query, -1) {
		for matcher := range strings.SplitSeq(match[2], ", ") {
			parts := promMatcher.FindStringSubmatch(matcher)
			if parts == nil {
				wrong = append(wrong, matcher)
				continue
			}
			used = append(used, parts[1])
		}
	}
	query = promSelector.ReplaceAllString(query, "$1")
	for _, word := range promWord.FindAllString(query, -1) {
		if !promFunction.MatchString(word) {
			names = append(names, word)
		}
	}
	if len(names) == 0 {
		wrong = append(wrong, "no metric in "+query)
	}
	for _, name := range names {
		if exported[name] == nil {
			wrong = append(wrong, name)
		}
	}
	for _, label := range used {
		has := func(name string) bool { return slices.Contains(exported[name], label) }
		if len(wrong) == 0 && !slices.ContainsFunc(names, has) {
			wrong = append(wrong, label)
		}
	}
	return wrong
}

// A query for a metric or a label that does not exist shows an empty panel.
func TestDashboardOfGrafana(t *testing.T) {
	t.Parallel()
	exported := exportedMetrics(t)
	var dashboard struct {
		Templating struct {
			List []struct{ Name, Definition string }
		}
		Panels []struct {
			ID          int
			Type, Title string
			GridPos     struct{ X, Y, W, H int }
			Targets     []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal([]byte(readFile(t, ".deploy/grafana.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	shown, places := "", map[[2]int]string{}
	for _, panel := range dashboard.Panels {
		for x := range panel.GridPos.W {
			for y := range panel.GridPos.H {
				place := [2]int{panel.GridPos.X + x, panel.GridPos.Y + y}
				if places[place] != "" {
					t.Fatalf("%s covers %s", panel.Title, places[place])
				}
				places[place] = panel.Title
			}
		}
		if (len(panel.Targets) == 0) != (panel.Type == "row") {
			t.Errorf("%s has %d queries", panel.Title, len(panel.Targets))
		}
		for _, target := range panel.Targets {
			shown += target.Expr + "\n"
			if wrong := wrongNames(target.Expr, exported); len(wrong) > 0 {
				t.Errorf("%s: there is no %q in %s", panel.Title, wrong, target.Expr)
			}
			for _, match := range regexp.MustCompile(`\{\{(\w+)\}\}`).FindAllStringSubmatch(target.LegendFormat, -1) {
				if !regexp.MustCompile(`\b` + match[1] + `\b`).MatchString(target.Expr) {
					t.Errorf("%s: %s is not in its query", panel.Title, match[0])
				}
			}
		}
	}
	for _, variable := range dashboard.Templating.List {
		if metric := regexp.MustCompile(`^label_values\((\w+), `).FindStringSubmatch(variable.Definition); metric != nil &&
			exported[metric[1]] == nil {
			t.Errorf("%s: there is no %s", variable.Name, metric[1])
		}
	}
	for name := range exported {
		if base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, ""); strings.HasPrefix(name, "assay_") &&
			!strings.Contains(shown, base) {
			t.Errorf("no panel shows %s", base)
		}
	}

	// The check finds what it must find.
	for query, want := range map[string]string{
		`sum(rate(assay_webhook_claims{job="x"}[5m]))`:                           "assay_webhook_claims",
		`sum by (state) (assay_webhook_backlog)`:                                 "state",
		`rate(assay_http_request_duration_seconds_count{code="500"}[5m])`:        "code",
		`histogram_quantiles(0.9, assay_http_request_duration_seconds_bucket)`:   "histogram_quantiles",
		`sum(rate(assay_webhook_claims_total{instance=~"$instance"}[$interval])`: "",
	} {
		if wrong := wrongNames(query, exported); len(wrong) == 0 || !strings.Contains(wrong[0], want) {
			t.Errorf("%s: found %q, want %s", query, wrong, want)
		}
	}
}
