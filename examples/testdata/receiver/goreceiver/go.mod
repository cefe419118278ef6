module example.com/goreceiver

go 1.26
