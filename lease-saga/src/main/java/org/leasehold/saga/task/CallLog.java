package org.leasehold.saga.task;

import org.leasehold.query.CloudCalls.CloudCall;

/** Keeps what plugins were asked. */
interface CallLog {

    CallLog NONE = _ -> {};

    void add(CloudCall call);
}
