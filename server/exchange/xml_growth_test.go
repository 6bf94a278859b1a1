//go:build unix

package exchange

import (
	"strings"
	"testing"
)

// xmlGrowth has inputs that could take quadratic time: each is repeated to a length.
var xmlGrowth = map[string]struct{ before, repeated, after string }{
	"Moodle questions": {"<quiz>", largeMoodle, "</quiz>"},
	"categories": {"<quiz>", `<question type="category"><category><text>$course$/a/b</text></category></question>`,
		"</quiz>"},
	"open elements":   {"<quiz>", "<question>", ""},
	"texts":           {"<quiz><question>", "a<!-- -->", ""},
	"open tags":       {moodleStart, "<b>", moodleEnd},
	"open paragraphs": {moodleStart, "<p><font a=1>", moodleEnd},
	"lists":           {moodleStart, "<ul><li>", moodleEnd},
	"cells":           {moodleStart, "<td>|", moodleEnd},
	"rows":            {moodleStart + "<table>", "<tr><td>a", moodleEnd},
	"emphasis":        {moodleStart, "<b>a</b><i>*_</i>", moodleEnd},
	"spaces in marks": {moodleStart, "<b> </b>", moodleEnd},
	"breaks":          {moodleStart, "<br>", moodleEnd},
	"backslashes":     {moodleStart, `\(`, moodleEnd},
	"dollars":         {moodleStart, `$$`, moodleEnd},
	"stars":           {moodleStart, `*`, moodleEnd},
	"lines":           {moodleStart, `_ `, moodleEnd},
	"backticks":       {moodleStart, "<code>`</code>", moodleEnd},
	"code":            {moodleStart, "<code>a<br>", moodleEnd},
	"brackets":        {moodleStart, "&lt;[", moodleEnd},
	"ampersands":      {moodleStart, "&amp;", moodleEnd},
	"quotations":      {moodleStart, "<blockquote>a", moodleEnd},
	"formulas":        {moodleStart, "<math><msup>", moodleEnd},
	"scripts":         {moodleStart, "<sup>a", moodleEnd},
	"items": {`<questestinterop>`, `<item><presentation><material><mattext>Q</mattext></material>` +
		`</presentation></item>`, `</questestinterop>`},
	"sections": {`<questestinterop>`, `<section title="a">`, ``},
	"conditions": {`<questestinterop><item><resprocessing>`,
		`<respcondition><conditionvar><varequal>a</varequal></conditionvar><setvar>1</setvar></respcondition>`,
		`</resprocessing></item></questestinterop>`},
	"interactions": {`<assessmentItem><itemBody>`, `<textEntryInteraction/>`, `</itemBody></assessmentItem>`},
	"entries": {`<assessmentItem><responseDeclaration identifier="R"><mapping>`,
		`<mapEntry mapKey="a" mappedValue="1"/>`, `</mapping></responseDeclaration><itemBody><textEntryInteraction ` +
			`responseIdentifier="R"/></itemBody></assessmentItem>`},
	"entities":        {`<!DOCTYPE quiz [`, `<!ENTITY a "b">`, `]><quiz/>`},
	"comments":        {``, `<!-- -->`, `<quiz/>`},
	"types of a quiz": {``, `<!DOCTYPE [`, `<quiz/>`},
}

const (
	moodleStart = `<quiz><question type="essay"><questiontext><text><![CDATA[`
	moodleEnd   = `]]></text></questiontext></question></quiz>`
)

func TestTimeForXMLGrowsWithTheLength(t *testing.T) {
	for name, row := range xmlGrowth {
		of := func(length int) []byte {
			return []byte(row.before + strings.Repeat(row.repeated, 1+length/len(row.repeated)) + row.after)
		}
		checkGrowth(t, name, Auto, of, 256_000)
	}
}
