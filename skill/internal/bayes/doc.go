// Package bayes tells classes of texts apart by their terms, by naive Bayes over terms that count once a text (a multinomial model of binary features: Metsis
// and others, Spam Filtering with Naive Bayes, 2006), and by the mean of that and of logistic regression ([Linear]), which is learned beforehand.
package bayes
