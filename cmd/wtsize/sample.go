package main

import "github.com/spf13/cobra"

func newSample(e *env) *cobra.Command { return &cobra.Command{Use: "sample"} }
