// Leases a host with the client that openapi-generator wrote: client URL USER PASSWORD
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	leasehold "leasehold.example/client"
)

func main() {
	url, user, password := os.Args[1], os.Args[2], os.Args[3]
	configuration := leasehold.NewConfiguration()
	configuration.Servers = leasehold.ServerConfigurations{{URL: url}}
	login := leasehold.BasicAuth{UserName: user, Password: password}
	call := context.WithValue(context.Background(), leasehold.ContextBasicAuth, login)
	leases := leasehold.NewAPIClient(configuration).LeasesAPI

	host := leasehold.PhysicalHostReservationAsReservationRequest(
		leasehold.NewPhysicalHostReservation("physical:host", *leasehold.NewPhysicalHostParameters(1, 1)))
	wanted := leasehold.NewLeaseRequest(time.Now().Add(3*time.Hour), "go client", []leasehold.ReservationRequest{host})
	made, _, err := leases.CreateLease(call).LeaseRequest(*wanted).Execute()
	if err != nil {
		log.Fatal(err)
	}
	shown, _, err := leases.ShowLease(call, made.Id).Execute()
	if err != nil || shown.Name != "go client" {
		log.Fatal(shown, err)
	}
	if _, err := leases.DeleteLease(call, made.Id).Execute(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.Id)
}
