package exchange

import (
	"math"
	"slices"
	"strings"
)

// scoring is how an item of QTI 2 or 3 scores a response.
type scoring struct {
	maps     bool     // the mapping gives the points; otherwise the correct response gives all of them
	ignores  bool     // a comparison of strings that ignores the case
	equal    *node    // a comparison of numbers
	constant *float64 // the largest number that the score is set to
}

// understood has the elements of response processing that mean what Assay does, and those that only choose feedback.
var understood = []string{"responsecondition", "responseif", "responseelseif", "responseelse", "match", "variable",
	"correct", "setoutcomevalue", "basevalue", "mapresponse", "isnull", "not", "and", "or", "equal", "stringmatch", "sum",
	"responseprocessingfragment", "default", "multiple", "null"}

func (i *qtiItem) processing() scoring {
	var s scoring
	n := i.node.child("responseprocessing")
	if n == nil {
		return s
	}
	template := strings.TrimSuffix(strings.ToLower(n.attr("template")), ".xml")
	template = template[strings.LastIndexByte(template, '/')+1:]
	switch {
	case template == "match_correct":
		return s
	case template == "map_response":
		s.maps = true
		return s
	case template != "" && len(n.all()) == 0:
		i.q.note(ScoringChanged, n.line, n.attr("template"))
		return s
	}
	unknown := ""
	n.walk(func(c *node) bool {
		switch {
		case c.name == "mapresponse":
			s.maps = true
		case c.name == "equal":
			s.equal = c
		case c.name == "stringmatch":
			s.ignores = c.attr("casesensitive") == "false"
		case c.name == "setoutcomevalue" && c.attr("identifier") == "SCORE":
			s.set(c.child("basevalue"))
		case !slices.Contains(understood, c.name) && unknown == "":
			unknown = c.name
		}
		return true
	})
	if unknown != "" {
		i.q.note(ScoringChanged, n.line, unknown)
	}
	return s
}

func (s *scoring) set(base *node) {
	value, ok := xmlNumber(base.words())
	if base != nil && ok && (s.constant == nil || value > *s.constant) {
		s.constant = &value
	}
}

// declaration returns the declaration of a response, or nil.
func (i *qtiItem) declaration(interaction *node) *node {
	for _, declaration := range i.node.all("responsedeclaration") {
		if declaration.attr("identifier") == interaction.attr("responseidentifier") {
			return declaration
		}
	}
	i.q.note(NotUnderstood, interaction.line, "responseIdentifier="+interaction.attr("responseidentifier"))
	return nil
}

// correctValues returns the values of the correct response.
func correctValues(declaration *node) []string {
	var values []string
	for _, value := range declaration.child("correctresponse").all("value") {
		values = append(values, strings.TrimSpace(value.content()))
	}
	return values
}

// points reads the most points of the item, times the weight that the test gives it.
func (i *qtiItem) points(interaction *node) {
	weight := 1.0
	if i.weight > 0 {
		weight = i.weight
	}
	worth := 1.0
	if most := i.declaredMaximum(); most > 0 {
		worth = most
	} else if i.scoring.maps {
		if most := mappedMaximum(i.node, interaction); most > 0 {
			worth = most
		}
	} else if i.scoring.constant != nil && *i.scoring.constant > 0 {
		worth = *i.scoring.constant
	}
	worth = math.Round(worth*weight*1e6) / 1e6
	i.q.worth = &worth
}

// declaredMaximum returns MAXSCORE, or the normal maximum of SCORE, or 0.
func (i *qtiItem) declaredMaximum() float64 {
	most := 0.0
	for _, outcome := range i.node.all("outcomedeclaration") {
		value := 0.0
		switch outcome.attr("identifier") {
		case "MAXSCORE":
			value, _ = xmlNumber(outcome.child("defaultvalue").child("value").words())
		case "SCORE":
			value, _ = xmlNumber(outcome.attr("normalmaximum"))
		}
		if value > 0 && (most == 0 || outcome.attr("identifier") == "MAXSCORE") {
			most = value
		}
	}
	return most
}

// mappedMaximum returns the most points that a mapping gives.
func mappedMaximum(item, interaction *node) float64 {
	for _, declaration := range item.all("responsedeclaration") {
		if declaration.attr("identifier") != interaction.attr("responseidentifier") {
			continue
		}
		mapping := declaration.child("mapping")
		sum, largest := 0.0, 0.0
		for _, entry := range mapping.all("mapentry") {
			value, _ := xmlNumber(entry.attr("mappedvalue"))
			sum += max(value, 0)
			largest = max(largest, value)
		}
		if declaration.attr("cardinality") != "multiple" {
			sum = largest
		}
		if bound, ok := xmlNumber(mapping.attr("upperbound")); ok && bound > 0 {
			sum = min(sum, bound)
		}
		return sum
	}
	return 0
}
