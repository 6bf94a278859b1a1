package rules

import "math"

// Pairs are means and sums over pairs of numbers, from which the correlation of the
// numbers is computed. The sums contain differences from the means (Welford's method):
// sums of the numbers' squares lose the difference between numbers that are almost equal.
type Pairs struct {
	N     int64   `json:"n"`
	MeanX float64 `json:"meanX"`
	MeanY float64 `json:"meanY"`
	XX    float64 `json:"xx"`
	YY    float64 `json:"yy"`
	XY    float64 `json:"xy"`
}

// repeat counts the pair n times. n is 1 or -1.
func (p *Pairs) repeat(x, y float64, n int64) {
	if n > 0 {
		p.count(x, y)
	} else {
		p.remove(x, y)
	}
}

func (p *Pairs) count(x, y float64) {
	p.N++
	dx, dy := x-p.MeanX, y-p.MeanY
	p.MeanX += dx / float64(p.N)
	p.MeanY += dy / float64(p.N)
	p.XX += dx * (x - p.MeanX)
	p.YY += dy * (y - p.MeanY)
	p.XY += dx * (y - p.MeanY)
}

// remove reverses count. Rounding leaves an error of about 1e-16 of the largest value that a
// sum has had, so sums of equal numbers are not exactly zero: see same.
func (p *Pairs) remove(x, y float64) {
	if p.N <= 1 {
		*p = Pairs{}
		return
	}
	dx, dy := x-p.MeanX, y-p.MeanY
	p.N--
	p.MeanX -= dx / float64(p.N)
	p.MeanY -= dy / float64(p.N)
	p.XX = max(0, p.XX-dx*(x-p.MeanX))
	p.YY = max(0, p.YY-dy*(y-p.MeanY))
	p.XY -= dx * (y - p.MeanY)
}

// Correlation is Pearson's coefficient, from -1 to 1. For numbers where one has
// two values it is the point-biserial coefficient. It is nil when one of the numbers
// is the same in all pairs.
func (p Pairs) Correlation() *float64 {
	if same(p.N, p.XX) || same(p.N, p.YY) {
		return nil
	}
	r := p.XY / math.Sqrt(p.XX*p.YY)
	return new(min(max(r, -1), 1))
}

// same reports whether n numbers from 0 to 1 differ by no more than the rounding errors of count and remove.
func same(n int64, squares float64) bool { return squares <= 1e-12*float64(n) }

// Moments are the mean of numbers and the sum of their squared differences from it (Welford's method).
type Moments struct {
	N       int64   `json:"n"`
	Mean    float64 `json:"mean"`
	Squares float64 `json:"squares"`
}

// count adds the number n times. n is 1 or -1.
func (m *Moments) count(number float64, n int64) {
	m.N += n
	if m.N <= 0 {
		*m = Moments{}
		return
	}
	before := number - m.Mean
	m.Mean = shiftedMean(m.Mean, m.N, number, n)
	m.Squares = max(0, m.Squares+float64(n)*before*(number-m.Mean))
}

// StandardDeviation is that of the numbers, with n - 1. It is nil below two numbers.
func (m Moments) StandardDeviation() *float64 {
	if m.N < 2 {
		return nil
	}
	return new(math.Sqrt(m.Squares / float64(m.N-1)))
}

// shiftedMean is the mean after a number was added or removed, which left `count` numbers. n is 1 or -1.
func shiftedMean(mean float64, count int64, number float64, n int64) float64 {
	if count <= 0 {
		return 0
	}
	return mean + float64(n)*(number-mean)/float64(count)
}
