package contract

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/server"
	"assay/store"
	"assay/store/storetest"
)

// The outcome of a probe is used for probeInterval, and the log repeats why the service is not ready.
const (
	probeInterval      = 3 * time.Second
	unreadyLogInterval = time.Minute
)

// broken are the ways in which the database of a running service fails, with the condition that /readyz names.
func broken(t *testing.T, a *api) map[string]func() (want store.Condition) {
	t.Helper()
	file, isSQLite := strings.CutPrefix(a.database, "sqlite:")
	if !isSQLite {
		return map[string]func() store.Condition{
			"read-only": func() store.Condition { storetest.MakeReadOnly(t, a.database); return store.ReadOnly },
			"full":      func() store.Condition { storetest.RefuseWrites(t, a.database, "53100"); return store.DiskFull },
			"disk":      func() store.Condition { storetest.RefuseWrites(t, a.database, "58030"); return store.DiskFails },
			"damaged":   func() store.Condition { storetest.RefuseWrites(t, a.database, "XX001"); return store.Damaged },
			"memory":    func() store.Condition { storetest.RefuseWrites(t, a.database, "53200"); return store.Overloaded },
		}
	}
	return map[string]func() store.Condition{
		"deleted": func() store.Condition { return fails(t, os.Remove(file), store.FileLost) },
		"emptied": func() store.Condition { return fails(t, os.Truncate(file, 0), store.FileLost) },
		"zeros": func() store.Condition {
			opened, err := os.OpenFile(file, os.O_RDWR, 0)
			if err == nil {
				var info os.FileInfo
				if info, err = opened.Stat(); err == nil {
					_, err = opened.WriteAt(make([]byte, info.Size()), 0)
				}
				err = errors.Join(err, opened.Close())
			}
			// The pages in memory are whole. A list reads others.
			return fails(t, err, store.Damaged)
		},
	}
}

// readyMetric is the value of assay_ready.
func readyMetric(t *testing.T, registry *prometheus.Registry) float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "assay_ready" {
			return family.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatal("there is no assay_ready")
	return 0
}

func fails(t *testing.T, err error, condition store.Condition) store.Condition {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return condition
}

// When the database fails, /readyz says how, and no request gets a 500: each gets an answer from memory, or a 503 that
// says when to try again.
func TestEachFaultOfTheDatabase(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		names := broken(t, &api{own: &own{database: map[string]string{"sqlite": "sqlite:x"}[database]}})
		for name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				clock, address := storetest.NewClock(), storetest.URL(t, database)
				registry := prometheus.NewRegistry()
				metrics, err := server.NewMetrics(registry)
				if err != nil {
					t.Fatal(err)
				}
				a := serve(t, storetest.OpenURL(t, address, clock.Now), clock, func(o *server.Options) { o.Metrics = metrics })
				a.database = address
				o := a.register()
				assessment := o.publish(twoStages())
				a.do("GET", "/readyz", anonymous, nil).want(200)
				if readyMetric(t, registry) != 1 {
					t.Error("assay_ready is not 1")
				}

				condition := broken(t, a)[name]()
				clock.Advance(probeInterval)
				requests := func() (failed int) {
					for _, request := range []struct {
						method, path string
						body         any
					}{
						{"GET", "/v1/candidate-sessions", nil},
						{"GET", "/v1/assessments", nil},
						{"GET", "/v1/audit-log", nil},
						{"POST", "/v1/candidate-sessions", map[string]any{
							"assessmentId": assessment, "candidateName": "C", "candidateEmail": "c@candidate.example",
						}},
					} {
						got := a.do(request.method, request.path, o.owner, request.body)
						switch {
						case got.status == 503 && got.header.Get("Retry-After") != "":
							failed++
						case got.status > 201:
							t.Errorf("%s %s: %d %s", request.method, request.path, got.status, got.body)
						}
					}
					return failed
				}
				requests()
				clock.Advance(probeInterval)
				got := a.do("GET", "/readyz", anonymous, nil).want(503, "unavailable")
				word := `"detail":"` + string(condition) + ": "
				if condition == "" {
					word = `"detail":"unknown: `
				}
				if !strings.Contains(string(got.body), word) || got.header.Get("Retry-After") != "5" {
					t.Errorf("/readyz: %s, Retry-After %q, want %s", got.body, got.header.Get("Retry-After"), condition)
				}
				for _, private := range []string{address, "/dev/shm", "assay.db", "pq:", "SQL"} {
					if strings.Contains(string(got.body), private) {
						t.Errorf("/readyz is public and has %q: %s", private, got.body)
					}
				}
				if readyMetric(t, registry) != 0 {
					t.Error("assay_ready is not 0")
				}
				if requests() == 0 {
					t.Error("every request succeeded")
				}
				a.do("GET", "/healthz", anonymous, nil).want(200)
			})
		}
	})
}

// Any number of callers share one probe, and its outcome is used for a while.
func TestProbesAreShared(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		writes := storetest.CountWrites(t, a.database, "service_heartbeat")
		ask := func() {
			var callers sync.WaitGroup
			for range 20 {
				callers.Go(func() { a.do("GET", "/readyz", anonymous, nil).want(200) })
			}
			callers.Wait()
		}
		for round := 1; round <= 3; round++ {
			ask()
			if n := writes(); n != round {
				t.Errorf("%d writes in round %d", n, round)
			}
			a.clock.Advance(probeInterval)
		}
	})
}

// The log says once a minute why the service is not ready, and when it is ready again.
func TestReadinessInTheLog(t *testing.T) {
	t.Parallel()
	clock, address := storetest.NewClock(), storetest.URL(t, "postgres")
	a := serve(t, storetest.OpenURL(t, address, clock.Now), clock)
	end := storetest.RefuseWrites(t, address, "53100")
	logged := func(text string) int { return strings.Count(a.log.String(), text) }
	for range 10 { // half a minute
		a.do("GET", "/readyz", anonymous, nil).want(503, "unavailable")
		clock.Advance(probeInterval)
	}
	if n := logged(`"msg":"not ready","condition":"disk-full"`); n != 1 {
		t.Errorf("%d lines in half a minute, want 1", n)
	}
	clock.Advance(unreadyLogInterval)
	a.do("GET", "/readyz", anonymous, nil).want(503, "unavailable")
	if n := logged(`"msg":"not ready"`); n != 2 {
		t.Errorf("%d lines, want 2", n)
	}
	end()
	clock.Advance(probeInterval)
	a.do("GET", "/readyz", anonymous, nil).want(200)
	if n := logged(`"msg":"ready again"`); n != 1 {
		t.Errorf("%d lines, want 1", n)
	}
}

// A write that waits for another one, such as VACUUM, counts as busy only after a while: reads continue on SQLite.
func TestReadinessOfALockedFile(t *testing.T) {
	t.Parallel()
	clock, address := storetest.NewClock(), storetest.URL(t, "sqlite")
	a := serve(t, storetest.OpenURL(t, address, clock.Now), clock)
	a.do("GET", "/readyz", anonymous, nil).want(200)
	storetest.Hold(t, address)
	clock.Advance(probeInterval)
	a.do("GET", "/readyz", anonymous, nil).want(200)
	clock.Advance(time.Minute)
	got := a.do("GET", "/readyz", anonymous, nil).want(503, "unavailable")
	if !strings.Contains(string(got.body), "database-busy: ") {
		t.Errorf("%s", got.body)
	}
}
