package walk

import (
	"io/fs"
	"syscall"
)

// The file systems, by the numbers that the kernel gives them, on which a folder's times change with the names in it: those of local
// disks and of memory. Others (network, FUSE, shares of a host) are listed each time.
var local = map[int64]bool{
	0xef53:     true, // ext2, ext3, ext4
	0x58465342: true, // xfs
	0x9123683e: true, // btrfs
	0xf2f52010: true, // f2fs
	0x2fc12fc1: true, // zfs
	0x01021994: true, // tmpfs
	0x858458f6: true, // ramfs
	0x794c7630: true, // overlayfs
	0xca451a4e: true, // bcachefs
}

// reliable tells whether the stamps of folders on the file system of root can be relied on, and gives its device.
func reliable(root string) (device uint64, ok bool) {
	var fsys syscall.Statfs_t
	if err := syscall.Statfs(root, &fsys); err != nil || !local[int64(uint32(fsys.Type))] {
		return 0, false
	}
	var st syscall.Stat_t
	if err := syscall.Stat(root, &st); err != nil {
		return 0, false
	}
	return uint64(st.Dev), true
}

// folderStamp gives the stamp of a folder on the device; a link is followed for the root alone.
func folderStamp(p string, device uint64, root bool) (Stamp, bool) {
	var st syscall.Stat_t
	stat := syscall.Lstat
	if root {
		stat = syscall.Stat
	}
	if err := stat(p, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFDIR || uint64(st.Dev) != device {
		return Stamp{}, false
	}
	return Stamp{Mtime: st.Mtim.Nano(), Ctime: st.Ctim.Nano(), Ino: st.Ino}, true
}

// fileStamp gives the stamp of a file, links not followed, and tells whether it is a regular one.
func fileStamp(p string) (Stamp, bool, error) {
	var st syscall.Stat_t
	for {
		switch err := syscall.Lstat(p, &st); err {
		case nil:
			return Stamp{Size: st.Size, Mtime: st.Mtim.Nano(), Ctime: st.Ctim.Nano()}, st.Mode&syscall.S_IFMT == syscall.S_IFREG, nil
		case syscall.EINTR:
		default:
			return Stamp{}, false, &fs.PathError{Op: "lstat", Path: p, Err: err}
		}
	}
}
