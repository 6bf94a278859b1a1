//go:build unix

package db

import "syscall"

// isBroken reports whether the server has closed the idle connection. An idle
// connection has something to read only then.
func (w *wire) isBroken() bool {
	below, ok := w.Conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := below.SyscallConn()
	if err != nil {
		return true
	}
	var idle bool
	err = raw.Control(func(fd uintptr) {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		idle = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK || err == syscall.EINTR
	})
	return err != nil || !idle
}
