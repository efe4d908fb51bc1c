-- What each event is about, so that auditors find it: a row for its type, its project ('-' for what
-- belongs to no lease), its user, its request, and for each resource and kind of resource that it
-- concerns. There is one index only, and it gives what is about one subject newest first: nothing can
-- be planned but to walk along it. The events of a lease are found by their stream.
CREATE TABLE audit_subject (
    sort     text COLLATE "C" NOT NULL,
    subject  text COLLATE "C" NOT NULL,
    position bigint           NOT NULL,
    PRIMARY KEY (sort, subject, position)
);

INSERT INTO projection (name, position) VALUES ('audit', 0);
