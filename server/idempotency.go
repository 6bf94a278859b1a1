package server

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/labstack/echo/v4"

	"assay/store"
)

const idempotencyKey = "Idempotency-Key"

// once reads the Idempotency-Key header. The key belongs to the path and the
// decoded body, so the order of fields and white space do not matter. It returns
// nil if the request has no key.
func (o *operation) once(c echo.Context, body any) (*store.Once, error) {
	r := c.Request()
	key := r.Header.Get(idempotencyKey)
	if key == "" {
		return nil, nil //nolint:nilnil // the key is optional
	}
	content, err := json.Marshal([]any{r.URL.Path, body}) // json.Marshal sorts the fields of a map
	if err != nil {
		return nil, err
	}

	once := &store.Once{Operation: o.id, Key: key, Fingerprint: sha256.Sum256(content)}
	c.Response().Before(func() {
		if once.Replayed {
			c.Response().Header().Set("Idempotency-Replayed", "true")
		}
	})
	return once, nil
}
