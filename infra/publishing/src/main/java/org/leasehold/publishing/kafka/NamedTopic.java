package org.leasehold.publishing.kafka;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether there is Kafka, and a topic is not switched off. */
abstract class NamedTopic implements Condition {

    private final String setting;

    /**
     * @param setting what the topic's name is called
     */
    private NamedTopic(String setting) {
        this.setting = setting;
    }

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        return environment.containsProperty("leasehold.kafka.bootstrap-servers")
                && !"".equals(environment.getProperty("leasehold.kafka." + setting));
    }

    /** That of all events. */
    static final class Events extends NamedTopic {
        Events() {
            super("events-topic");
        }
    }

    /** That of the leases that there are. */
    static final class OfLeases extends NamedTopic {
        OfLeases() {
            super("leases-topic");
        }
    }

    /** That of usage. */
    static final class OfUsage extends NamedTopic {
        OfUsage() {
            super("usage-topic");
        }
    }
}
