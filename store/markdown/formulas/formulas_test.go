package formulas_test

import (
	"strings"
	"testing"

	"assay/store/markdown/formulas"
)

// Each formula becomes MathML that contains the piece.
func TestMathML(t *testing.T) {
	t.Parallel()
	tests := []struct{ formula, piece string }{
		{`x`, `<mi>x</mi>`},
		{`12.5`, `<mn>12.5</mn>`},
		{`x^2`, `<msup><mi>x</mi><mn>2</mn></msup>`},
		{`x_i`, `<msub><mi>x</mi><mi>i</mi></msub>`},
		{`x_i^2`, `<msubsup>`},
		{`x'`, `<mo lspace="0em" rspace="0em">′</mo>`},
		{`\frac{a}{b}`, `<mfrac><mi>a</mi><mi>b</mi></mfrac>`},
		{`\frac12`, `<mfrac><mn>1</mn><mn>2</mn></mfrac>`},
		{`\dfrac{a}{b}`, `displaystyle="true"`},
		{`\tfrac{a}{b}`, `displaystyle="false"`},
		{`\binom{n}{k}`, `<mfrac linethickness="0px">`},
		{`a \over b`, `<mfrac><mi>a</mi><mi>b</mi></mfrac>`},
		{`\sqrt{x}`, `<msqrt><mrow><mi>x</mi>`},
		{`\sqrt[3]{x}`, `<mroot>`},
		{`\sum_{i=1}^{n} i`, `<munderover><mo movablelimits="false">∑</mo>`},
		{`\prod_{i} a_i`, `<mo movablelimits="false">∏</mo>`},
		{`\int_0^1 f(x)\,dx`, `<msubsup><mo movablelimits="false">∫</mo>`},
		{`\oint \iint`, `<mo movablelimits="false">∮</mo>`},
		{`\lim_{x\to 0} f`, `<munder><mi>lim</mi>`},
		{`\sin x + \log_2 y`, `<mi>sin</mi>`},
		{`\operatorname{rank} A`, `<mi>rank</mi>`},
		{`a \bmod b`, `mod`},
		{`\alpha\beta\Omega`, `<mi>α</mi><mi>β</mi>`},
		{`a \le b \ge c \ne d`, `<mo>≤</mo>`},
		{`a \approx b \equiv c`, `<mo>≈</mo>`},
		{`A \cup B \cap C \subseteq D`, `<mo>∪</mo>`},
		{`\forall x \in \mathbb{R}`, `<mi>ℝ</mi>`},
		{`p \land q \lor \lnot r`, `<mo>∧</mo>`},
		{`p \implies q \iff r`, `<mo stretchy="false">⟺</mo>`},
		{`a \pm b \times c \div d \cdot e`, `<mo>±</mo>`},
		{`\infty \partial \nabla`, `<mi>∞</mi>`},
		{`\dots \cdots \ldots`, `<mo>…</mo>`},
		{`\left(\frac{a}{b}\right)`, `stretchy="true">(</mo>`},
		{`\left\{ x \right.`, `stretchy="true">{</mo>`},
		{`\lvert x \rvert \lVert v \rVert`, `|`},
		{`\lfloor x \rfloor \lceil y \rceil`, `⌊`},
		{`\langle x, y \rangle`, `⟨`},
		{`\bigl( x \bigr)`, `minsize=`},
		{`\vec{v}`, `<mover><mi>v</mi><mo stretchy="false">→</mo></mover>`},
		{`\hat{x}\bar{y}\tilde{z}\dot{a}\ddot{b}`, `<mover>`},
		{`\overline{AB}`, `<mrow class="over">`},
		{`\underline{AB}`, `<mrow class="under">`},
		{`\overbrace{a+b}^{n}`, `⏞`},
		{`\underbrace{a+b}_{n}`, `⏟`},
		{`\overset{a}{b}`, `<mover><mi>b</mi><mi>a</mi></mover>`},
		{`a \overset{!}{=} b`, `<mover><mo>=</mo>`},
		{`\underset{a}{b}`, `<munder><mi>b</mi><mi>a</mi></munder>`},
		{`\xrightarrow{f}`, `→`},
		{`\boxed{x}`, `class="box"`},
		{`\cancel{x}`, `<mrow class="up">`},
		{`\xcancel{x}`, `<mrow class="up down">`},
		{`\begin{matrix}1&2\\3&4\end{matrix}`, `<mtable><mtr><mtd><mn>1</mn></mtd>`},
		{`\begin{pmatrix}1&2\\3&4\end{pmatrix}`, `stretchy="true">(</mo><mtable>`},
		{`\begin{bmatrix}1\end{bmatrix}`, `[`},
		{`\begin{vmatrix}a&b\\c&d\end{vmatrix}`, `|`},
		{`\begin{cases}1&x>0\\0&x\le 0\end{cases}`, `<mtd class="left">`},
		{`\begin{aligned}a&=b\\c&=d\end{aligned}`, `<mtd class="right">`},
		{`\begin{align}a&=b\end{align}`, `<mtable displaystyle="true">`},
		{`\begin{array}{|c|r}\hline a&b\\\hline\end{array}`, `class="over under before after"`},
		{`\text{if } x > 0`, "<mtext>if\u00a0</mtext>"},
		{`\text{größer als 5 \%}`, `größer`},
		{`\mathrm{d}x \mathbf{v} \mathit{n} \mathcal{L} \mathfrak{g}`, `<mi>𝐯</mi>`},
		{`\pmb{x}`, `class="bold"`},
		{`\ce{2H2 + O2 -> 2H2O}`, `<mi mathvariant="normal">H</mi>`},
		{`\ce{SO4^{2-}}`, `<mn>4</mn>`},
		{`\pu{9.8 m/s2}`, `<mn>9.8</mn>`},
		{`90^\circ`, `<mo>∘</mo>`},
		{`\$5 + 10\%`, `<mi>$</mi>`},
		{`{n \choose k}`, `<mfrac linethickness="0px">`},
		{`a \stackrel{?}{=} b`, `<mover>`},
		{`\sideset{_1^2}{_3^4}\sum`, `<mmultiscripts>`},
		{`\prescript{14}{6}{\mathrm{C}}`, `<mmultiscripts>`},
		{`\phantom{x}y`, `<mphantom>`},
		{`\rule{1em}{1em}`, `mathbackground="currentcolor"`},
		{`x \tag{1}`, `<mtext>(1)</mtext>`},
		{`f\colon A\to B`, `<mo>→</mo>`},
		{`é`, `<mover>`},
	}
	renderer := formulas.New()
	for _, tt := range tests {
		mathML, fault := renderer.MathML(tt.formula, true)
		if fault != nil || !strings.Contains(mathML, tt.piece) {
			t.Errorf("%s becomes %s, and must contain %s: %v", tt.formula, mathML, tt.piece, fault)
		}
		checkMathML(t, tt.formula, mathML)
		if _, fault := renderer.MathML(tt.formula, false); fault != nil &&
			!strings.Contains(fault.Reason, "between $$ and $$") {
			t.Errorf("%s in a line: %v", tt.formula, fault)
		}
	}
}

// The fault of a formula has the place and the reason in plain words.
func TestFaults(t *testing.T) {
	t.Parallel()
	const undefined = "a formula cannot define commands"
	const foreign = "a formula cannot contain links, pictures, references, or HTML"
	tests := []struct {
		formula  string
		position int
		reason   string
	}{
		{`\foo`, 0, `the command \foo is unknown`},
		{`x+\foo{y}`, 2, `the command \foo is unknown`},
		{`\frac{a`, 7, "a } is missing"},
		{`{a`, 2, "a } is missing"},
		{`a}`, 1, "a } has no {"},
		{`x^2^3`, 3, "two exponents follow one another: put braces around the first"},
		{`x_2_3`, 3, "two subscripts follow one another: put braces around the first"},
		{`x^`, 2, "something must follow ^"},
		{`x_ `, 3, "something must follow _"},
		{`\sqrt`, 5, `something must follow \sqrt`},
		{`\left(x`, 7, `a \left has no \right`},
		{`\begin{matrix}a`, 15, `a \begin has no \end`},
		{`\begin{matrix}a\end{pmatrix}`, 15, `a \begin and its \end have different names`},
		{`\begin{foo}a\end{foo}`, 6, "the environment foo is unknown"},
		{`a & b`, 2, "& is not expected here"},
		{`5 % of`, 2, `a % begins a comment: write \%`},
		{`\kern5x`, 5, "5x is not a length"},
		{`größe^2^3`, 7, "two exponents follow one another: put braces around the first"},
		{`\def\a{x}\a`, 0, undefined},
		{`x\gdef\a{x}`, 1, undefined},
		{`\newcommand{\a}{x}`, 0, undefined},
		{`\let\a=b`, 0, undefined},
		{`\color{red}x`, 0, "a formula has the color of its text"},
		{`\textcolor{red}{x}`, 0, "a formula has the color of its text"},
		{`\href{javascript:alert(1)}{x}`, 0, foreign},
		{`\url{https://x.example}`, 0, foreign},
		{`\includegraphics{https://x.example/y.png}`, 0, foreign},
		{`\class{a}{x}`, 0, foreign},
		{`\style{color:red}{x}`, 0, foreign},
		{`\id{a}{x}`, 0, foreign},
		{`\data{a=b}{x}`, 0, foreign},
		{`\htmlData{a=b}{x}`, 0, foreign},
		{`\htmlStyle{color:red}{x}`, 0, foreign},
		{`\texttip{x}{y}`, 0, foreign},
		{`\label{a}\ref{a}`, 0, foreign},
		{`\cancelto{0}{x}`, 0, "the command is not supported"},
		{strings.Repeat("{", 41), 40, "braces are nested too deep"},
		{strings.Repeat("x", 1001), 1000, "a formula has at most 1,000 characters"},
		{strings.Repeat(`\left(`, 80), 480, `a \left has no \right`},
		{`{x^}`, 0, "it is not valid TeX"},
	}
	renderer := formulas.New()
	for _, tt := range tests {
		mathML, fault := renderer.MathML(tt.formula, true)
		if fault == nil || fault.Position != tt.position || fault.Reason != tt.reason {
			t.Errorf("%.60s: %v, want %d %s; %s", tt.formula, fault, tt.position, tt.reason, mathML)
		}
	}
	if _, fault := renderer.MathML(`x \tag{1}`, false); fault == nil || fault.Reason != "it must be between $$ and $$" {
		t.Errorf("a number in a line: %v", fault)
	}
}
