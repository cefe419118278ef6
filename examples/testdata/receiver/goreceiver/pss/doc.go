// Package pss generates and detects the primary synchronization signal of a 5G NR cell.
//
// Generation follows FS 12.401 clause 4.2, detection its clause 5.2: correlation with three references and a threshold over
// the noise floor. Frequency offsets are left to the caller: one call tests one offset.
package pss
