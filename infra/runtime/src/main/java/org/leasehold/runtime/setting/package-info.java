/** Invalid settings and unreadable files, with the messages that a failed start prints. */
@NullMarked
package org.leasehold.runtime.setting;

import org.jspecify.annotations.NullMarked;
