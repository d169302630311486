// Package e2e holds tests that join the live sampler with the estimate. They
// are apart because live itself knows nothing of estimates.
package e2e
