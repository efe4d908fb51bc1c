package org.leasehold.gateway.api;

import org.leasehold.gateway.api.http.FormerName;

import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.util.NameTransformer;

import java.util.ArrayList;
import java.util.List;

/** Writes fields of responses under their former names, too. */
final class FormerNames extends ValueSerializerModifier {

    private static final long serialVersionUID = 1L;

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config,
            BeanDescription.Supplier bean,
            List<BeanPropertyWriter> properties) {
        List<BeanPropertyWriter> all = new ArrayList<>();
        for (BeanPropertyWriter property : properties) {
            all.add(property);
            FormerName former = property.getAnnotation(FormerName.class);
            if (former != null) {
                all.add(property.rename(new Replacement(former.value())));
            }
        }
        return all;
    }

    /** Replaces a whole name. */
    private static final class Replacement extends NameTransformer {

        private final String name;

        Replacement(String name) {
            this.name = name;
        }

        @Override
        public String transform(String present) {
            return name;
        }

        @Override
        public String reverse(String transformed) {
            throw new UnsupportedOperationException("a former name does not have the present one");
        }
    }
}
