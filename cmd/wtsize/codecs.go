package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wtsize/wtsize/estimate/codec"
)

func newCodecs(e *env) *cobra.Command {
	compressors := ""
	format := ""
	cmd := &cobra.Command{
		Use:   "codecs [flags]",
		Short: "Show the codec libraries in use, and test them",
		Long: "Show which library compresses for each compressor, its version, and whether its\n" +
			"output is byte for byte what servers make. Each is tested for about a second:\n" +
			"generated pages must come back as they were.",
		Example: "  wtsize codecs\n" +
			"  wtsize codecs --compressors zstd:1-9",
		DisableFlagsInUseLine: true,
		Args:                  noArgs,
		RunE: func(*cobra.Command, []string) error {
			settings, err := codec.ParseList(compressors)
			if err != nil {
				return usage("--compressors none,snappy,zlib,zstd", "--compressors: %w", err)
			}
			if format != "table" && format != "json" {
				return usage("--format table", "--format %q: there are table, json", format)
			}
			return runCodecs(e, settings, format == "json")
		},
	}
	cmd.Flags().StringVar(&compressors, "compressors", "none,snappy,zlib,zstd", "what to test (default all four); with levels: zlib:9, zstd:1-22")
	cmd.Flags().StringVar(&format, "format", "table", "table (default) or json")
	values(cmd.Flags(), "compressors", "LIST", "format", "FORMAT")
	return cmd
}

// codecLine is one compressor of "wtsize codecs".
type codecLine struct {
	Compressor string  `json:"compressor"`
	Library    string  `json:"library,omitempty"`
	Version    string  `json:"version,omitempty"`
	Exact      bool    `json:"exact"`
	ErrorBand  float64 `json:"errorBand,omitempty"` // relative, of sizes
	Ratio      float64 `json:"ratio"`               // of generated pages
	// Megabytes of page images a second on one core. Time.
	Compress   float64 `json:"compressMBPerSecond,omitempty"`
	Decompress float64 `json:"decompressMBPerSecond,omitempty"`
	Test       string  `json:"test"` // "passed", or what went wrong
}

func runCodecs(e *env, settings []codec.Setting, asJSON bool) error {
	reports := codec.SelfTest(settings, codec.MeasureOptions{})
	lines := make([]codecLine, len(reports))
	failed := 0
	for i, r := range reports {
		lines[i] = codecLine{
			Compressor: r.Setting.String(), Library: r.Info.Library, Version: r.Info.Version,
			Exact: r.Info.Exact, ErrorBand: r.Info.ErrorBand, Ratio: r.Ratio, Test: "passed",
		}
		if r.Err != nil {
			lines[i].Test = r.Err.Error()
			failed++
		}
		if !e.noTimings {
			lines[i].Compress, lines[i].Decompress = speed(r.Timing.Compress), speed(r.Timing.Decompress)
		}
	}
	err := write(e, "", func(w io.Writer) error {
		if asJSON {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "  ")
			return enc.Encode(lines)
		}
		return writeCodecs(w, lines)
	})
	if err == nil && failed > 0 {
		err = hinted{fmt.Errorf("%d of %d compressors failed the test", failed, len(lines)), "don't trust the figures of those; please report it with the table above"}
	}
	return err
}

// speed is megabytes a second, 0 where nothing was measured.
func speed(s codec.Spread) float64 {
	if s.Median == 0 {
		return 0
	}
	return float64(int64(1000/s.Median*10)) / 10
}

func writeCodecs(w io.Writer, lines []codecLine) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "compressor\tlibrary\tsizes\tcompress\tdecompress\tself-test\n")
	for _, l := range lines {
		sizes := "exact"
		if !l.Exact {
			sizes = fmt.Sprintf("± %.2g %%", 100*l.ErrorBand)
		}
		library := l.Library
		if l.Version != "" {
			library += " " + l.Version
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", l.Compressor, library, sizes, perSecond(l.Compress), perSecond(l.Decompress), l.Test)
	}
	return t.Flush()
}

func perSecond(mb float64) string {
	if mb == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f MB/s", mb)
}
