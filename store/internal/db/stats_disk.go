//go:build linux || darwin

package db

import "syscall"

// diskOf returns the figures of the file system that has the folder.
func diskOf(folder string) (DiskStats, bool) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return DiskStats{}, false
	}
	block := uint64(stat.Bsize) // its type depends on the system
	return DiskStats{Free: stat.Bavail * block, Size: stat.Blocks * block}, true
}
