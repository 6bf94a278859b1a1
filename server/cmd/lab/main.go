// Command lab measures Assay and injects faults, for Assay's developers. The
// README beside this file describes its commands.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"assay/server/cmd/lab/attack"
	"assay/server/cmd/lab/bench"
	"assay/server/cmd/lab/corrections"
	"assay/server/cmd/lab/faults"
	"assay/server/cmd/lab/move"
	"assay/server/cmd/lab/scale"
	"assay/server/cmd/lab/torture"
	"assay/server/cmd/lab/upgrade"
)

type commands struct {
	Attack      attack.Command      `cmd:"" help:"Attack the service beside a victim, and check its bounds."`
	Bench       bench.Command       `cmd:"" help:"Measure requests, deliveries, and emails beside a bare baseline."`
	Corrections corrections.Command `cmd:"" help:"Correct thousands of results beside candidates, or under kills."`
	Faults      faults.Command      `cmd:"" help:"Inject a kind of fault under load, and check what the service promises."`
	Move        move.Command        `cmd:"" help:"Move a large database to the other kind, with kills of the import."`
	Scale       scale.Command       `cmd:"" help:"Measure each operation on a large and a small database."`
	Torture     torture.Command     `cmd:"" help:"Kill the service and its database again and again, and look for losses."`
	Upgrade     upgrade.Command     `cmd:"" help:"Upgrade each earlier release, with probes and kills, and step back."`
	Bare        bench.Bare          `cmd:"" hidden:"" help:"Serve the baseline of bench api."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	command := kong.Parse(&commands{},
		kong.Name("lab"), kong.Description("Measures Assay and injects faults."),
		kong.Vars{"attack_parts": attack.Names(), "scenarios": bench.Names()},
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(os.Stdout, (*io.Writer)(nil)))
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1) //nolint:gocritic // stop has nothing left to do
	}
}
