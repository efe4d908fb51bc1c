package org.leasehold.saga.task;

import org.leasehold.saga.Cause;

/** A task as it is stored, with the event because of which it was submitted. */
record SubmittedTask(PluginTask task, Cause cause) {}
