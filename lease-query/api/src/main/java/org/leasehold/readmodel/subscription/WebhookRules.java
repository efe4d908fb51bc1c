package org.leasehold.readmodel.subscription;

import java.time.Duration;
import java.util.Optional;

/** An operator's rules for webhooks of projects. */
public interface WebhookRules {

    /**
     * Returns the objection to a receiver's address, to follow the field's name in a message; empty
     * if there is none as far as is known now. It resolves the host, which may take some seconds.
     */
    Optional<String> findObjection(String url);

    /** Returns the largest number of webhooks of a project; 0 for none. */
    int maxPerProject();

    /** Returns how long messages are also signed with a secret after its replacement. */
    Duration formerSecretValidity();
}
