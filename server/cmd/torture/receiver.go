package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// endpointSecret signs what the receiver gets.
	endpointSecret = "whsec_dG9ydHVyZSBvbmx5OiBndWFyZHMgbm90aGluZyBhdCBhbGw="
	// maxRefusals is how often the receiver refuses a delivery: with one more
	// it would be given up, as it should be.
	maxRefusals = 2
	refusalRate = 0.1
)

// receiver verifies deliveries and refuses some.
type receiver struct {
	addr   string
	server *http.Server

	mu       sync.Mutex
	random   *rand.Rand
	received map[received]*receipt
	refused  map[string]int // by delivery id
	refusals int
	faults   []string
}

// received is one event at one endpoint, which is told by the path.
type received struct{ endpoint, eventID string }

type receipt struct {
	count      int
	body       [sha256.Size]byte
	deliveryID string
}

func newReceiver(ctx context.Context, random *rand.Rand) (*receiver, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{
		addr: listener.Addr().String(), random: random, received: map[received]*receipt{}, refused: map[string]int{},
	}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: time.Minute}
	go func() { _ = r.server.Serve(listener) }() // until close
	return r, nil
}

func (r *receiver) close() { _ = r.server.Close() }

// ServeHTTP takes one delivery. What was cut off by a kill was not received.
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

// doubles is how many deliveries were received more than needed.
func (r *receiver) doubles() int {
	doubles := 0
	for _, receipt := range r.received {
		doubles += receipt.count - 1
	}
	return doubles
}
