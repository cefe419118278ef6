package lspclient

// completeness finds out what a server leaves out of an answer, and adds what it can be made to tell.
type completeness struct{ *session }

func complete(s *session) completeness { return completeness{s} }

// exposure shows a server the files that hold a name, for servers that know only what can be reached from the files that they
// were shown.
type exposure struct{ *session }

func expose(s *session) exposure { return exposure{s} }

// javaSources checks answers about Java against the sources: a server without a project's dependencies does not know what it
// does not find.
type javaSources struct{ *session }

func javaOf(s *session) javaSources { return javaSources{s} }
