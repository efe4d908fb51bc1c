/** Resources, their kinds, and their properties: queries and commands. */
@NullMarked
package org.leasehold.gateway.api.resource;

import org.jspecify.annotations.NullMarked;
