package org.leasehold.query;

import java.time.Duration;
import java.util.Optional;

/** What an operator lets projects do with webhooks. */
public interface WebhookRules {

    /**
     * What is wrong with an address that something is to be sent to, to go on after the field's
     * name; empty if nothing is, as far as is known now. Its host is looked up, which may take some
     * seconds.
     */
    Optional<String> objectionTo(String url);

    /** How many webhooks a project may have at once; 0 for none. */
    int mostPerProject();

    /** For how long messages are signed with a secret, too, after it was replaced. */
    Duration formerSecretFor();
}
