/** The engine's own API: its configuration, errors, and OpenAPI description. */
@NullMarked
package org.leasehold.gateway.api;

import org.jspecify.annotations.NullMarked;
