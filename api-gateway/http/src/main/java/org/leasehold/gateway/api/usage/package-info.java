/** Usage and charges of projects: reports, quotes, and exports in the FOCUS format. */
@NullMarked
package org.leasehold.gateway.api.usage;

import org.jspecify.annotations.NullMarked;
