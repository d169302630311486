package main

import (
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"golang.org/x/term"
)

// env is the world a command runs in; tests put in their own.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	// Width of the terminal on stdout, 0 where it is none; stderrTTY: a live
	// line can be redrawn.
	width     int
	color     bool
	stderrTTY bool
	// signals delivers interrupts.
	signals chan os.Signal
}

func systemEnv() *env {
	e := &env{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv,
		stderrTTY: term.IsTerminal(int(os.Stderr.Fd())), signals: make(chan os.Signal, 2),
	}
	signal.Notify(e.signals, os.Interrupt, syscall.SIGTERM)
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		e.width = w
		e.color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		e.width = n
	}
	return e
}
