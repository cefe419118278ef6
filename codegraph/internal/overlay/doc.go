// Package overlay adds to a linked graph what compilers and language servers observed. [Lay] takes a graph and observations, and returns a
// graph whose edges at the observed places are exact, with counts of the observations applied and left out ([Result]). The graph below stays
// as it is, and observations of other content than the indexed one are left out. It does not depend on who observed something or how edges
// are shown.
package overlay
