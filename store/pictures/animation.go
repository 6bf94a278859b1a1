package pictures

import "bytes"

// isAnimated reports whether a GIF has several frames, or a WebP is an animation. A decoder would show the first frame
// of a GIF, which is seldom what the author means.
func isAnimated(content []byte) bool {
	switch {
	case bytes.HasPrefix(content, []byte("GIF8")):
		return gifFrames(content) > 1
	case len(content) > 20 && string(content[8:16]) == "WEBPVP8X":
		const animation = 1 << 1
		return content[20]&animation != 0
	}
	return false
}

const (
	gifHeader     = 13 // bytes, with the screen
	gifImage      = 0x2c
	gifExtension  = 0x21
	gifDescriptor = 10 // bytes
)

// gifFrames counts the frames of a GIF up to two, without decoding them. It stops where the file is not as expected.
func gifFrames(content []byte) (frames int) {
	if len(content) < gifHeader {
		return 0
	}
	at := gifHeader + colorTable(content[10])
	for at < len(content) && frames < 2 {
		switch content[at] {
		case gifImage:
			if at+gifDescriptor > len(content) {
				return frames
			}
			frames++
			at += gifDescriptor + colorTable(content[at+9]) + 1 // and the size of a code
		case gifExtension:
			at += 2 // and its kind
		default: // the end
			return frames
		}
		for at < len(content) && content[at] > 0 { // parts of data, each after its length
			at += int(content[at]) + 1
		}
		at++
	}
	return frames
}

// colorTable is the length of the table of colors that the flags announce.
func colorTable(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}
