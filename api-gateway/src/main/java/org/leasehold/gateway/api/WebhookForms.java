package org.leasehold.gateway.api;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Requests about webhooks. */
final class WebhookForms {

    private static final int LONGEST_URL = 2000;
    private static final int LONGEST_DESCRIPTION = 200;
    private static final int MOST_TYPES = 50;

    private static final String TYPE = KnownEvents.NAME;

    private WebhookForms() {}

    /**
     * A request for a webhook.
     *
     * @param url the address of the receiver
     * @param scope null for the project
     * @param types names in the event catalog; null or none for all
     * @param enabled null for yes
     */
    record NewWebhook(
            @NotBlank @Size(min = 1, max = LONGEST_URL) String url,
            @Nullable WebhookScope scope,
            @Nullable @Size(max = MOST_TYPES)
                    List<@Pattern(regexp = TYPE) @Size(min = 1, max = KnownEvents.LONGEST) String>
                            types,
            @Nullable @Size(max = LONGEST_DESCRIPTION) String description,
            @Nullable Boolean enabled) {

        NewWebhook {
            description = description == null || description.isBlank() ? null : description;
        }

        /** Leaves the address out: it may contain a secret. */
        @Override
        public String toString() {
            return "a new webhook";
        }
    }

    /**
     * A change of a webhook; fields that are null stay.
     *
     * @param types none for all
     * @param description empty for none
     */
    record WebhookChange(
            @Nullable @Size(min = 1, max = LONGEST_URL) String url,
            @Nullable @Size(max = MOST_TYPES)
                    List<@Pattern(regexp = TYPE) @Size(min = 1, max = KnownEvents.LONGEST) String>
                            types,
            @Nullable @Size(max = LONGEST_DESCRIPTION) String description,
            @Nullable Boolean enabled) {

        /** Leaves the address out: it may contain a secret. */
        @Override
        public String toString() {
            return "a change of a webhook";
        }
    }
}
