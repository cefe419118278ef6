module example.com/radio

go 1.24
