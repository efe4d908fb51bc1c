package org.leasehold.publishing.kafka;

import org.leasehold.publishing.Publication;

import java.time.Duration;
import java.util.Set;

/** The publication of readings, whose offset is not the position of an event. */
final class ReadingsPublication implements Publication {

    private final Publication publication;
    private final ReadingsFeed feed;

    ReadingsPublication(Publication publication, ReadingsFeed feed) {
        this.publication = publication;
        this.feed = feed;
    }

    @Override
    public String name() {
        return publication.name();
    }

    @Override
    public long offset() {
        return publication.offset();
    }

    /** Counts in readings. */
    @Override
    public long lag(long last) {
        return feed.lag(offset());
    }

    @Override
    public boolean isFailing() {
        return publication.isFailing();
    }

    @Override
    public Set<String> endedThreads() {
        return publication.endedThreads();
    }

    @Override
    public void start() {
        publication.start();
    }

    @Override
    public void stop(Duration within) throws InterruptedException {
        publication.stop(within);
    }
}
