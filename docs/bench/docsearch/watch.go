//go:build ignore

// Watch runs a program and appends to a file what it used: watch FILE NAME PROGRAM ARGUMENT...
//
// The line is "NAME wall user system peak", three times in seconds and the largest anonymous resident memory in MB (RssAnon of
// /proc/PID/status, looked at every 20 ms: pages of mapped files, which the system may take back, do not count). The times of
// children are part of it, their memory is not.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: watch FILE NAME PROGRAM ARGUMENT...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "watch:", err)
		os.Exit(1)
	}
}

func run(file, name string, args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	peak := 0
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			peak = max(peak, anonymous(cmd.Process.Pid))
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = fmt.Fprintf(f, "%s %.2f %.2f %.2f %.0f\n", name, time.Since(began).Seconds(),
				cmd.ProcessState.UserTime().Seconds(), cmd.ProcessState.SystemTime().Seconds(), float64(peak)*1024/1e6)
			return err
		}
	}
}

// anonymous returns the anonymous resident memory of a process in KiB, 0 when it is gone.
func anonymous(pid int) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), "RssAnon:")
	rest, _, _ = strings.Cut(rest, "kB")
	n, err := strconv.Atoi(strings.TrimSpace(rest))
	if err != nil {
		return 0 // a process that is ending has no such line
	}
	return n
}
