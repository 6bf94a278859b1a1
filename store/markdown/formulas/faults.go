package formulas

import (
	"errors"
	"regexp"
	"strings"

	"github.com/dop251/goja"
)

// reasonOf returns why a formula made the script fail.
func reasonOf(err error) string {
	var overflow *goja.StackOverflowError
	switch {
	case errors.Is(err, errTime):
		return "it takes too long"
	case errors.As(err, &overflow):
		return "its parts are nested too deep"
	}
	return "it is not valid TeX"
}

// context is what Temml appends to a message: the place, and an extract of the formula.
var context = regexp.MustCompile(`(?s)( at position \d+: | at end of input: ).*$`)

// plainReason is Temml's message of a fault in plain words. A message that is not in the table is shown as it is,
// because it names what is wrong in the terms of TeX.
func plainReason(message string) string {
	message = strings.TrimSpace(context.ReplaceAllString(message, ""))
	for _, known := range plainReasons {
		if match := known.message.FindStringSubmatch(message); match != nil {
			return strings.ReplaceAll(known.reason, "$1", match[len(match)-1])
		}
	}
	return strings.ToLower(message[:min(1, len(message))]) + message[min(1, len(message)):]
}

var plainReasons = []struct {
	message *regexp.Regexp
	reason  string
}{
	{
		regexp.MustCompile(`^(?:Unsupported function name|Undefined control sequence): (\\.*)$`),
		"the command $1 is unknown",
	},
	{regexp.MustCompile(`^Function "(\\.*)" is not trusted$`), "the command $1 is not permitted"},
	{regexp.MustCompile(`^No such environment: (.*)$`), "the environment $1 is unknown"},
	{regexp.MustCompile(`^Unexpected end of input in a macro argument`), "a } is missing"},
	{regexp.MustCompile(`^Expected '}', got 'EOF'`), "a } is missing"},
	{regexp.MustCompile(`^Expected 'EOF', got '}'`), "a } has no {"},
	{regexp.MustCompile(`^Extra }`), "a } has no {"},
	{regexp.MustCompile(`^Expected 'EOF', got '(.*)'`), "$1 is not expected here"},
	{regexp.MustCompile(`^Expected '\\right', got`), `a \left has no \right`},
	{regexp.MustCompile(`^Expected '\\end', got`), `a \begin has no \end`},
	{regexp.MustCompile(`^Expected & or \\\\ or \\cr or \\end`), `a \begin has no \end`},
	{regexp.MustCompile(`^Mismatch`), `a \begin and its \end have different names`},
	{regexp.MustCompile(`^Double superscript`), "two exponents follow one another: put braces around the first"},
	{regexp.MustCompile(`^Double subscript`), "two subscripts follow one another: put braces around the first"},
	{regexp.MustCompile(`^Expected group after '(.*)'`), "something must follow $1"},
	{regexp.MustCompile(`^Expected group as argument to '(.*)'`), "something must follow $1"},
	{regexp.MustCompile(`^Expected group as`), "something is missing here"},
	{regexp.MustCompile(`^Too many expansions`), "it has too many commands"},
	{regexp.MustCompile(`^Can't use function '(.*)' in math mode`), "$1 can only be used in text"},
	{regexp.MustCompile(`^Can't use function '(.*)' in text mode`), "$1 cannot be used in text"},
	{regexp.MustCompile(`^% comment has no terminating newline`), `a % begins a comment: write \%`},
	{regexp.MustCompile(`can be used only in display mode`), "it must be between $$ and $$"},
	{regexp.MustCompile(`^\\tag works only in display mode`), "it must be between $$ and $$"},
	{regexp.MustCompile(`^Invalid (?:size|unit): '(.*)'`), "$1 is not a length"},
}
