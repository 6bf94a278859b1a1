//go:build unix

package exchange

import (
	"fmt"
	"strings"
	"testing"
)

func TestTimeOfTextsGrowsWithTheLength(t *testing.T) {
	repeated := []string{
		"Which?\nA) x\nB) y *\n\n", "Which?\n- [ ] x\n- [x] y\n", "A) x\n", "x ", "x\n", "x\n\n", "*", "**x** ",
		"* x\n", "(x) ", "[x] ",
		"A) x B) y C) z ", "a) b) ", "```\n", "```\nx\n", "~~~", "# x\n", "# x?\n", "1. x\n", "1) x\n\n", "Answer: A\n",
		"Answer: x\n\n",
		"Explanation: x\n", "<details>\nx\n", "<details><summary>", "<sup>2</sup>", "<sup>", "`x` <sub>", "| a | b |\n",
		"---\n", "Q: x\nA: y\n",
		"?\n", "x?\nAnswer: a | b\n", "x?\nA) " + strings.Repeat("y\n", 500), "x?\nAnswer: 1" + strings.Repeat(",000",
			50) + "\n",
		"One?{=a ~b}\n\n", "::x::", "::x", "{", "}", "{\n\n", "{=", "=x", "~x", "#x", "####", `\`, `\{`, "{}", "{T}\n",
		"$CATEGORY: a/b\n\n", "//\n",
		"%1%", "->", "::a{=b ~\n", "a\n\n::b{\n", "[html]<p>", "<b>", "<x", "&amp;", "$$", `\(`, "[markdown]",
		"x{=*a*}\n\n", "x{#1}\n\n",
		"x{#1..", "x{T#a#b", "x\n y", "_", "_ ", "[a](", "&", "<a:", "One\nA. x\nB. y\nANSWER: A\n\n", "A. x\n",
		"ANSWER: A\n", "~a wrong answer = with marks # and feedback\n\n",
	}
	begins := []string{"", "x?\nA) y\n", "x?\nExplanation: y\n", "x {="}
	for _, format := range []Format{Text, GIFT, Aiken} {
		for _, part := range repeated {
			for _, begin := range begins {
				source := func(length int) []byte {
					return []byte(begin + strings.Repeat(part, 1+length/len(part)))
				}
				checkGrowth(t, fmt.Sprintf("%s %q, then %q", format, begin, part), format, source, 32_000)
			}
		}
	}
}
