module leasehold.example/lease

go 1.24

require leasehold.example/client v0.0.0

replace leasehold.example/client => ./client
