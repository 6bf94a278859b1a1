package main

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"assay/store/traces"
)

// Each duration in the log has its unit in its name, in both formats, wherever it is in the record.
func TestDurationsHaveAUnit(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		"text": ` msg=m lasted=x tookMs=1.235 g.waitMs=90000 g.traceId=0af7651916cd43dd8448eb211c80319c`,
		"json": `"msg":"m","lasted":"x","tookMs":1.235,"g":{"waitMs":90000,"traceId":"0af7651916cd43dd8448eb211c80319c"}}`,
	} {
		var out bytes.Buffer
		log, err := config{LogFormat: format}.logger(&out, slog.LevelInfo)
		if err != nil {
			t.Fatal(err)
		}
		ctx := traces.With(t.Context(), "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
		log.With("lasted", errors.New("x"), "took", 1234567*time.Nanosecond).WithGroup("g").
			InfoContext(ctx, "m", slog.Any("wait", 90*time.Second))
		if got := out.String(); !strings.HasSuffix(got, want+"\n") {
			t.Errorf("%s: %s", format, got)
		}
	}
}
