// Package report turns one estimate.Result into text for people and machines.
//
// A Result is rendered in two steps. First it is laid out (layout.go and the
// files named section_*.go) as a list of sections made of a few kinds of block:
// facts, paragraphs, grids, lists, commands and figures. Then one writer per
// format (terminal.go, markdown.go, html.go) prints those blocks in its own
// manner, so the formats cannot disagree. JSON and CSV are for programs and are
// written straight from the Result (json.go, csv.go); schema.json says what the
// JSON holds. Compare lays out two results side by side with the same blocks.
//
// Three rules hold in every format. Names and messages come from other people's
// databases, so each passes through Safe before anything else happens to it.
// Columns share one unit, so that the eye compares digits (units.go). Every
// figure that is printed has one definition, in explain.go.
//
// The page (page.tmpl, page.css, figures*.go, and package chart for the SVG)
// needs no script and no network. Package progress draws the line that shows
// how far reading has come.
//
// # Limits
//
// Text is laid out by the widths that Unicode gives characters; a terminal that
// thinks otherwise of a script or an emoji shows a ragged row. A command is
// broken at spaces outside of quotes and never shortened, so a long name in one
// may pass the width. A page gives sections of their own to the 40 largest
// collections.
package report
