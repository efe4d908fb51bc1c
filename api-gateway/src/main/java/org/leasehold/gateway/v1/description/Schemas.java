package org.leasehold.gateway.v1.description;

import static org.leasehold.gateway.v1.description.Fields.END;
import static org.leasehold.gateway.v1.description.Fields.START;
import static org.leasehold.gateway.v1.description.Fields.anyOf;
import static org.leasehold.gateway.v1.description.Fields.list;
import static org.leasehold.gateway.v1.description.Fields.message;
import static org.leasehold.gateway.v1.description.Fields.moment;
import static org.leasehold.gateway.v1.description.Fields.number;
import static org.leasehold.gateway.v1.description.Fields.orNull;
import static org.leasehold.gateway.v1.description.Fields.reference;
import static org.leasehold.gateway.v1.description.Fields.text;
import static org.leasehold.gateway.v1.description.Fields.wrapperOfAll;

import io.swagger.v3.oas.models.media.Schema;

import java.util.Map;
import java.util.TreeMap;

/**
 * The schemas of messages in the contract of Blazar's API. They are written, not derived: requests
 * are read leniently, and responses stay as they always were.
 */
final class Schemas {

    private Schemas() {}

    static Map<String, Schema<?>> all() {
        Map<String, Schema<?>> schemas = new TreeMap<>();
        LeaseSchemas.addTo(schemas);
        HostSchemas.addTo(schemas);
        FloatingIpSchemas.addTo(schemas);
        addDiscovery(schemas);
        addErrors(schemas);
        return schemas;
    }

    private static void addDiscovery(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarPlugins",
                message("What can be leased.")
                        .with(
                                "plugins",
                                list("The kinds, by name.", text("A kind.", "physical:host")))
                        .closed());
        schemas.put(
                "BlazarVersions",
                wrapperOfAll("The versions that there are.", "versions", "BlazarVersion"));
        schemas.put(
                "BlazarVersion",
                message("A version of the API.")
                        .with("id", text("Its id.", "v1.0"))
                        .with("status", text("Whether to use it.", "CURRENT"))
                        .with("min_version", text("The lowest microversion.", "1.0"))
                        .with("max_version", text("The highest microversion.", "1.0"))
                        .with("links", list("Where it is.", reference("BlazarLink")))
                        .closed());
        schemas.put(
                "BlazarLink",
                message("A link.")
                        .with("rel", text("What it leads to.", "self"))
                        .with("href", text("Where it leads.", "http://127.0.0.1:1234/v1"))
                        .closed());
    }

    private static void addErrors(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarError",
                anyOf(
                        "One of three forms; clients look at error_message only.",
                        reference("BlazarRefusal"),
                        reference("BlazarUnreadable"),
                        reference("BlazarUnauthenticated")));
        Schema<?> name = number("The same again, or INTERNAL_SERVER_ERROR.", 409);
        name.addType("string");
        schemas.put(
                "BlazarRefusal",
                message("What was understood, but not done.")
                        .with("error_code", number("The status.", 409))
                        .with("error_message", text("Why.", "Not enough hosts available"))
                        .with("error_name", name)
                        .maybe(
                                "reasons",
                                list(
                                        "What the calendar lacks, where that is why.",
                                        reference("BlazarShortage")))
                        .closed());
        schemas.put(
                "BlazarShortage",
                message("Why the calendar cannot hold a reservation.")
                        .with("resource_type", text("The kind of resource.", "physical:host"))
                        .with("wanted", number("How many are wanted at least.", 3))
                        .with("matching", number("How many meet the filters at all.", 2))
                        .with("free", number("How many of them are free throughout.", 1))
                        .with(
                                "scarce_from",
                                moment("The part in which the fewest are free.", START))
                        .with("scarce_until", moment("Where that part ends.", END))
                        .with("free_then", number("How many are free throughout that part.", 0))
                        .with(
                                "next_start",
                                orNull(moment("The earliest later start that it could have.", END)))
                        .closed());
        schemas.put(
                "BlazarUnreadable",
                message("What was not understood, or is nowhere.")
                        .with("error", number("The status.", 404))
                        .with(
                                "error_message",
                                text("Why.", "The requested URL was not found on the server."))
                        .closed());
        schemas.put(
                "BlazarUnauthenticated",
                message("Nobody is known to ask.")
                        .with("error", reference("BlazarUnauthenticatedError", "What is wrong."))
                        .closed());
        schemas.put(
                "BlazarUnauthenticatedError",
                message("Nobody is known to ask.")
                        .with("code", number("The status.", 401))
                        .with("title", text("The status for people.", "Unauthorized"))
                        .with(
                                "message",
                                text("Why.", "The request you have made requires authentication."))
                        .closed());
    }
}
