package main

import (
	"context"
	"net"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// refuse lets no new connection begin, and waits until those that were made are
// accepted: closing a listener resets its queue. A client's first packet is
// dropped from here on; it sends it again, and is refused once the listener is
// closed. Where that is not permitted the queue is reset after all.
func refuse(ctx context.Context, listener net.Listener) {
	tcp, ok := listener.(*net.TCPListener)
	if !ok {
		return
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return
	}
	var attached error
	if err := raw.Control(func(fd uintptr) { attached = dropNew(int(fd)) }); err != nil || attached != nil {
		return
	}
	for pause(ctx, settleTime) && queued(raw) {
	}
}

// dropNew attaches a filter that drops what has SYN set and ACK not (RFC 9293,
// section 3.1: byte 13 of the header).
func dropNew(fd int) error {
	const flags, syn, ack = 13, 0x02, 0x10
	instructions, err := bpf.Assemble([]bpf.Instruction{
		bpf.LoadAbsolute{Off: flags, Size: 1},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: syn | ack},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: syn, SkipFalse: 1},
		bpf.RetConstant{Val: 0},
		bpf.RetConstant{Val: 1<<32 - 1},
	})
	if err != nil {
		return err
	}
	filters := make([]unix.SockFilter, len(instructions))
	for i, in := range instructions {
		filters[i] = unix.SockFilter{Code: in.Op, Jt: in.Jt, Jf: in.Jf, K: in.K}
	}
	return unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{
		Len: uint16(len(filters)), Filter: &filters[0],
	})
}

// queued tells whether connections wait to be accepted (tcp(7): of a listener
// tcpi_unacked is the length of its queue).
func queued(raw interface{ Control(func(uintptr)) error }) bool {
	waiting := false
	_ = raw.Control(func(fd uintptr) {
		info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		waiting = err == nil && info.Unacked > 0
	})
	return waiting
}
