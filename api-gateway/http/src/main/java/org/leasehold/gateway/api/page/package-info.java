/** The pages for people: links at the root, and the API documentation. */
@NullMarked
package org.leasehold.gateway.api.page;

import org.jspecify.annotations.NullMarked;
