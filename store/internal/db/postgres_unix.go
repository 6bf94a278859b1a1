//go:build unix

package db

import "syscall"

// isBroken reports whether the server has ended the connection while nothing
// was asked: what there is to read then is its farewell or the end.
func (w *wire) isBroken() bool {
	below, ok := w.Conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := below.SyscallConn()
	if err != nil {
		return true
	}
	var waits bool
	err = raw.Control(func(fd uintptr) {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		waits = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK || err == syscall.EINTR
	})
	return err != nil || !waits
}
