package org.leasehold.publishing.kafka;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The condition that Kafka is configured, and that a topic is not switched off. */
abstract class KafkaTopicCondition implements Condition {

    private final String setting;

    /**
     * @param setting the setting with the topic's name
     */
    private KafkaTopicCondition(String setting) {
        this.setting = setting;
    }

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        return environment.containsProperty("leasehold.kafka.bootstrap-servers")
                && !"".equals(environment.getProperty("leasehold.kafka." + setting));
    }

    /** The condition for the topic of all events. */
    static final class Events extends KafkaTopicCondition {
        Events() {
            super("events-topic");
        }
    }

    /** The condition for the topic of existing leases. */
    static final class OfLeases extends KafkaTopicCondition {
        OfLeases() {
            super("leases-topic");
        }
    }

    /** The condition for the topic of usage. */
    static final class OfUsage extends KafkaTopicCondition {
        OfUsage() {
            super("usage-topic");
        }
    }
}
