// Package budget limits the work that one document may cause. It takes the size of the file and the cost of each step,
// in units, and returns an error once the units are spent. The constants name the steps; otherwise it does not depend
// on PDF. What a single page may cost is limited separately, where pages are read.
package budget
