package server

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/labstack/echo/v4"

	"assay/store"
)

const idempotencyKey = "Idempotency-Key"

// once reads the Idempotency-Key. What belongs to it is the request's meaning:
// its address and its body, whatever the order of the fields and the white
// space. It is nil without a key.
func (o *operation) once(c echo.Context, body any) (*store.Once, error) {
	r := c.Request()
	key := r.Header.Get(idempotencyKey)
	if key == "" {
		return nil, nil //nolint:nilnil // a request need not have one
	}
	meaning, err := json.Marshal([]any{r.URL.Path, body}) // of a map, the fields are sorted
	if err != nil {
		return nil, err
	}
	once := &store.Once{Operation: o.id, Key: key, Fingerprint: sha256.Sum256(meaning)}
	c.Response().Before(func() {
		if once.Replayed {
			c.Response().Header().Set("Idempotency-Replayed", "true")
		}
	})
	return once, nil
}
