package torture

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"

	"assay/server/cmd/lab/rig"
)

const (
	// endpointSecret signs the deliveries.
	endpointSecret = "whsec_dG9ydHVyZSBvbmx5OiBndWFyZHMgbm90aGluZyBhdCBhbGw="
	// maxRefusals is how often the receiver refuses a delivery. After one more
	// the service would rightly give it up.
	maxRefusals = 2
	refusalRate = 0.1
)

// receiver verifies deliveries, and refuses some with a 500.
type receiver struct {
	addr string
	stop func()

	mu       sync.Mutex
	random   *rand.Rand
	received map[received]*receipt
	refused  map[string]int // by delivery id
	refusals int
	faults   []string
}

// received is one event at one endpoint. The path names the endpoint.
type received struct{ endpoint, eventID string }

type receipt struct {
	count      int
	body       [sha256.Size]byte
	deliveryID string
}

func newReceiver(ctx context.Context, seed uint64) (*receiver, error) {
	r := &receiver{
		random:   rand.New(rand.NewPCG(seed, 1)), //nolint:gosec // protects nothing
		received: map[received]*receipt{}, refused: map[string]int{},
	}
	var err error
	r.addr, r.stop, err = rig.Listen(ctx, r)
	return r, err
}

// ServeHTTP takes one delivery, unless a kill cuts it off.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	w.WriteHeader(r.take(request, body))
}

func (r *receiver) take(request *http.Request, body []byte) (status int) {
	key := received{strings.TrimPrefix(request.URL.Path, "/"), request.Header.Get("webhook-id")}
	deliveryID := request.Header.Get("X-Service-Delivery")
	mac := hmac.New(sha256.New, []byte(endpointSecret))
	mac.Write(body)
	r.mu.Lock()
	defer r.mu.Unlock()
	if request.Header.Get("X-Service-Signature") != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
		r.fault("delivery %s of event %s does not verify", deliveryID, key.eventID)
		return http.StatusUnauthorized
	}
	if r.refused[deliveryID] < maxRefusals && r.random.Float64() < refusalRate {
		r.refused[deliveryID]++
		r.refusals++
		return http.StatusInternalServerError
	}
	known := r.received[key]
	if known == nil {
		r.received[key] = &receipt{count: 1, body: sha256.Sum256(body), deliveryID: deliveryID}
		return http.StatusNoContent
	}
	known.count++
	if known.body != sha256.Sum256(body) || known.deliveryID != deliveryID {
		r.fault("event %s came twice to %s, not as the same delivery with the same bytes", key.eventID, key.endpoint)
	}
	return http.StatusNoContent
}

func (r *receiver) fault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// doubles counts the deliveries that were received again.
func (r *receiver) doubles() int {
	doubles := 0
	for _, receipt := range r.received {
		doubles += receipt.count - 1
	}
	return doubles
}
