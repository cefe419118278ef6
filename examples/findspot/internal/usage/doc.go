// Package usage writes the help of a program of cobra commands: commands in groups, flags with what their values are in plain words, the flags of all commands on a page of their own,
// rare ones only when they are asked for, and near words for those that are wrong.
package usage
