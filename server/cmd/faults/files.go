package main

import (
	"fmt"
	"syscall"
)

// allowFiles raises the limit of open files as far as it can, for this program
// and the processes that it starts, each of which needs as many.
func allowFiles(needed uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	more := syscall.Rlimit{Cur: max(limit.Max, needed), Max: max(limit.Max, needed)}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &more); err == nil {
		return nil
	}
	limit.Cur = limit.Max // more than the hard limit takes a privilege
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	if limit.Cur < needed {
		return fmt.Errorf("this needs %d open files and may have %d: raise the hard limit (ulimit -Hn %d as root), or pass a smaller --slow", needed, limit.Cur, needed)
	}
	return nil
}

func filesAllowed() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return limit.Cur
}
