package lspclient

// requests are the questions that take more than one request, or an answer that is more than places.
type requests struct{ *session }

func requestsTo(s *session) requests { return requests{s} }
