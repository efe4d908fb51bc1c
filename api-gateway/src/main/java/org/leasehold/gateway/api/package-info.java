/** Our own API: task-shaped commands and queries below {@code /api}, problem details for errors. */
@NullMarked
package org.leasehold.gateway.api;

import org.jspecify.annotations.NullMarked;
