package org.leasehold.demo;

import java.util.List;

/**
 * Who asks.
 *
 * @param id as the cloud knows it
 * @param users the ids of its members
 */
record Project(String id, Temperament temperament, List<String> users) {

    /** How a project goes about it. */
    enum Temperament {
        /** Days on a few hosts, on short notice, prolonged if it goes well. */
        RESEARCH,
        /** Hours with a whole class, weeks ahead, in term time only. */
        TEACHING,
        /** Every night, on as many hosts as there are to be had. */
        BATCH,
        /** At once, for an hour or two. */
        SPONTANEOUS
    }

    /** The first two are those of the embedded default's users, so that these have a past. */
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
