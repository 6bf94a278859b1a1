package request

import (
	"crypto/sha256"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/labstack/echo/v4"

	"assay/store"
)

const idempotencyKey = "Idempotency-Key"

// Once reads the Idempotency-Key header. The key belongs to the path and the
// decoded body, so the order of fields and white space do not matter. It returns
// nil if the request has no key, or the operation accepts none.
func (o *Operation) Once(c echo.Context, body any) (*store.Once, error) {
	r := c.Request()
	key := r.Header.Get(idempotencyKey)
	if key == "" || !o.idempotent {
		return nil, nil //nolint:nilnil // the key is optional
	}
	fingerprint, err := fingerprintOf(r.URL.Path, body)
	if err != nil {
		return nil, err
	}
	once := &store.Once{Operation: o.id, Key: key, Fingerprint: fingerprint}
	c.Response().Before(func() {
		if once.Replayed {
			c.Response().Header().Set("Idempotency-Replayed", "true")
		}
	})
	return once, nil
}

// fingerprintOf returns the hash of what json.Marshal of encoding/json returns, which
// sorts the fields of a map. It writes into the hash, because the text can be six times
// as long as the body. Stored fingerprints have this form, so it must not change.
func fingerprintOf(path string, body any) (sum [sha256.Size]byte, err error) {
	hash := sha256.New()
	err = json.MarshalWrite(hash, []any{path, body}, jsonv1.DefaultOptionsV1())
	hash.Sum(sum[:0])
	return sum, err
}
