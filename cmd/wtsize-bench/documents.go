package main

import (
	"context"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump"
)

// each is a sampler.Visitor and its Sink that hands every document to a
// function.
type each func(doc []byte) error

// documents reads a file whole.
func documents(ctx context.Context, path string, f each) error {
	src, err := dump.Open(path, dump.Options{})
	if err != nil {
		return err
	}
	return src.Read(ctx, sampler.Budget{}, f)
}

func (f each) Begin(sampler.Collection) (sampler.Sink, error) { return f, nil }
func (f each) Run(sampler.Run) error                          { return nil }
func (f each) Document(doc []byte) error                      { return f(doc) }
func (f each) Skip(sampler.Namespace, *sampler.Fault)         {}

// End passes a fault on: figures of a part would be compared with the whole.
func (f each) End(_ sampler.Collection, end sampler.End) error {
	if end.Fault != nil {
		return end.Fault
	}
	return nil
}
