package org.leasehold.query.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** Queries of resources, one statement for each, whatever the number of resources. */
final class PostgresResources implements Resources {

    private static final String SELECT_RESOURCES =
            """
            SELECT resource_id, kind, name, region, zone, state, disabled_reason,
                   attributes, capabilities, created_at, updated_at
              FROM resource
             WHERE state <> 'RETIRED'
            """;

    // A claim includes the cleaning time after the lease, which is promised to no lease. Claims
    // within other claims belong to the holder of the outer one. A change of a running lease makes
    // new claims from now on, so the start is the lease's, if the read model has it already.
    private static final String CALENDARS =
            """
            SELECT r.resource_id, r.name, c.reservation_id, c.lease_id, c.project_id,
                   least(lower(c.during), l.starts) AS start, upper(c.during) - c.cleaning AS until
              FROM (SELECT resource_id, name
                      FROM resource
                     WHERE kind = :kind
                       AND state <> 'RETIRED'
                       AND (:resource::bigint IS NULL OR resource_id = :resource)
                       AND (:after::bigint IS NULL OR resource_id %1$s :after)
                     ORDER BY resource_id %2$s
                     LIMIT :limit) r
              LEFT JOIN claim c
                ON c.resource_id = r.resource_id
               AND c.within = '00000000-0000-0000-0000-000000000000'
               AND upper(c.during) - c.cleaning > greatest(lower(c.during), :from)
               AND (:lease::uuid IS NULL OR c.lease_id = :lease)
               AND (:reservation::uuid IS NULL OR c.reservation_id = :reservation)
              LEFT JOIN lease l ON l.lease_id = c.lease_id
             ORDER BY r.resource_id %2$s, lower(c.during), c.reservation_id
            """;

    private static final String PROPERTIES =
            """
            SELECT p.property_id, p.name, p.hidden, p.created_at, p.updated_at,
                   coalesce(array_agg(v.value ORDER BY v.value COLLATE "C")
                                FILTER (WHERE v.value IS NOT NULL), '{}') AS property_values
              FROM resource_property p
              LEFT JOIN (SELECT DISTINCT c.key, c.value
                           FROM resource r, jsonb_each_text(r.capabilities) c
                          WHERE r.kind = :kind AND r.state <> 'RETIRED') v
                ON v.key = p.name
             WHERE p.kind = :kind
             GROUP BY p.property_id
             ORDER BY p.name COLLATE "C"
            """;

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
    private static final ObjectReader ATTRIBUTES =
            JSON.readerFor(new TypeReference<Map<String, @Nullable Object>>() {});
    private static final ObjectReader CAPABILITIES =
            JSON.readerFor(new TypeReference<Map<String, String>>() {});

    private final JdbcClient jdbc;
    private final CountedPropertyQuery countedProperties;

    PostgresResources(JdbcClient jdbc) {
        this.jdbc = jdbc;
        this.countedProperties = new CountedPropertyQuery(jdbc);
    }

    @Override
    public Optional<ResourceView> find(ResourceId id) {
        return jdbc.sql(SELECT_RESOURCES + " AND resource_id = ?")
                .param(id.value())
                .query((row, number) -> view(row))
                .optional();
    }

    @Override
    public List<ResourceView> list(@Nullable ResourceKind kind) {
        return jdbc.sql(
                        SELECT_RESOURCES
                                + " AND (:kind::text IS NULL OR kind = :kind) ORDER BY resource_id")
                .param("kind", kind == null ? null : kind.value())
                .query((row, number) -> view(row))
                .list();
    }

    private static ResourceView view(ResultSet row) throws SQLException {
        Map<String, @Nullable Object> attributes =
                ATTRIBUTES.readValue(row.getString("attributes"));
        Map<String, String> capabilities = CAPABILITIES.readValue(row.getString("capabilities"));
        return new ResourceView(
                new ResourceId(row.getLong("resource_id")),
                new ResourceKind(row.getString("kind")),
                row.getString("name"),
                row.getString("region"),
                row.getString("zone"),
                row.getString("state").equals("ENROLLED"),
                row.getString("disabled_reason"),
                attributes,
                capabilities,
                instant(row, "created_at"),
                instantOrNull(row, "updated_at"));
    }

    @Override
    public Page<ResourceView> page(ListResources question) {
        ResourceKind kind = question.kind();
        List<ResourceView> found =
                jdbc.sql(pageStatement(question))
                        .param("kind", kind == null ? null : kind.value())
                        .param("name", question.name())
                        .param("after", number(question.part().after()))
                        .param("limit", limitPlusOne(question.part()))
                        .query((row, number) -> view(row))
                        .list();
        return toPage(found, question.part(), ResourceView::id);
    }

    /** Has only the needed conditions: an optional one in SQL may keep an index from its use. */
    static String pageStatement(ListResources question) {
        return withOrder(
                SELECT_RESOURCES
                        + (question.kind() == null ? "" : " AND kind = :kind")
                        + (question.name() == null ? "" : " AND name = :name")
                        + (question.part().after() == null ? "" : " AND resource_id %1$s :after")
                        + " ORDER BY resource_id %2$s LIMIT :limit",
                question.part());
    }

    @Override
    public Page<ResourceCalendar> page(ListAllocations question) {
        return toPage(calendars(question, null), question.part(), ResourceCalendar::resource);
    }

    @Override
    public List<ResourceCalendar> allocations(
            ResourceKind kind,
            @Nullable ResourceId resource,
            @Nullable LeaseId lease,
            @Nullable ReservationId reservation,
            Instant from) {
        return calendars(
                new ListAllocations(
                        kind,
                        lease,
                        reservation,
                        from,
                        new Part(SortDirection.ASCENDING, null, null)),
                resource);
    }

    private List<ResourceCalendar> calendars(
            ListAllocations question, @Nullable ResourceId resource) {
        Map<ResourceId, String> names = new LinkedHashMap<>();
        Map<ResourceId, List<Holding>> holdings = new LinkedHashMap<>();
        LeaseId lease = question.lease();
        ReservationId reservation = question.reservation();
        jdbc.sql(withOrder(CALENDARS, question.part()))
                .param("kind", question.kind().value())
                .param("resource", number(resource))
                .param("lease", lease == null ? null : lease.value())
                .param("reservation", reservation == null ? null : reservation.value())
                .param("from", question.from().atOffset(ZoneOffset.UTC))
                .param("after", number(question.part().after()))
                .param("limit", limitPlusOne(question.part()))
                .query(
                        row -> {
                            ResourceId id = new ResourceId(row.getLong("resource_id"));
                            names.put(id, row.getString("name"));
                            List<Holding> ofResource =
                                    holdings.computeIfAbsent(id, ignored -> new ArrayList<>());
                            holding(row).ifPresent(ofResource::add);
                        });
        List<ResourceCalendar> calendars = new ArrayList<>();
        holdings.forEach(
                (id, ofResource) ->
                        calendars.add(
                                new ResourceCalendar(id, names.getOrDefault(id, ""), ofResource)));
        return calendars;
    }

    private static String withOrder(String statement, Part part) {
        return switch (part.direction()) {
            case ASCENDING -> statement.formatted(">", "ASC");
            case DESCENDING -> statement.formatted("<", "DESC");
        };
    }

    private static @Nullable Long number(@Nullable ResourceId id) {
        return id == null ? null : id.value();
    }

    /** Returns the limit plus one; the extra resource shows whether there is a next part. */
    private static @Nullable Integer limitPlusOne(Part part) {
        return part.limit() == null ? null : part.limit() + 1;
    }

    private static <T> Page<T> toPage(List<T> found, Part part, Function<T, ResourceId> id) {
        Integer limit = part.limit();
        return limit == null
                ? new Page<>(found, null)
                : Page.of(found, limit, last -> id.apply(last).toString());
    }

    private static Optional<Holding> holding(ResultSet row) throws SQLException {
        @Nullable UUID reservation = row.getObject("reservation_id", UUID.class);
        return reservation == null
                ? Optional.empty()
                : Optional.of(
                        new Holding(
                                new ReservationId(reservation),
                                new LeaseId(row.getObject("lease_id", UUID.class)),
                                new ProjectId(row.getString("project_id")),
                                new LeasePeriod(instant(row, "start"), instant(row, "until"))));
    }

    @Override
    public List<ResourceProperty> properties(ResourceKind kind) {
        return jdbc.sql(PROPERTIES)
                .param("kind", kind.value())
                .query((row, number) -> property(kind, row))
                .list();
    }

    @Override
    public Page<CountedProperty> page(ListProperties question) {
        return countedProperties.page(question);
    }

    @Override
    public Set<String> hiddenProperties(ResourceKind kind) {
        return jdbc.sql("SELECT name FROM resource_property WHERE kind = ? AND hidden")
                .param(kind.value())
                .query(String.class)
                .set();
    }

    static ResourceProperty property(ResourceKind kind, ResultSet row) throws SQLException {
        return new ResourceProperty(
                row.getObject("property_id", UUID.class),
                kind,
                row.getString("name"),
                row.getBoolean("hidden"),
                List.of((String[]) row.getArray("property_values").getArray()),
                instant(row, "created_at"),
                instantOrNull(row, "updated_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static @Nullable Instant instantOrNull(ResultSet row, String column)
            throws SQLException {
        @Nullable OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
