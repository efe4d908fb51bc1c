/** Events: queries, streams, redaction, and the published document of each event. */
@NullMarked
package org.leasehold.gateway.api.event;

import org.jspecify.annotations.NullMarked;
