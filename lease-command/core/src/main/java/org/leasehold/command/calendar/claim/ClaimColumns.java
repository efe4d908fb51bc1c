package org.leasehold.command.calendar.claim;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.command.calendar.timeline.Micros;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;

import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** Converts the columns of a claim to types of the calendar. */
final class ClaimColumns {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ClaimColumns() {}

    static ReservationId reservation(ResultSet row) throws SQLException {
        return new ReservationId(row.getObject("reservation_id", UUID.class));
    }

    static Claim claim(ResultSet row) throws SQLException {
        return new Claim(
                new ResourceId(row.getLong("resource_id")),
                new LeasePeriod(
                        Micros.instant(row.getLong("starts")), Micros.instant(row.getLong("ends"))),
                share(row.getString("share")));
    }

    static @Nullable Share share(@Nullable String json) {
        return json == null ? null : JSON.readValue(json, Share.class);
    }

    static @Nullable String json(@Nullable Share share) {
        return share == null ? null : JSON.writeValueAsString(share);
    }
}
