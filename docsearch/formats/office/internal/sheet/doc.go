// Package sheet reads workbooks of SpreadsheetML (ECMA-376 part 1, section 18): the cells as Excel shows them, put into tables.
package sheet
