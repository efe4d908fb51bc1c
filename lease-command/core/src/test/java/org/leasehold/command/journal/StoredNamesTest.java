package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toMap;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.DenialLog.Why;
import org.leasehold.command.Outcome;
import org.leasehold.command.execution.EventStoreDatabase;
import org.leasehold.command.request.PostgresDenialLog;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.StartFailurePolicy;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.StoredNames;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The names that the event log stores in addition to those of the events. */
class StoredNamesTest {

    private static final CommandContext USER =
            new CommandContext(
                    Instant.parse("2030-01-01T00:00:00Z"),
                    "req-1",
                    "ada",
                    "astronomy",
                    List.of("member"),
                    "password",
                    null);

    private static EventStoreDatabase database;

    private final JsonMapper json = EventJson.mapper();

    @BeforeAll
    static void start() {
        database = new EventStoreDatabase();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void forget() {
        database.jdbc().sql("TRUNCATE denied_attempt").update();
    }

    @Test
    void denied_commands_are_stored_under_fixed_names() {
        PostgresDenialLog attempts = new PostgresDenialLog(database.jdbc(), json);
        LeaseRejection why = RecordSamples.of(LeaseRejection.LeaseNotFound.class);
        Stream.of(LeaseCommand.class, ResourceCommand.class)
                .flatMap(RecordSamples::members)
                .map(RecordSamples::of)
                .forEach(command -> record(attempts, command, why, LeaseRejection.class));

        GoldenFile.holds("/stored/denied-commands.json", stored("command"));
    }

    @Test
    void rejections_are_stored_with_fixed_names() {
        PostgresDenialLog attempts = new PostgresDenialLog(database.jdbc(), json);
        LeaseCommand command = RecordSamples.of(LeaseCommand.StartLease.class);
        record(attempts, command, LeaseRejection.class);
        record(attempts, command, ResourceRejection.class);
        Stream.of(Why.values()).forEach(why -> attempts.record(why, "rule", why.name(), USER));

        GoldenFile.holds(
                "/stored/rejections.json",
                stored("rejection").stream().map(json::readTree).toList());
    }

    @Test
    void outcomes_are_stored_with_fixed_names() {
        List<JsonNode> written =
                RecordSamples.members(Outcome.class)
                        .map(RecordSamples::of)
                        .map(json.writerFor(Outcome.class)::writeValueAsString)
                        .map(json::readTree)
                        .toList();

        GoldenFile.holds("/stored/outcomes.json", written);
        assertThat(written)
                .extracting(each -> json.treeToValue(each, Outcome.class).getClass())
                .isEqualTo(RecordSamples.members(Outcome.class).toList());
    }

    @Test
    void lease_views_are_stored_with_fixed_names() {
        LeaseView view = RecordSamples.of(LeaseView.class);
        JsonNode written = json.readTree(json.writerFor(LeaseView.class).writeValueAsString(view));

        GoldenFile.holds("/stored/lease-view.json", written);
        assertThat(json.treeToValue(written, LeaseView.class)).isEqualTo(view);
    }

    @Test
    void enum_constants_in_stored_json_are_fixed() {
        Map<String, Class<?>> enums = new LinkedHashMap<>();
        enums.put("action", Action.class);
        enums.put("end cause", EndCause.class);
        enums.put("policy for a failed start", StartFailurePolicy.class);
        enums.put("kind of a fault", Fault.Kind.class);
        enums.put("part of requested retries", LeaseRejection.InvalidRetry.Part.class);
        enums.put("status of a lease", LeaseStatus.class);
        enums.put("stage of an imported lease", LeasePast.Stage.class);
        enums.put("step of an imported lease", LeasePast.OfStep.Step.class);
        enums.put("status of an imported step", LeasePast.OfStep.Status.class);
        enums.put("extent of an outage", OutageExtent.class);
        enums.put("status of a reservation", ReservationView.Status.class);
        enums.put("type of a scheduled event", ScheduledEventView.Type.class);
        enums.put("status of a scheduled event", ScheduledEventView.Status.class);

        GoldenFile.holds(
                "/stored/enum-constants.json",
                enums.entrySet().stream()
                        .collect(
                                toMap(
                                        Map.Entry::getKey,
                                        entry -> written(entry.getValue()),
                                        (one, _) -> one,
                                        LinkedHashMap::new)));
        assertThat(enums.values()).containsAll(enumsInStoredJson());
    }

    @Test
    void the_members_of_a_sealed_type_in_stored_json_have_distinct_names() {
        assertThat(sealedTypesInStoredJson())
                .contains(LeaseCommand.class, LeaseRejection.class, Outcome.class)
                .allSatisfy(
                        type ->
                                assertThat(StoredNames.ofMembers(type).keySet())
                                        .containsExactlyElementsOf(
                                                RecordSamples.members(type).toList()));
    }

    private List<JsonNode> written(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).<JsonNode>map(json::valueToTree).toList();
    }

    private <R> void record(PostgresDenialLog attempts, Object command, Class<R> rejections) {
        RecordSamples.members(rejections)
                .map(RecordSamples::of)
                .forEach(
                        rejection ->
                                record(attempts, command, rejections.cast(rejection), rejections));
    }

    private <R> void record(
            PostgresDenialLog attempts, Object command, R rejection, Class<R> rejections) {
        attempts.record("target", command, rejection, rejections, USER);
    }

    private static List<String> stored(String column) {
        return database.jdbc()
                .sql("SELECT %s::text FROM denied_attempt ORDER BY attempt_id".formatted(column))
                .query(String.class)
                .list();
    }

    private static Set<Class<?>> enumsInStoredJson() {
        Set<Class<?>> seen = typesInStoredJson();
        seen.removeIf(type -> !type.isEnum());
        return seen;
    }

    private static Set<Class<?>> sealedTypesInStoredJson() {
        Set<Class<?>> seen = typesInStoredJson();
        look(LeaseCommand.class, seen);
        look(ResourceCommand.class, seen);
        seen.removeIf(type -> !type.isSealed());
        return seen;
    }

    private static Set<Class<?>> typesInStoredJson() {
        Set<Class<?>> seen = new LinkedHashSet<>();
        List<Type> roots = new ArrayList<>(List.of(LeaseView.class, Outcome.class));
        roots.addAll(List.of(LeaseRejection.class, ResourceRejection.class));
        new EventCatalog().entries().forEach(entry -> roots.add(entry.type()));
        roots.forEach(root -> look(root, seen));
        return seen;
    }

    private static void look(Type type, Set<Class<?>> seen) {
        if (type instanceof ParameterizedType generic) {
            Stream.of(generic.getActualTypeArguments()).forEach(each -> look(each, seen));
        } else if (type instanceof Class<?> plain
                && plain.getName().startsWith("org.leasehold.")
                && seen.add(plain)) {
            RecordSamples.members(plain).forEach(member -> look(member, seen));
            if (plain.isRecord()) {
                Stream.of(plain.getRecordComponents())
                        .forEach(component -> look(component.getGenericType(), seen));
            }
        }
    }
}
