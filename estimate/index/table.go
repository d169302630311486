package index

import (
	"fmt"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/keystring"
	"github.com/wtsize/wtsize/estimate/wt"
)

// NewConfig gives the table an index is created with: a server's own settings,
// changed by the index's storageEngine.wiredTiger.configString.
func NewConfig(ix keystring.Index, release wt.Release) (Config, error) {
	t, err := wt.Index().With(ix.ConfigString)
	if err != nil {
		return Config{}, fmt.Errorf("index %s: %w", ix.Name, err)
	}
	cfg := Config{Table: t, Release: release}
	if t.Compressed() {
		settings, err := codec.ParseList(t.Compressor)
		if err != nil {
			return Config{}, fmt.Errorf("index %s: %w", ix.Name, err)
		}
		if cfg.Codec, err = codec.New(settings[0]); err != nil {
			return Config{}, fmt.Errorf("index %s: %w", ix.Name, err)
		}
	}
	return cfg, nil
}

// Build makes the index file of all entries, as an index build does.
func Build(cfg Config, s *Sorter) (File, error) {
	b := NewBuilder(cfg)
	if err := s.Each(func(key, value []byte) error { b.Add(key, value); return nil }); err != nil {
		return File{}, err
	}
	return b.Finish()
}
