package org.leasehold.gateway.api;

import io.swagger.v3.oas.models.media.Discriminator;
import io.swagger.v3.oas.models.media.Schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The schemas of availability queries in the OpenAPI document. A query is one of the kinds, which
 * the field {@code kind} selects, as in a new reservation. Each alternative has the parameters of
 * the kind's reservation, and the fields that all queries have.
 */
final class AvailabilitySchemas {

    private static final String QUERY = "AvailabilityQuestion";
    private static final String RESERVATION = "Reservation";

    private final Map<String, Schema<?>> schemas;

    private AvailabilitySchemas(Map<String, Schema<?>> schemas) {
        this.schemas = schemas;
    }

    /**
     * Returns the schema of queries and of each alternative, by name.
     *
     * @param schemas the schema of the fields that all queries have, and those of reservations
     */
    static Map<String, Schema<?>> of(Map<String, Schema<?>> schemas) {
        return new AvailabilitySchemas(schemas).alternatives();
    }

    private Map<String, Schema<?>> alternatives() {
        Schema<?> reservations = schema(ReservationSchemas.REQUEST);
        Schema<?> union = new Schema<>();
        union.setDescription("A query for one kind of resource.");
        Map<String, Schema<?>> all = new TreeMap<>();
        for (Schema<?> each : reservations.getOneOf()) {
            String reservation = nameIn(each.get$ref());
            all.put(queryName(reservation), query(schema(reservation)));
            union.addOneOfItem(
                    new Schema<>().$ref(ReservationSchemas.REFERENCE + queryName(reservation)));
        }
        union.setDiscriminator(discriminator(reservations.getDiscriminator()));
        all.put(QUERY, union);
        return all;
    }

    @SuppressWarnings("rawtypes")
    private Schema<?> query(Schema<?> reservation) {
        Schema<?> common = schema(QUERY);
        Map<String, Schema> properties = new LinkedHashMap<>(common.getProperties());
        properties.putAll(reservation.getProperties());
        Schema<?> query = new Schema<>();
        query.addType("object");
        query.setDescription(reservation.getDescription());
        query.setProperties(properties);
        query.setRequired(required(common, reservation));
        query.setAdditionalProperties(false);
        return query;
    }

    private static List<String> required(Schema<?> common, Schema<?> reservation) {
        return Stream.concat(common.getRequired().stream(), reservation.getRequired().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static Discriminator discriminator(Discriminator reservations) {
        Discriminator discriminator = new ReservationSchemas.OrderedDiscriminator();
        discriminator.setPropertyName(reservations.getPropertyName());
        Map<String, String> mapping = new TreeMap<>(reservations.getMapping());
        mapping.replaceAll(
                (_, reference) -> ReservationSchemas.REFERENCE + queryName(nameIn(reference)));
        discriminator.setMapping(mapping);
        return discriminator;
    }

    private static String nameIn(String reference) {
        return reference.substring(ReservationSchemas.REFERENCE.length());
    }

    private static String queryName(String reservation) {
        String stem = reservation.substring(0, reservation.length() - RESERVATION.length());
        return stem + QUERY;
    }

    private Schema<?> schema(String name) {
        return Objects.requireNonNull(schemas.get(name), name);
    }
}
