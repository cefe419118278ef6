package lspclient

// The parts of a client that answer questions, each over those before it.

// resolver finds the place that a target means.
type resolver struct{ *Client }

func resolverOf(c *Client) resolver { return resolver{c} }

// folderTable divides the root into workspace folders.
type folderTable struct{ *Client }

func foldersOf(c *Client) folderTable { return folderTable{c} }

// placeQuestions asks about a symbol what is answered with places.
type placeQuestions struct{ *Client }

func placesOf(c *Client) placeQuestions { return placeQuestions{c} }

// counterparts makes a stub and what it stands for one symbol.
type counterparts struct{ *Client }

func counterpartsOf(c *Client) counterparts { return counterparts{c} }

// callQuestions asks who calls whom.
type callQuestions struct{ *Client }

func callsOf(c *Client) callQuestions { return callQuestions{c} }

// renamer previews the renaming of a symbol.
type renamer struct{ *Client }

func renamerOf(c *Client) renamer { return renamer{c} }

// symbolQuestions lists declarations.
type symbolQuestions struct{ *Client }

func symbolsOf(c *Client) symbolQuestions { return symbolQuestions{c} }
