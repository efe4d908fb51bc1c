package org.leasehold.gateway.v1.description;

import static org.leasehold.gateway.v1.description.FieldSchemas.END;
import static org.leasehold.gateway.v1.description.FieldSchemas.START;
import static org.leasehold.gateway.v1.description.FieldSchemas.anyOf;
import static org.leasehold.gateway.v1.description.FieldSchemas.list;
import static org.leasehold.gateway.v1.description.FieldSchemas.message;
import static org.leasehold.gateway.v1.description.FieldSchemas.microsecondDate;
import static org.leasehold.gateway.v1.description.FieldSchemas.number;
import static org.leasehold.gateway.v1.description.FieldSchemas.orNull;
import static org.leasehold.gateway.v1.description.FieldSchemas.reference;
import static org.leasehold.gateway.v1.description.FieldSchemas.text;
import static org.leasehold.gateway.v1.description.FieldSchemas.wrapperOfAll;

import io.swagger.v3.oas.models.media.Schema;

import java.util.Map;
import java.util.TreeMap;

/**
 * The schemas of messages in the contract of Blazar's API. They are written, not derived: requests
 * are read leniently, and responses stay as they always were.
 */
final class BlazarSchemas {

    private BlazarSchemas() {}

    static Map<String, Schema<?>> all() {
        Map<String, Schema<?>> schemas = new TreeMap<>();
        LeaseSchemas.addTo(schemas);
        LeaseRequestSchemas.addTo(schemas);
        HostSchemas.addTo(schemas);
        FloatingIpSchemas.addTo(schemas);
        addDiscovery(schemas);
        addErrors(schemas);
        addRefusal(schemas);
        addAuthenticationErrors(schemas);
        return schemas;
    }

    private static void addDiscovery(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarPlugins",
                message("What can be leased.")
                        .withRequired(
                                "plugins",
                                list("The kinds, by name.", text("A kind.", "physical:host")))
                        .closed());
        schemas.put(
                "BlazarVersions",
                wrapperOfAll("The versions that there are.", "versions", "BlazarVersion"));
        schemas.put(
                "BlazarVersion",
                message("A version of the API.")
                        .withRequired("id", text("Its id.", "v1.0"))
                        .withRequired("status", text("Whether to use it.", "CURRENT"))
                        .withRequired("min_version", text("The lowest microversion.", "1.0"))
                        .withRequired("max_version", text("The highest microversion.", "1.0"))
                        .withRequired("links", list("Where it is.", reference("BlazarLink")))
                        .closed());
        schemas.put(
                "BlazarLink",
                message("A link.")
                        .withRequired("rel", text("What it leads to.", "self"))
                        .withRequired("href", text("Where it leads.", "http://127.0.0.1:1234/v1"))
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
        schemas.put(
                "BlazarUnreadable",
                message("What was not understood, or is nowhere.")
                        .withRequired("error", number("The status.", 404))
                        .withRequired(
                                "error_message",
                                text("Why.", "The requested URL was not found on the server."))
                        .closed());
    }

    private static void addRefusal(Map<String, Schema<?>> schemas) {
        Schema<?> name = number("The same again, or INTERNAL_SERVER_ERROR.", 409);
        name.addType("string");
        schemas.put(
                "BlazarRefusal",
                message("What was understood, but not done.")
                        .withRequired("error_code", number("The status.", 409))
                        .withRequired("error_message", text("Why.", "Not enough hosts available"))
                        .withRequired("error_name", name)
                        .withOptional(
                                "reasons",
                                list(
                                        "What the calendar lacks, where that is why.",
                                        reference("BlazarShortage")))
                        .closed());
        schemas.put(
                "BlazarShortage",
                message("Why the calendar cannot hold a reservation.")
                        .withRequired(
                                "resource_type", text("The kind of resource.", "physical:host"))
                        .withRequired("wanted", number("How many are wanted at least.", 3))
                        .withRequired("matching", number("How many meet the filters at all.", 2))
                        .withRequired("free", number("How many of them are free throughout.", 1))
                        .withRequired(
                                "scarce_from",
                                microsecondDate("The part in which the fewest are free.", START))
                        .withRequired("scarce_until", microsecondDate("Where that part ends.", END))
                        .withRequired(
                                "free_then", number("How many are free throughout that part.", 0))
                        .withRequired(
                                "next_start",
                                orNull(
                                        microsecondDate(
                                                "The earliest later start that it could have.",
                                                END)))
                        .closed());
    }

    private static void addAuthenticationErrors(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarUnauthenticated",
                message("Nobody is known to ask.")
                        .withRequired(
                                "error", reference("BlazarUnauthenticatedError", "What is wrong."))
                        .closed());
        schemas.put(
                "BlazarUnauthenticatedError",
                message("Nobody is known to ask.")
                        .withRequired("code", number("The status.", 401))
                        .withRequired("title", text("The status for people.", "Unauthorized"))
                        .withRequired(
                                "message",
                                text("Why.", "The request you have made requires authentication."))
                        .closed());
    }
}
