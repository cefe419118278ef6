// Package docwatch tells when documents below a folder may have changed: when the system says so, and from time to time where it says nothing (a network
// drive, more folders than may be watched). It reads no document. Folders whose names begin with a dot are left out, as they are when documents are added,
// and links are not followed.
package docwatch
