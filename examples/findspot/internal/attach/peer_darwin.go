package attach

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerUID is the user at the other end of a socket; ok is false where the system does not say.
func peerUID(conn *net.UnixConn) (uid int, ok bool) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, false
	}
	var cred *unix.Xucred
	if cerr := raw.Control(func(fd uintptr) { cred, err = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED) }); cerr != nil || err != nil {
		return 0, false
	}
	return int(cred.Uid), true
}

const tellsPeer = true
