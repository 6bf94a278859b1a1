package exchange

import (
	"bytes"
	"crypto/sha256"
	"strconv"
)

// pictureList collects the pictures of a source that texts refer to. Equal contents are one picture.
type pictureList struct {
	pictures []Picture
	refs     map[[sha256.Size]byte]string
}

// add returns the reference of a picture, import-1 for the first one. It returns "" for a file that is no picture of a
// type that Assay stores.
func (l *pictureList) add(name string, content []byte) (ref string) {
	if !isPicture(content) {
		return ""
	}
	sum := sha256.Sum256(content)
	if ref, known := l.refs[sum]; known {
		return ref
	}
	if l.refs == nil {
		l.refs = map[[sha256.Size]byte]string{}
	}
	ref = "import-" + strconv.Itoa(len(l.pictures)+1)
	l.refs[sum] = ref
	l.pictures = append(l.pictures, Picture{Ref: ref, Name: name, Content: content})
	return ref
}

// pictureTypes has the first bytes of the types of pictures that Assay stores, and the extension of their files.
var pictureTypes = []struct{ begins, extension, mediaType string }{
	{"\x89PNG\r\n\x1a\n", ".png", "image/png"},
	{"\xff\xd8\xff", ".jpg", "image/jpeg"},
	{"GIF87a", ".gif", "image/gif"},
	{"GIF89a", ".gif", "image/gif"},
	{"RIFF", ".webp", "image/webp"},
}

// pictureType returns the extension and the media type of a picture. The content decides, not the name.
func pictureType(content []byte) (extension, mediaType string) {
	for _, t := range pictureTypes {
		if bytes.HasPrefix(content, []byte(t.begins)) {
			if t.begins == "RIFF" && (len(content) < 12 || string(content[8:12]) != "WEBP") {
				continue
			}
			return t.extension, t.mediaType
		}
	}
	return "", ""
}

func isPicture(content []byte) bool {
	extension, _ := pictureType(content)
	return extension != ""
}
