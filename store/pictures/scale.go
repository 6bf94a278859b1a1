package pictures

import (
	"image"
	"image/draw"
)

// fit returns the picture with at most side pixels in each direction. Each pixel is the average of the area that it
// covers. It works row by row: the scalers of golang.org/x/image/draw need 32 bytes for each pixel of an intermediate
// picture, which are 270 MB for a photo of 24 million pixels.
func fit(source image.Image, side int) image.Image {
	bounds := source.Bounds()
	width, height := bounds.Dx(), bounds.Dy()
	longest := max(width, height)
	if longest <= side {
		return source
	}
	fitted := image.NewRGBA(image.Rect(0, 0, max(1, width*side/longest), max(1, height*side/longest)))
	row := image.NewRGBA(image.Rect(0, 0, width, 1))
	narrow := make([]float32, 4*fitted.Rect.Dx())
	sum := make([]float32, len(narrow))
	step := float64(height) / float64(fitted.Rect.Dy()) // rows of the source for each row
	line, left := 0, step
	for y := range height {
		draw.Draw(row, row.Rect, source, image.Pt(bounds.Min.X, bounds.Min.Y+y), draw.Src)
		narrowRow(narrow, row.Pix)
		weight := min(1, left)
		add(sum, narrow, float32(weight))
		left -= weight
		if left > 1e-3 && y < height-1 {
			continue
		}
		write(fitted.Pix[line*fitted.Stride:], sum, float32(step-left))
		if line++; line == fitted.Rect.Dy() {
			break
		}
		clear(sum)
		add(sum, narrow, float32(1-weight))
		left = step - (1 - weight)
	}
	return fitted
}

// narrowRow averages a row of RGBA pixels into fewer pixels.
func narrowRow(narrow []float32, pixels []byte) {
	clear(narrow)
	count := len(narrow) / 4
	step := float64(len(pixels)/4) / float64(count)
	target, left := 0, step
	for at := 0; at < len(pixels); at += 4 {
		weight := float32(min(1, left))
		for channel := range 4 {
			value := float32(pixels[at+channel])
			narrow[4*target+channel] += value * weight
			if weight < 1 && target+1 < count {
				narrow[4*(target+1)+channel] += value * (1 - weight)
			}
		}
		if left -= 1; left <= 0 {
			target, left = min(target+1, count-1), left+step
		}
	}
	for i := range narrow {
		narrow[i] /= float32(step)
	}
}

func add(sum, row []float32, weight float32) {
	for i, value := range row {
		sum[i] += value * weight
	}
}

func write(pixels []byte, sum []float32, weights float32) {
	for i, value := range sum {
		pixels[i] = byte(min(255, value/weights+0.5))
	}
}
