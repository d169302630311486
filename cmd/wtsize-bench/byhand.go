package main

import (
	"context"
	"errors"

	"github.com/wtsize/wtsize/estimate/codec"
)

// byHand sizes a collection in the ways that need no model of pages, all of
// them on the whole data and with the servers' codecs.
type byHand struct {
	codec codec.Codec
	batch []byte
	plain int64
	// batches and documents are compressed bytes of batches of batchBytes and of
	// single documents; rounded are batches in whole allocation units.
	batches, rounded, documents int64
}

const (
	batchBytes = 32 << 10
	allocation = 4 << 10
)

// sizeByHand reads a collection under several compressors at once.
func sizeByHand(ctx context.Context, path string, settings []codec.Setting) ([]*byHand, error) {
	hands := make([]*byHand, len(settings))
	for i, s := range settings {
		c, err := codec.New(s)
		if err != nil {
			return nil, err
		}
		hands[i] = &byHand{codec: c}
	}
	err := documents(ctx, path, func(doc []byte) error {
		var errs error
		for _, h := range hands {
			errs = errors.Join(errs, h.add(doc))
		}
		return errs
	})
	for _, h := range hands {
		err = errors.Join(err, h.flush())
	}
	return hands, err
}

// add takes a document; a batch is full when the next document would not fit.
func (h *byHand) add(doc []byte) error {
	if len(h.batch) > 0 && len(h.batch)+len(doc) > batchBytes {
		if err := h.flush(); err != nil {
			return err
		}
	}
	h.batch = append(h.batch, doc...)
	h.plain += int64(len(doc))
	n, err := compressed(h.codec, doc)
	h.documents += n
	return err
}

func (h *byHand) flush() error {
	if len(h.batch) == 0 {
		return nil
	}
	n, err := compressed(h.codec, h.batch)
	h.batches += n
	h.rounded += (n + allocation - 1) / allocation * allocation
	h.batch = h.batch[:0]
	return err
}

// compressed is the length of src as it would be stored.
func compressed(c codec.Codec, src []byte) (int64, error) {
	n, err := c.Compress(src)
	if n == 0 {
		n = len(src)
	}
	return int64(n), err
}
