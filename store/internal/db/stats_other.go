//go:build !linux && !darwin

package db

// diskOf knows no figures on this system.
func diskOf(string) (DiskStats, bool) { return DiskStats{}, false }
