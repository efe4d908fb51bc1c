package org.leasehold.simulation.memory;

import org.axonframework.common.Registration;
import org.axonframework.config.Configurer;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.config.EventProcessingConfigurer;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventHandlerInvoker;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.EventProcessor;
import org.axonframework.eventhandling.PropagatingErrorHandler;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.SimpleEventBus;
import org.axonframework.messaging.MessageHandlerInterceptor;
import org.axonframework.messaging.annotation.ClasspathParameterResolverFactory;
import org.axonframework.messaging.annotation.MultiParameterResolverFactory;
import org.axonframework.messaging.annotation.ParameterResolverFactory;
import org.axonframework.messaging.annotation.SimpleResourceParameterResolverFactory;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.leasehold.command.journal.InMemoryEventStore;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.saga.reaction.SagaProcessors;
import org.leasehold.simulation.scenario.Step;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The product's sagas, wired by the product's own configurations and driven one batch at a time in
 * place of Axon's event processors. As in Axon, each processor has segments, and each segment has
 * its own position in the event log.
 */
public final class SagaRunner {

    private static final String[] PACKAGES = {
        "org.leasehold.saga.activation",
        "org.leasehold.saga.inventory",
        "org.leasehold.saga.schedule",
        "org.leasehold.saga.termination"
    };

    private final InMemoryEventStore eventLog;
    private final List<Reader> readers = new ArrayList<>();

    /**
     * Wires the sagas; none has read an event yet.
     *
     * @param further modules whose beans need a database
     */
    public SagaRunner(
            InMemoryEventStore journal,
            Leases leases,
            Plugins plugins,
            ReactionExecutor reactions,
            List<ConfigurerModule> further) {
        this.eventLog = journal;
        Map<String, EventHandlerInvoker> invokers = new TreeMap<>();
        try (AnnotationConfigApplicationContext beans = new AnnotationConfigApplicationContext()) {
            beans.registerBean(Leases.class, () -> leases);
            beans.registerBean(Plugins.class, () -> plugins);
            beans.registerBean(ReactionExecutor.class, () -> reactions);
            beans.scan(PACKAGES);
            beans.refresh();
            List<ConfigurerModule> modules =
                    new ArrayList<>(
                            new TreeMap<>(beans.getBeansOfType(ConfigurerModule.class)).values());
            modules.addAll(further);
            configure(modules, invokers, reactions);
        }
        invokers.forEach(
                (name, invoker) -> {
                    for (Segment segment : Segment.splitBalanced(Segment.ROOT_SEGMENT, 1)) {
                        readers.add(new Reader(name, invoker, segment));
                    }
                });
    }

    private void configure(
            List<ConfigurerModule> modules,
            Map<String, EventHandlerInvoker> invokers,
            ReactionExecutor reactions) {
        Configurer configurer =
                DefaultConfigurer.defaultConfiguration(false)
                        .configureEventBus(_ -> SimpleEventBus.builder().build())
                        .configureCorrelationDataProviders(_ -> List.of())
                        .registerComponent(
                                ParameterResolverFactory.class,
                                _ ->
                                        MultiParameterResolverFactory.ordered(
                                                ClasspathParameterResolverFactory.forClass(
                                                        SagaRunner.class),
                                                new SimpleResourceParameterResolverFactory(
                                                        List.of(reactions))));
        EventProcessingConfigurer processing = configurer.eventProcessing();
        TransactionalSagaStore sagas = new TransactionalSagaStore();
        processing.registerSagaStore(_ -> sagas);
        processing.registerDefaultListenerInvocationErrorHandler(
                _ -> PropagatingErrorHandler.instance());
        processing.registerEventProcessorFactory(
                (name, _, invoker) -> {
                    invokers.put(name, invoker);
                    return new Passive(name);
                });
        modules.forEach(module -> module.configureModule(configurer));
        configurer.start().shutdown();
    }

    public List<Reader> readers() {
        return readers;
    }

    /** A segment of a processor. */
    public final class Reader {

        private static final int MAX_BATCH_SIZE = 10;

        private final String name;
        private final EventHandlerInvoker invoker;
        private final Segment segment;
        private long position;

        private Reader(String name, EventHandlerInvoker invoker, Segment segment) {
            this.name = name;
            this.invoker = invoker;
            this.segment = segment;
        }

        /** Returns the part of the engine to which this segment belongs. */
        public Step.Part part() {
            return switch (name) {
                case SagaProcessors.INVENTORY -> Step.Part.INVENTORY;
                case String processes -> Step.Part.PROCESSES;
            };
        }

        public boolean isBehind() {
            return position < eventLog.head();
        }

        /**
         * Handles some events and moves the position in one transaction; calls {@code passing}
         * after each event.
         */
        public void handleNextBatch(Consumer<String> passing) {
            long before = position;
            List<DomainEventMessage<?>> batch = new ArrayList<>();
            for (DomainEventMessage<?> event : eventLog.after(position)) {
                if (batch.size() == MAX_BATCH_SIZE) {
                    break;
                }
                position++;
                if (isInSegment(event)) {
                    batch.add(event);
                }
            }
            if (batch.isEmpty()) {
                return;
            }
            BatchingUnitOfWork<EventMessage<?>> unit =
                    new BatchingUnitOfWork<>(new ArrayList<>(batch));
            unit.onRollback(_ -> position = before);
            Throwable failure =
                    unit.executeWithResult(
                                    () -> {
                                        invoker.handle(unit.getMessage(), segment);
                                        passing.accept("an event is handled");
                                        return null;
                                    })
                            .optionalExceptionResult()
                            .orElse(null);
            switch (failure) {
                case null -> passing.accept("a batch of events is handled");
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new IllegalStateException(e);
            }
        }

        private boolean isInSegment(EventMessage<?> event) {
            return invoker.canHandle(event, segment);
        }
    }

    /** A placeholder for Axon's processor; the readers do the work. */
    private record Passive(String getName) implements EventProcessor {

        @Override
        public List<MessageHandlerInterceptor<? super EventMessage<?>>> getHandlerInterceptors() {
            return List.of();
        }

        @Override
        public Registration registerHandlerInterceptor(
                MessageHandlerInterceptor<? super EventMessage<?>> interceptor) {
            return () -> false;
        }

        @Override
        public void start() {}

        @Override
        public void shutDown() {}

        @Override
        public boolean isRunning() {
            return false;
        }

        @Override
        public boolean isError() {
            return false;
        }
    }
}
