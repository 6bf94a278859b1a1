package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// sameTexts has a key and ways in which keyboards, phones, and programs write it.
var sameTexts = []struct {
	name, key string
	typed     []string
}{
	{"apostrophes", "don't", []string{"don’t", "don‘t", "donʼt", "don′t", "don`t", "don´t", "don＇t", "don‛t", "donʻt"}},
	{"apostrophe in the key", "Pa’anga", []string{"Pa'anga", "paʻanga"}},
	{"Hebrew and Armenian", `צה"ל`, []string{"צה״ל"}},
	{"Greek", "παρ' όλα", []string{"παρ᾽ όλα", "παρ᾿ όλα", "ΠΑΡ’ ΌΛΑ"}},
	{"quotes", `say "yes"`, []string{"say “yes”", "say „yes“", "say «yes»", "say »yes«", "say ＂yes＂", "say ″yes″",
		"say 〝yes〟"}},
	{"measures", `5' 3"`, []string{"5′ 3″", "5’ 3”"}},
	{"hyphens", "x-ray", []string{"x‐ray", "x‑ray", "x‒ray", "x–ray", "x—ray", "x―ray", "x−ray", "x－ray", "x﹣ray",
		"x⁃ray"}},
	{"minus", "-5", []string{"−5", "–5", "－５", "⁻5"}},
	{"ellipsis", "wait...", []string{"wait…"}},
	{"composed accents", "café", []string{"cafe\u0301", "CAFÉ", "CAFE\u0301"}},
	{"Vietnamese", "Việt", []string{norm.NFD.String("Việt"), "Vie\u0323\u0302t", "Vie\u0302\u0323t", "Viê\u0323t"}},
	{"Korean", "한국", []string{norm.NFD.String("한국"), "한\u200b국"}},
	{"Indic", "ड़", []string{"ड\u093c"}},
	{"Å and Ω", "Å 5 Ω", []string{"Å 5 Ω", "A\u030a 5 ω"}},
	{"zero-width characters", "data base", []string{"\u200bdata base", "da\u200dta base", "data base\u200e",
		"\u200fdata base",
		"\u2066data base\u2069", "\u2067data\u2069 \u2068base\u2069", "\ufeffdata base", "da\u00adta base", "data\u2060 base",
		"data base\ufe0f", "da\u034fta base", "data\u061c base", "da\U000e0061ta base", "data \u180ebase",
		"data base\u0007"}},
	{"spaces", "data base", []string{" data base ", "data  base", "data\u00a0base", "data\u202fbase", "data\u2009base",
		"data\u3000base",
		"data\u2003 base\n", "data\r\nbase", "data\tbase", "data\u2800base", "data\u2028base", "\u1680data\u205fbase\u0085"}},
	{"full width", "ABC-123", []string{"ＡＢＣ－１２３", "ａｂｃ－１２３", "ABC－１２３"}},
	{"half width", "カタカナ", []string{"ｶﾀｶﾅ"}},
	{"half width with a voice mark", "ガギ", []string{"ｶﾞｷﾞ", "カ\u3099キ\u3099"}},
	{"punctuation of full width", "(50%)!", []string{"（５０％）！"}},
	{"Arabic digits", "42.5", []string{"٤٢.٥", "٤٢٫٥", "۴۲٫۵", "۴۲.۵"}},
	{"digits of other scripts", "1905", []string{"१९०५", "১৯০৫", "๑๙๐๕", "༡༩༠༥", "᠑᠙᠐᠕", "１９０５", "𝟙𝟡𝟘𝟝", "𞥑𞥙𞥐𞥕"}},
	{"ligatures", "final office", []string{"ﬁnal oﬃce"}},
	{"letters of one", "Dž and IJ", []string{"ǅ and Ĳ", "ǆ and ĳ"}},
	{"squared units", "5 m2", []string{"5 m²", "5 ㎡"}},
	{"formulas", "H2O", []string{"H₂O", "h₂o"}},
	{"powers of numbers", "3x10^-5", []string{"3x10⁻⁵", "3x10⁻5"}},
	{"fractions", "1 1/2", []string{"1½", "1 ½", "1 1⁄2", "1 1∕2"}},
	{"numbers as one character", "IV (1)", []string{"Ⅳ (1)", "ⅳ ⑴"}},
	{"degrees", "20 °C", []string{"20 ℃", "20 ˚C", "20\u00a0°C"}},
	{"micro", "5 µm", []string{"5 μm", "5 ㎛"}},
	{"case", "Paris", []string{"paris", "PARIS", "pARIS"}},
	{"sharp s", "Straße", []string{"STRASSE", "strasse", "STRAẞE"}},
	{"final sigma", "Ὀδυσσεύς", []string{"ὈΔΥΣΣΕΎΣ"}},
	{"Turkish", "İstanbul", []string{"istanbul", "ISTANBUL", "Istanbul", "ıstanbul", "I\u0307stanbul"}},
	{"dotless", "sınır", []string{"SINIR"}},
	{"Persian and Arabic keyboards", "کتابی", []string{"كتابي"}},
	{"Persian joiners", "می\u200cخواهم", []string{"میخواهم"}},
	{"Japanese waves", "10〜20", []string{"10～20", "10~20"}},
	{"emoji", "❤", []string{"❤\ufe0f"}},
}

// differentTexts must not be taken for each other.
var differentTexts = [][2]string{
	{"C", "C++"}, {"C", "C#"}, {"a-b", "ab"}, {"a-b", "a b"}, {"1.5", "15"}, {"1.5", "1,5"}, {"1½", "11/2"}, {"10⁵",
		"105"}, {"2²", "22"},
	{"résumé", "resume"}, {"für", "fur"}, {"für", "fuer"}, {"laminar flow", "laminarflow"}, {"-5", "5"}, {"--x", "-x"},
	{"i++", "i--"}, {"!x", "x"},
	{"x = y", "x == y"}, {"a/b", "a\\b"}, {"a_b", "a-b"}, {"Paris.", "Paris"}, {"'a'", `"a"`}, {"don't", "dont"}, {"50%",
		"50"}, {"<", ">"}, {"≤", "<"},
	{"ø", "o"}, {"ł", "l"}, {"か", "カ"}, {"か", "が"}, {"は", "ば"}, {"ー", "-"}, {"一", "-"}, {"O", "0"}, {"l", "1"}, {"а",
		"a"}, {"🙂", "🙁"},
	{"👍", "👍🏽"}, {"й", "и"}, {"한", "하"}, {"ก", "กำ"}, {"한국", "한 국"}, {"$5", "5"}, {"€5", "$5"}, {"x²", "x³"}, {"x→y",
		"x-y"},
}

// Each way to type a right text is right.
func TestTextsThatAreTheSame(t *testing.T) {
	t.Parallel()
	for _, row := range sameTexts {
		for _, typed := range row.typed {
			if !acceptsText(Question{AcceptedAnswers: []string{row.key}}, typed) ||
				!acceptsText(Question{AcceptedAnswers: []string{typed}}, row.key) {
				t.Errorf("%s: %+q is not %+q: %+q, %+q", row.name, typed, row.key, NormalText(typed, false), NormalText(row.key,
					false))
			}
		}
	}
	for _, pair := range differentTexts {
		if a, b := NormalText(pair[0], false), NormalText(pair[1], false); a == b {
			t.Errorf("%+q and %+q are both %+q", pair[0], pair[1], a)
		}
	}
}

// Case counts with caseSensitive, and nothing else more.
func TestTextsWithCase(t *testing.T) {
	t.Parallel()
	for key, typed := range map[string][]string{
		"pH-Wert": {"pH‑Wert", " pH−Wert\u200b", "ｐＨ-Wert"}, "O'Neill": {"O’Neill"}, "İ": {"I\u0307"}, "ﬁ": {"fi"},
		"É": {"E\u0301"},
	} {
		for _, text := range typed {
			if NormalText(text, true) != NormalText(key, true) {
				t.Errorf("%+q is not %+q", text, key)
			}
		}
	}
	for _, pair := range [][2]string{{"pH", "PH"}, {"İ", "I"}, {"ı", "i"}, {"ß", "ss"}, {"σ", "ς"}, {"É", "é"}} {
		if NormalText(pair[0], true) == NormalText(pair[1], true) {
			t.Errorf("%q is %q with case", pair[0], pair[1])
		}
	}
}

// With exactMatch every character counts, except what no one sees at the ends.
func TestExactTexts(t *testing.T) {
	t.Parallel()
	question := Question{AcceptedAnswers: []string{"print('a  b')\n"}, ExactMatch: new(true)}
	for _, right := range []string{"print('a  b')", " print('a  b')\r\n", "\u00a0print('a  b')"} {
		if !acceptsText(question, right) {
			t.Errorf("%q is wrong", right)
		}
	}
	for _, wrong := range []string{"print(‘a  b’)", "print('a b')", "Print('a  b')", "print('a\u00a0 b')",
		"print('a  b\u200b')", "ｐrint('a  b')", ""} {
		if acceptsText(question, wrong) {
			t.Errorf("%q is right", wrong)
		}
	}
	question = Question{AcceptedAnswers: []string{"if x:\n  y"}, ExactMatch: new(true)}
	if !acceptsText(question, "if x:\r\n  y") || acceptsText(question, "if x:\n y") {
		t.Error("a line break is compared by its kind, or an indentation does not count")
	}
}

// No character, alone or between others, has a form that has another form. Canonical
// equivalents and the cases of a letter have the same form.
func TestNormalTextOfEveryCharacter(t *testing.T) {
	t.Parallel()
	fold := cases.Fold()
	assigned := []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc,
		unicode.Cf,
		unicode.Other_Default_Ignorable_Code_Point}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || !unicode.In(r, assigned...) || unicode.Is(unicode.Unified_Ideograph, r) {
			continue // ideographs have neither case nor parts
		}
		for _, text := range []string{
			string(r), "a" + string(r) + "1", "i" + string(r) + "\u0307", "1" + string(r) + "\u0301\u0345",
		} {
			checkNormalText(t, text)
		}
		alone := string(r)
		if Blank(alone) != (NormalText(alone, false) == "") || Blank(alone) != (NormalText(alone, true) == "") {
			t.Errorf("%U is blank: %t, and its form is %+q", r, Blank(alone), NormalText(alone, false))
		}
		for _, other := range []string{norm.NFD.String(alone), norm.NFC.String(alone), fold.String(strings.ToLower(alone))} {
			if NormalText(other, false) != NormalText(alone, false) {
				t.Errorf("%U and %+q have the forms %+q and %+q", r, other, NormalText(alone, false), NormalText(other, false))
			}
		}
		if unicode.IsDigit(r) {
			if form := NormalText(alone, true); len(form) != 1 || form[0] < '0' || form[0] > '9' {
				t.Errorf("the form of the digit %U is %+q", r, form)
			}
		}
	}
}

// A digit has the value that NFKC gives it. Without one, it has the value of its place in
// its script, in which the first of ten digits is zero.
func TestDigitValues(t *testing.T) {
	t.Parallel()
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		compatible := norm.NFKC.String(string(r))
		if unicode.IsDigit(r) && len(compatible) == 1 && rune(compatible[0])-'0' != digitValue(r) {
			t.Errorf("%U is %s, not %d", r, compatible, digitValue(r))
		}
	}
	for _, zero := range "٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐᥆᧐᪀᪐᭐᮰᱀᱐꘠꣐꤀꧐꧰꩐꯰０𐒠𑁦𑃰𑄶𑇐𑋰𖩠𞥐" {
		for value := range rune(10) {
			if got := digitValue(zero + value); got != value {
				t.Errorf("%U is %d, not %d", zero+value, got, value)
			}
		}
	}
}

var tooManyMarks = regexp.MustCompile(`[\pM\p{Cf}]{20}`)

func checkNormalText(t interface {
	Helper()
	Errorf(format string, args ...any)
}, text string) {
	t.Helper()
	if tooManyMarks.MatchString(text) {
		return // norm separates them by a U+034F, in the key and in the answer
	}
	for _, caseSensitive := range []bool{true, false} {
		form := NormalText(text, caseSensitive)
		if again := NormalText(form, caseSensitive); again != form {
			t.Errorf("the form of %+q (case-sensitive: %t) is %+q, and its form is %+q", text, caseSensitive, form, again)
		}
		if !norm.NFKC.IsNormalString(form) || strings.ContainsFunc(form, IsInvisible) || form != strings.TrimSpace(form) {
			t.Errorf("the form of %+q is %+q", text, form)
		}
		if other := NormalText(norm.NFD.String(text), caseSensitive); other != form {
			t.Errorf("the form of %+q is %+q, and that of its NFD is %+q", text, form, other)
		}
	}
	if folded := NormalText(NormalText(text, true), false); folded != NormalText(text, false) {
		t.Errorf("the form of %+q without case is %+q, and %+q by way of the form with case", text, NormalText(text, false),
			folded)
	}
}

// hardCharacters are the characters that the steps of NormalText treat in a special way, in one string.
const hardCharacters = "iIİıßẞςŉﬁ\u0307\u0301\u0345\u0323\u0327ᾳ¨´˚˜`’“−‐⁻⁵₂²½⅞1٣²10 " +
	"\u00a0\u200b\u2800\u3164\u1100\u1161\u11a8\ufe0f\u034f.A\u030a〜"

// The properties hold for any text of hard characters.
func TestNormalTextOfAnyText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.OneOf(rapid.SampledFrom([]rune(hardCharacters)), rapid.Rune())
		text, other := string(rapid.SliceOf(one).Draw(t, "text")), string(rapid.SliceOf(one).Draw(t, "other"))
		checkNormalText(t, text)
		// What is invisible, and how much space there is, never matters.
		for _, hidden := range []string{"\u200b", "\u00ad", "\ufeff"} {
			if NormalText(text+" "+other, false) != NormalText(hidden+text+hidden+" \u3000"+other+"\n", false) {
				t.Errorf("%+q and %+q with %+q between have another form", text, other, hidden)
			}
		}
	})
}

func FuzzNormalText(f *testing.F) {
	for _, row := range sameTexts {
		f.Add(row.key)
		f.Add(strings.Join(row.typed, ""))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) { // the strict reading of bodies refuses others
			checkNormalText(t, text)
		}
	})
}

// Texts without a visible character are blank, in Markdown also references to them.
func TestBlank(t *testing.T) {
	t.Parallel()
	for _, blank := range []string{"", " ", "\n\t\r\n", "\u00a0", "\u200b", "\u200d\u200c", "\u3000", "\u2800", "\u3164",
		"\u115f\u1160", "\uffa0",
		"\ufeff", "\u00ad", "\u2060", "\ufe0f", "\u180e", "\u2028", "\u061c", "\u202e", "\u0007", "\U000e0020",
		" \u200b\u3000\u2800\u3164 "} {
		if !Blank(blank) || !blankMarkdown(blank) {
			t.Errorf("%+q is not blank", blank)
		}
	}
	for _, blank := range []string{"&nbsp;", "&#8203;", "&#x2800; &zwj;", "&ZeroWidthSpace;"} {
		if Blank(blank) || !blankMarkdown(blank) {
			t.Errorf("%q is blank as text, or not as Markdown", blank)
		}
	}
	for _, visible := range []string{"x", ".", "\u200bx", "·", "　あ", "\u0600", "\ufffd", "&", "&amp;", "\u0301"} {
		if Blank(visible) || blankMarkdown(visible) {
			t.Errorf("%+q is blank", visible)
		}
	}
}

// Options look the same although their texts differ, or do not.
func TestLookOf(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"Same", "Same "}, {"Same", "Same\u200b"}, {"A B", "A  B"}, {"A B", "A\u00a0B"}, {"A B", "A&nbsp;B"}, {"é",
			"e\u0301"}, {"5\u200e", "5"},
		{"`a  b`", "`a  b` "},
	} {
		if lookOf(pair[0]) != lookOf(pair[1]) {
			t.Errorf("%+q does not look like %+q", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{
		{"Same", "same"}, {"it's", "it’s"}, {"a-b", "a–b"}, {"x²", "x2"}, {"`a  b`", "`a b`"}, {"if:\n  a", "if:\n a"},
		{"٤", "4"},
		{"می\u200cخواهم", "میخواهم"}, {"👩\u200d🔬", "👩🔬"}, {"❤\ufe0f", "❤"}, {"ﬁ", "fi"},
	} {
		if lookOf(pair[0]) == lookOf(pair[1]) {
			t.Errorf("%+q looks like %+q", pair[0], pair[1])
		}
	}
}

// An omitted exactMatch keeps its stored value, and belongs to SHORT_TEXT only.
func TestExactMatchIsKept(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		stored, sent, want *bool
		kind               QuestionType
	}{
		{nil, nil, nil, ShortText}, {new(true), nil, new(true), ShortText}, {nil, new(true), new(true), ShortText},
		{new(true), new(false), nil, ShortText}, {new(true), new(true), new(true), ShortText}, {new(true), nil, nil, Numeric},
	} {
		stored, sent := pharmacist(), pharmacist()
		stored.Stages[1].Questions[1].ExactMatch = row.stored
		slices.Reverse(sent.Stages) // a moved question keeps it, too
		sent.Stages[0].Questions[1].ExactMatch, sent.Stages[0].Questions[1].Type = row.sent, row.kind
		if faults := CompleteIDs(&sent, stored, nil); len(faults) > 0 {
			t.Fatal(faults)
		}
		if got := sent.Stages[0].Questions[1].ExactMatch; differ(got, row.want) {
			t.Errorf("stored %v, sent %v: got %v, want %v", row.stored, row.sent, got, row.want)
		}
	}
}

func differ(a, b *bool) bool { return (a == nil) != (b == nil) || a != nil && *a != *b }

// A stage with the longest keys and answers is graded in a time that a submit can take.
func BenchmarkGradeLongTexts(b *testing.B) {
	for name, unit := range map[string]string{"ASCII": "plain text ", "mixed": "Việt’s ﬁ½ ", "longest form": "\ufdfa"} {
		b.Run(name, func(b *testing.B) {
			key := strings.Repeat(unit, 2000/utf8.RuneCountInString(unit))
			question := Question{Type: ShortText, AcceptedAnswers: slices.Repeat([]string{key}, 50)}
			for b.Loop() {
				acceptsText(question, key+"x")
			}
		})
	}
}
