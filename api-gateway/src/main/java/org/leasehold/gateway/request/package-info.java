/**
 * What happens to every request, whichever API it asks: its id, its body, errors of no controller.
 */
@NullMarked
package org.leasehold.gateway.request;

import org.jspecify.annotations.NullMarked;
