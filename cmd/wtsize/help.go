package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the number of columns that help keeps to.
const helpWidth = 80

// groupKey annotates a flag with the heading it is listed under.
const groupKey = "group"

// valueKey annotates a flag with the word that stands for its value.
const valueKey = "value"

// values names what flags take: flag, word, flag, word, ...
func values(fs *pflag.FlagSet, pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		annotate(fs.Lookup(pairs[i]), valueKey, pairs[i+1])
	}
}

func annotate(f *pflag.Flag, key, value string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[key] = []string{value}
}

// annotation is "" where the flag has none.
func annotation(f *pflag.Flag, key string) string {
	if v := f.Annotations[key]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// addGroup adds flags to a command, under a heading of their own.
func addGroup(c *cobra.Command, title string, add func(*pflag.FlagSet)) {
	fs := pflag.NewFlagSet(title, pflag.ContinueOnError)
	fs.SortFlags = false
	add(fs)
	fs.VisitAll(func(f *pflag.Flag) {
		annotate(f, groupKey, title)
	})
	c.Flags().SortFlags = false
	c.Flags().AddFlagSet(fs)
}

// writeHelp is the --help of every command.
func writeHelp(w io.Writer, c *cobra.Command) {
	about := c.Long
	if about == "" {
		about = c.Short
	}
	fmt.Fprintf(w, "%s\n\nUsage:\n", about)
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND [flags]\n", c.CommandPath())
	} else {
		fmt.Fprintf(w, "  %s\n", c.UseLine())
	}
	if c.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	writeCommands(w, c)
	writeFlags(w, c)
	fmt.Fprintf(w, "\n%s", exitHelp)
}

func writeCommands(w io.Writer, c *cobra.Command) {
	if !c.HasAvailableSubCommands() {
		return
	}
	fmt.Fprint(w, "\nCommands:\n")
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(w, "  %-11s %s\n", sub.Name(), sub.Short)
		}
	}
}

func writeFlags(w io.Writer, c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	groups := map[string]*pflag.FlagSet{}
	var titles []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		title := cmp.Or(annotation(f, groupKey), "Flags")
		if !slices.Contains(titles, title) {
			titles = append(titles, title)
			groups[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			groups[title].SortFlags = false
		}
		groups[title].AddFlag(f)
	})
	for _, title := range titles {
		fmt.Fprintf(w, "\n%s:\n", title)
		groups[title].VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				writeFlag(w, f)
			}
		})
	}
}

// flagColumn is where the text of a flag begins.
const flagColumn = 26

// writeFlag writes a flag and what it does, under each other where the flag
// reaches into the text's column.
func writeFlag(w io.Writer, f *pflag.Flag) {
	value, about := annotation(f, valueKey), f.Usage
	name := "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	switch {
	case value == "":
	case f.NoOptDefVal != "":
		name += "[=" + value + "]"
	default:
		name += " " + value
	}
	if f.Name == "help" {
		about = "show this"
	}
	lines := wrap(about, helpWidth-flagColumn)
	if len(name)+2 > flagColumn {
		fmt.Fprintln(w, name)
		name = ""
	}
	for _, l := range lines {
		fmt.Fprintf(w, "%-*s%s\n", flagColumn, name, l)
		name = ""
	}
}

// wrap breaks text at blanks into lines of at most width letters.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}
