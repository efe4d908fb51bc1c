/** Processing of every request of all APIs: its id, its body, errors outside controllers. */
@NullMarked
package org.leasehold.gateway.request;

import org.jspecify.annotations.NullMarked;
