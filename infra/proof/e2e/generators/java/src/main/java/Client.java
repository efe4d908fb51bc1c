import org.leasehold.client.ApiClient;
import org.leasehold.client.LeasesApi;
import org.leasehold.client.model.LeaseRequest;
import org.leasehold.client.model.PhysicalHostParameters;
import org.leasehold.client.model.PhysicalHostReservation;
import org.leasehold.client.model.ReservationRequest;

import java.time.OffsetDateTime;
import java.util.Base64;

/** Leases a host with the client that openapi-generator wrote: Client URL USER PASSWORD */
public final class Client {

    private Client() {}

    public static void main(String[] args) throws Exception {
        String login = Base64.getEncoder().encodeToString((args[1] + ":" + args[2]).getBytes());
        ApiClient connection = new ApiClient();
        connection.updateBaseUri(args[0]);
        connection.setRequestInterceptor(
                request -> request.header("Authorization", "Basic " + login));
        LeasesApi leases = new LeasesApi(connection);

        var host =
                new PhysicalHostReservation()
                        .kind(PhysicalHostReservation.KindEnum.PHYSICAL_HOST)
                        .parameters(new PhysicalHostParameters().min(1).max(1));
        var wanted =
                new LeaseRequest()
                        .name("java client")
                        .end(OffsetDateTime.now().plusHours(3))
                        .addReservationsItem(new ReservationRequest(host));
        var made = leases.createLease(wanted, null, null);
        var shown = leases.showLease(made.getId(), null, null);
        if (!shown.getName().equals("java client")) {
            throw new AssertionError(shown);
        }
        leases.deleteLease(made.getId(), null, null, null);
        System.out.println(made.getId());
    }
}
