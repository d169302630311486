package namespace

import (
	"crypto/sha1"
	"encoding/base64"
	"net/url"
	"strings"
)

// mongodump shortens a file name that would pass 238 bytes to 208 of them, a
// dollar sign and a hash, which leaves room for extensions within the 255 that
// file systems allow. mongo-tools: common/util/namespaces.go, EscapeCollectionName.
const (
	maxFileName = 238
	keptOfName  = 208
	hashOfName  = 27 // SHA-1 in base64url, without padding
)

// FileName is what mongodump calls a collection's file, without extension.
func FileName(coll string) string {
	name := url.QueryEscape(coll)
	if len(name) <= maxFileName {
		return name
	}
	sum := sha1.Sum([]byte(coll))
	return name[:keptOfName] + "%24" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// FromFileName is the collection a file (without extension) is of. A shortened
// name can't be undone: whole is false and coll is what is left of it.
func FromFileName(name string) (coll string, whole bool) {
	whole = true
	if len(name) == keptOfName+len("%24")+hashOfName && strings.HasPrefix(name[keptOfName:], "%24") {
		name, whole = name[:keptOfName], false
		if i := strings.LastIndexByte(name, '%'); i > keptOfName-3 {
			name = name[:i]
		}
	}
	coll, err := url.QueryUnescape(name)
	if err != nil {
		return name, whole
	}
	return coll, whole
}
