package main

import (
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"

	"golang.org/x/term"
)

// env is the world a command runs in; tests put in their own.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	// askPassword prompts on the terminal; it fails where there is none.
	askPassword func(prompt string) (string, error)
	// signals delivers interrupts.
	signals <-chan os.Signal
	// terminal is what stdout is; width its columns, 0 where not known.
	terminal bool
	width    int
	color    bool // on stdout
	// stderrWidth is that of the terminal on stderr, nil where it is none.
	stderrWidth func() int
	// version of this program, for results and "wtsize version".
	version string
	// noTimings leaves out what depends on this machine's speed.
	noTimings bool
	// unfinished is removed when the program is stopped.
	unfinished unfinished
}

func systemEnv() *env {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	// Without a handler, writing to a closed pipe ends the program silently.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	e := &env{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv,
		askPassword: askOnTerminal, signals: signals, version: buildVersion(),
	}
	if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) && os.Getenv("TERM") != "dumb" {
		e.stderrWidth = func() int { return terminalWidth(fd) }
	}
	if fd := int(os.Stdout.Fd()); term.IsTerminal(fd) {
		e.terminal, e.width = true, terminalWidth(fd)
		e.color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		e.width = n
	}
	return e
}

// terminalWidth is what terminals had at least since there are any, where one
// does not say.
func terminalWidth(fd int) int {
	if w, _, err := term.GetSize(fd); err == nil && w > 0 {
		return w
	}
	return 80
}

// buildVersion is the module's version as Go stamps it into the binary.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// askOnTerminal prompts on the controlling terminal, whatever stdin is.
func askOnTerminal(prompt string) (string, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer tty.Close()
	if _, err := io.WriteString(tty, prompt); err != nil {
		return "", err
	}
	password, err := term.ReadPassword(int(tty.Fd()))
	io.WriteString(tty, "\n")
	return string(password), err
}
