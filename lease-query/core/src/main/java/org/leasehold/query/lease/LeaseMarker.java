package org.leasehold.query.lease;

import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.Leases.ListLeases;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * The end of a page of leases.
 *
 * @param list the list, see {@link #nameOf}: a marker is valid for its own list only
 * @param keys the sort keys of the last lease, as text without spaces
 */
record LeaseMarker(String list, List<String> keys) {

    LeaseMarker {
        keys = List.copyOf(keys);
    }

    /** Returns a name for a list: its order, and a digest of its filter. */
    static String nameOf(ListLeases question) {
        String sign = question.order().direction() == SortDirection.ASCENDING ? "" : "-";
        byte[] filter = question.filter().toString().getBytes(StandardCharsets.UTF_8);
        return sign + question.order().key() + ":" + UUID.nameUUIDFromBytes(filter);
    }

    /** Returns the opaque text for clients. */
    String text() {
        return Page.encodeMarker(list + " " + String.join(" ", keys));
    }

    /**
     * Parses the text from a client.
     *
     * @param keys the number of sort keys
     * @throws IllegalArgumentException if it is not a marker of the list
     */
    static LeaseMarker of(String text, String list, int keys) {
        List<String> parts = List.of(Page.decodeMarker(text).split(" ", -1));
        if (!parts.getFirst().equals(list) || parts.size() != keys + 1) {
            throw new IllegalArgumentException("not a marker of this list: " + text);
        }
        return new LeaseMarker(list, parts.subList(1, parts.size()));
    }
}
