// Package cos reads the objects of a PDF file (ISO 32000-1, 7.2 to 7.6): syntax, cross-references, object streams,
// encryption and filters. It does not depend on pages, fonts or text.
//
//	f, err := cos.Open(ctx, r, size, nil)
//	catalog := f.Catalog(ctx)
//	pages := f.Resolve(ctx, catalog["Pages"])
//	data, rest, err := stream.Decode(ctx, nil)
//
// # Model
//
// Opening reads the cross-references only; objects are parsed when a caller asks for them, and kept in a bounded cache.
// A stream's bytes stay in the file until they are decoded. Objects never change once they are returned: callers must
// not change them either. Everything here is safe for concurrent use, so that all readers of pages share one File.
//
// # Damage
//
// A file with unusable cross-references is scanned for objects, object streams included; later definitions win. An
// object that is not where a readable cross-reference table places it is looked up in such a scan too, made once. A
// damaged stream gives what was decoded before the damage.
//
// # Limits
//
// Decoded sizes, nesting, numbers of objects and of elements in one object are bounded; see limits.go. The context is
// checked within every loop over bytes of the file or of a decoded stream.
package cos
