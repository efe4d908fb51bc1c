/** Events as other systems see them: CloudEvents and their redaction. */
@NullMarked
package org.leasehold.wire.event;

import org.jspecify.annotations.NullMarked;
