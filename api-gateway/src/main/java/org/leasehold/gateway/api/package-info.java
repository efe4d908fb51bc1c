/** The engine's own API: commands and queries below {@code /api}, problem details for errors. */
@NullMarked
package org.leasehold.gateway.api;

import org.jspecify.annotations.NullMarked;
