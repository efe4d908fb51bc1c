package org.leasehold.query.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.RequestOrigin;
import org.leasehold.readmodel.audit.AuditTrail.Entry;

/** The contents of an entry. */
class AuditEntriesTest extends AuditTrailFixture {

    @Test
    void an_entry_contains_the_stream_and_the_metadata_of_the_event() {
        Entry entry = trail.find(7).orElseThrow();

        assertThat(entry.project()).isEqualTo("biology");
        assertThat(entry.streamType()).isEqualTo("Lease");
        assertThat(entry.stream()).isEqualTo(B.toString());
        assertThat(entry.sequence()).isEqualTo(2);
        assertThat(entry.type()).isEqualTo("LeaseEnding");
        assertThat(entry.user()).isEqualTo("eve");
        assertThat(entry.actingFor()).isEqualTo("operators");
        assertThat(entry.roles()).containsExactly("admin", "reader");
        assertThat(entry.authentication()).isEqualTo("basic");
        assertThat(entry.requestId()).isEqualTo("req-7");
        assertThat(entry.causation()).isEqualTo("c");
        assertThat(entry.reason()).isEqualTo("it is broken");
        assertThat(entry.recordedAt()).isEqualTo(BEGIN.plusSeconds(7));
        assertThat(entry.data()).isEqualTo("{}");
        assertThat(entry.origin()).isNull();
        assertThat(trail.find(9)).isEmpty();
    }

    @Test
    void an_event_has_the_origin_of_the_request() {
        came("req-2", "192.0.2.7");

        RequestOrigin origin = RequestOrigin.of("192.0.2.7", "curl/8");
        assertThat(trail.find(4).orElseThrow().origin()).isEqualTo(origin);
        assertThat(trail.findCausedBy("req-2", 10)).extracting(Entry::origin).containsOnly(origin);
    }

    @Test
    void an_event_of_the_engine_has_no_user() {
        Entry entry = trail.find(8).orElseThrow();

        assertThat(entry.project()).isEqualTo("-");
        assertThat(entry.user()).isNull();
        assertThat(entry.actingFor()).isNull();
        assertThat(entry.roles()).isEmpty();
        assertThat(entry.causation()).isNull();
        assertThat(entry.reason()).isNull();
    }

    @Test
    void the_events_of_a_request_are_listed_oldest_first() {
        assertThat(trail.findCausedBy("req-2", 10))
                .extracting(Entry::position)
                .containsExactly(4L, 6L);
        assertThat(trail.findCausedBy("req-2", 1)).extracting(Entry::position).containsExactly(4L);
        assertThat(trail.findCausedBy("req-99", 10)).isEmpty();
    }
}
