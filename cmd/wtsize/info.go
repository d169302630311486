package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// noArgs refuses arguments.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(c.CommandPath(), "%s takes no arguments, %q given", c.CommandPath(), args[0])
	}
	return nil
}

func newVersion(e *env) *cobra.Command {
	return &cobra.Command{
		Use:                   "version",
		Short:                 "Show the version of wtsize",
		Example:               "  wtsize version",
		DisableFlagsInUseLine: true,
		Args:                  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(e.stdout, versionText(e.version))
			return err
		},
	}
}

// versionText is the version, and what the program was built with and from.
func versionText(version string) string {
	text := fmt.Sprintf("wtsize %s\n%s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "CGO_ENABLED" && s.Value == "1":
				text += ", with cgo"
			case s.Key == "CGO_ENABLED":
				text += ", without cgo"
			case s.Key == "vcs.revision":
				text += ", commit " + s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				text += " and changes"
			}
		}
	}
	return text + "\n"
}

func newCompletion(e *env) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Write a shell's completion script",
		Long:  "Write the script that completes wtsize's commands and flags in a shell.",
		Example: "  source <(wtsize completion bash)\n" +
			"  wtsize completion zsh > \"${fpath[1]}/_wtsize\"\n" +
			"  wtsize completion fish > ~/.config/fish/completions/wtsize.fish\n" +
			"  wtsize completion powershell | Out-String | Invoke-Expression",
		DisableFlagsInUseLine: true,
		ValidArgs:             shells,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("wtsize completion bash", "one shell is needed, %d given", len(args))
			}
			switch args[0] {
			case "bash":
				return c.Root().GenBashCompletionV2(e.stdout, true)
			case "zsh":
				return c.Root().GenZshCompletion(e.stdout)
			case "fish":
				return c.Root().GenFishCompletion(e.stdout, true)
			case "powershell":
				return c.Root().GenPowerShellCompletionWithDesc(e.stdout)
			}
			hint := "wtsize completion bash, zsh, fish or powershell"
			if near := nearest(args[0], shells); near != "" {
				hint = "wtsize completion " + near
			}
			return usage(hint, "no completion for %q", args[0])
		},
	}
}

// newMan writes the manual pages, from the same definitions as --help. It is
// for packagers and hidden from users.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:                   "man DIRECTORY",
		Short:                 "Write manual pages",
		Hidden:                true,
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("wtsize man man1", "one directory is needed, %d given", len(args))
			}
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return openFailed(args[0], err)
			}
			c.Root().DisableAutoGenTag = true
			header := &doc.GenManHeader{Title: "WTSIZE", Section: "1", Source: "wtsize", Manual: "wtsize manual"}
			return doc.GenManTree(c.Root(), header, filepath.Clean(args[0]))
		},
	}
}
