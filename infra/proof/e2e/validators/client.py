"""Leases a host with the client that was generated from the description: client.py URL USER PASSWORD"""

import datetime
import sys

import leasehold_client as generated

url, user, password = sys.argv[1:]
with generated.ApiClient(generated.Configuration(host=url, username=user, password=password)) as connection:
    leases = generated.LeasesApi(connection)
    host = generated.ReservationRequest(generated.PhysicalHostReservation(
        kind="physical:host", parameters=generated.PhysicalHostParameters(min=1, max=1)))
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=3)
    made = leases.create_lease(generated.LeaseRequest(
        name="generated client", end=end, reservations=[host]))
    assert leases.show_lease(made.id).name == "generated client"
    assert made.id in [lease.id for lease in leases.list_leases().leases]
    assert generated.EventsApi(connection).list_events().events
    leases.delete_lease(made.id)
print(made.id)
