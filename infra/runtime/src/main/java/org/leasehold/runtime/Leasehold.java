package org.leasehold.runtime;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Assembles every module into one running engine; nothing else may depend on a core. */
@SpringBootApplication(scanBasePackages = "org.leasehold")
public class Leasehold {
    public static void main(String[] args) {
        SpringApplication.run(Leasehold.class, args);
    }
}
