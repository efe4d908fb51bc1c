/** Long responses: comma-separated values, JSON lines, and the limit on concurrent downloads. */
@NullMarked
package org.leasehold.gateway.api.export;

import org.jspecify.annotations.NullMarked;
