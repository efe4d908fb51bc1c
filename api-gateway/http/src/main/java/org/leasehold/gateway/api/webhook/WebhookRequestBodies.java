package org.leasehold.gateway.api.webhook;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.event.EventTypeNames;

import java.util.List;

/** Requests about webhooks. */
public final class WebhookRequestBodies {

    private static final int MAX_URL_LENGTH = 2000;
    private static final int MAX_DESCRIPTION_LENGTH = 200;
    private static final int MAX_EVENT_TYPES = 50;

    private static final String TYPE_PATTERN = EventTypeNames.NAME_PATTERN;

    private WebhookRequestBodies() {}

    /**
     * A request for a webhook.
     *
     * @param url the address of the receiver
     * @param scope null for the project
     * @param types names in the event catalog; null or none for all
     * @param enabled null for yes
     */
    record WebhookRequest(
            @NotBlank @Size(min = 1, max = MAX_URL_LENGTH) String url,
            @Nullable WebhookScope scope,
            @Nullable @Size(max = MAX_EVENT_TYPES)
                    List<
                                    @Pattern(regexp = TYPE_PATTERN)
                                    @Size(min = 1, max = EventTypeNames.MAX_LENGTH) String>
                            types,
            @Nullable @Size(max = MAX_DESCRIPTION_LENGTH) String description,
            @Nullable Boolean enabled) {

        WebhookRequest {
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
            @Nullable @Size(min = 1, max = MAX_URL_LENGTH) String url,
            @Nullable @Size(max = MAX_EVENT_TYPES)
                    List<
                                    @Pattern(regexp = TYPE_PATTERN)
                                    @Size(min = 1, max = EventTypeNames.MAX_LENGTH) String>
                            types,
            @Nullable @Size(max = MAX_DESCRIPTION_LENGTH) String description,
            @Nullable Boolean enabled) {

        /** Leaves the address out: it may contain a secret. */
        @Override
        public String toString() {
            return "a change of a webhook";
        }
    }
}
