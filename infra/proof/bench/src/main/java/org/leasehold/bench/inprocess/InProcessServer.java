package org.leasehold.bench.inprocess;

import org.jspecify.annotations.Nullable;
import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadGenerator.Answer;
import org.leasehold.bench.load.RandomLeaseWindows;
import org.leasehold.bench.load.WorkloadClient;
import org.leasehold.calendar.Demand;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.RequestOrigin;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.capacity.Availability.FindAvailability;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.Planning.Plan.Planned;
import org.leasehold.resource.Plugins;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;

import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Runs inside the engine, which loads it from its class path like its own parts. So measurements
 * without HTTP use the product itself, not a similar assembly.
 */
public final class InProcessServer {

    /** The system property that names the port of in-process requests. */
    public static final String PORT_PROPERTY = "bench.errands";

    private static final Duration HORIZON = Duration.ofDays(30);
    private static final int FOUND = 200;
    private static final int CREATED = 201;
    private static final int REFUSED = 409;
    private static final int REJECTED = 400;
    private static final int MISSING = 404;

    private final Commands commands;
    private final Availability availability;
    private final Plugins plugins;
    private final Leases leases;
    private final EventLogPositions positions;
    private final Clock clock;

    InProcessServer(
            Commands commands,
            Availability availability,
            Plugins plugins,
            Leases leases,
            EventLogPositions positions,
            Clock clock) {
        this.commands = commands;
        this.availability = availability;
        this.plugins = plugins;
        this.leases = leases;
        this.positions = positions;
        this.clock = clock;
    }

    @EventListener(ContextRefreshedEvent.class)
    void listen() {
        Thread.ofPlatform().daemon().name("bench").start(this::serveRequests);
    }

    /** Runs requests. Both ends are of one build, on one machine, and of one user. */
    @SuppressWarnings("BanSerializableRead")
    private void serveRequests() {
        try (Socket line =
                        new Socket(
                                InetAddress.getLoopbackAddress(),
                                Integer.getInteger(PORT_PROPERTY));
                ObjectOutputStream out = new ObjectOutputStream(line.getOutputStream());
                ObjectInputStream in = new ObjectInputStream(line.getInputStream())) {
            while (true) {
                InProcessRequest errand = (InProcessRequest) in.readObject();
                out.writeObject(LoadGenerator.run(errand.pace(), toQuestion(errand)));
                out.flush();
            }
        } catch (EOFException _) {
            // The measurement is over.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private LoadGenerator.Question toQuestion(InProcessRequest errand) {
        return switch (errand) {
            case InProcessRequest.Reserve(_, RandomLeaseWindows someday) ->
                    random -> reserve(someday.next(random));
            case InProcessRequest.AskAvailability(_, int hosts) -> random -> query(hosts, random);
            case InProcessRequest.AskPast(_, List<InProcessRequest.Life> lives) ->
                    random -> query(lives, random);
        };
    }

    private Answer reserve(RandomLeaseWindows.Window window) {
        CreateLease command =
                new CreateLease(
                        new LeaseId(UUID.randomUUID()),
                        new ProjectId("admin"),
                        new UserId("admin"),
                        "bench",
                        window.start(),
                        window.end(),
                        defaultBeforeEnd(window),
                        List.of(
                                new ReservationWish(
                                        new ReservationId(UUID.randomUUID()),
                                        ResourceKind.PHYSICAL_HOST,
                                        parameters(1))),
                        null,
                        null);
        CommandContext context =
                new CommandContext(
                        clock.instant(),
                        "req-" + UUID.randomUUID(),
                        "admin",
                        "admin",
                        List.of("admin"),
                        "bench",
                        null,
                        null,
                        null,
                        null,
                        RequestOrigin.of("127.0.0.1", "bench"));
        Outcome<LeaseRejection> outcome = commands.send(command, context);
        return switch (outcome) {
            case Outcome.Accepted<LeaseRejection> _ -> new Answer(CREATED, new byte[0]);
            case Outcome.Refused<LeaseRejection> _ -> new Answer(REFUSED, new byte[0]);
            case Outcome.Rejected<LeaseRejection> _ -> new Answer(REJECTED, new byte[0]);
        };
    }

    /** Returns the default announcement of a lease over Blazar's API. */
    private static Instant defaultBeforeEnd(RandomLeaseWindows.Window window) {
        Instant usual = window.end().minus(Duration.ofHours(1));
        return usual.isBefore(window.start()) ? window.start() : usual;
    }

    private Answer query(int hosts, SplittableRandom random) {
        Instant now = clock.instant();
        Duration duration = Duration.ofHours(1 + random.nextInt(8));
        int openings =
                availability
                        .find(
                                new FindAvailability(
                                        demand(hosts), duration, now, now.plus(HORIZON), 1))
                        .size();
        return new Answer(openings == 0 ? REFUSED : FOUND, new byte[0]);
    }

    private Answer query(List<InProcessRequest.Life> lives, SplittableRandom random) {
        InProcessRequest.Life life = lives.get(random.nextInt(lives.size()));
        long asOf = positions.at(life.randomInstant(random));
        boolean found = leases.find(new LeaseId(life.lease()), null, asOf).isPresent();
        return new Answer(found ? FOUND : MISSING, new byte[0]);
    }

    private Demand demand(int hosts) {
        return plugins.find(ResourceKind.PHYSICAL_HOST)
                .map(plugin -> (Planned) plugin.planning().plan(parameters(hosts)))
                .orElseThrow()
                .demand();
    }

    private static Map<String, @Nullable Object> parameters(int hosts) {
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        parameters.put("min", hosts);
        parameters.put("max", hosts);
        parameters.put("hypervisor_properties", "");
        parameters.put("resource_properties", WorkloadClient.REQUIREMENT);
        return parameters;
    }
}
