package org.leasehold.demo;

import java.util.List;

/**
 * A project that requests leases.
 *
 * @param id its id in the cloud
 * @param users the ids of its members
 */
record Project(String id, Temperament temperament, List<String> users) {

    /** A pattern of requests. */
    enum Temperament {
        /** Days on a few hosts, at short notice, extended if it goes well. */
        RESEARCH,
        /** Hours with a whole class, weeks ahead, only in term time. */
        TEACHING,
        /** Many nights, on up to twelve hosts. */
        BATCH,
        /** At once, for a few hours. */
        SPONTANEOUS
    }

    /** All projects. The first two are of the embedded default's users, so these have a history. */
    static final List<Project> ALL =
            List.of(
                    new Project("demo", Temperament.RESEARCH, List.of("demo")),
                    new Project("other", Temperament.SPONTANEOUS, List.of("other")),
                    of("genomics", Temperament.RESEARCH),
                    of("climate", Temperament.RESEARCH),
                    of("robotics", Temperament.RESEARCH),
                    of("operating-systems", Temperament.TEACHING),
                    of("networks", Temperament.TEACHING),
                    of("databases", Temperament.TEACHING),
                    of("render-farm", Temperament.BATCH),
                    of("nightly-tests", Temperament.BATCH),
                    of("tinkerers", Temperament.SPONTANEOUS),
                    of("security", Temperament.SPONTANEOUS));

    Project {
        users = List.copyOf(users);
    }

    private static Project of(String id, Temperament temperament) {
        return new Project(id, temperament, List.of(id + "-1", id + "-2", id + "-3"));
    }
}
