package org.leasehold.saga.timer;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.RecordOutage;
import org.leasehold.lease.LeaseCommand.ReplaceFailedResource;
import org.leasehold.lease.LeaseCommand.ReplaceResource;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryEarly;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.scheduler.StoredJson;

import java.util.List;

class StoredTimersTest {

    private static final StoredJson JSON = new StoredJson(LeaseCommand.class);

    private static final String LEASE =
            """
            "leaseId":{"value":"00000000-0000-0000-0000-000000000001"}\
            """;

    private record Stored(String text, LeaseCommand command) {}

    static List<Stored> stored() {
        ResourceId host = new ResourceId(7);
        return List.of(
                new Stored(
                        "{\"type\":\"StartLease\"," + LEASE + "}", new StartLease(Samples.LEASE)),
                new Stored(
                        "{\"type\":\"RetryCreation\"," + LEASE + "}",
                        new RetryCreation(Samples.LEASE)),
                new Stored(
                        "{\"type\":\"RetryEarly\"," + LEASE + "}", new RetryEarly(Samples.LEASE)),
                new Stored(
                        "{\"type\":\"AnnounceEnd\"," + LEASE + "}", new AnnounceEnd(Samples.LEASE)),
                new Stored(
                        "{\"type\":\"EndLease\"," + LEASE + ",\"cause\":\"WINDOW_OVER\"}",
                        new EndLease(Samples.LEASE, EndCause.WINDOW_OVER)),
                new Stored(
                        "{\"type\":\"ReplaceResource\"," + LEASE + ",\"resourceId\":{\"value\":7}}",
                        new ReplaceResource(Samples.LEASE, host)),
                new Stored(
                        "{\"type\":\"ReplaceFailedResource\","
                                + LEASE
                                + ",\"reservationId\":{\"value\":\""
                                + Samples.RESERVATION
                                + "\"},\"resourceId\":{\"value\":7}}",
                        new ReplaceFailedResource(Samples.LEASE, Samples.RESERVATION, host)),
                new Stored(
                        "{\"type\":\"NoteOutage\","
                                + LEASE
                                + ",\"resourceId\":{\"value\":7},\"reason\":\"down\"}",
                        new RecordOutage(Samples.LEASE, host, null, "down")));
    }

    @ParameterizedTest
    @MethodSource("stored")
    void a_timer_is_stored_with_fixed_names(Stored stored) {
        Timer timer = new Timer("key", Samples.NOON, stored.command(), Samples.CAUSE);
        String text =
                "{\"key\":\"key\",\"due\":\"2030-01-01T12:00:00Z\",\"command\":"
                        + stored.text()
                        + """
                        ,"cause":{"event":"event-1","requestId":"req-1",\
                        "at":"2030-01-01T12:00:00Z"}}\
                        """;

        assertThat(new String(JSON.serialize(timer), UTF_8)).isEqualTo(text);
        assertThat(JSON.deserialize(Timer.class, text.getBytes(UTF_8))).isEqualTo(timer);
    }
}
