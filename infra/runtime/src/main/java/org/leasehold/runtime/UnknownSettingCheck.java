package org.leasehold.runtime;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Refuses to start with an unknown setting: a misspelt name would otherwise have no effect. Spring
 * checks single records likewise, but neither environment variables nor prefixes without a record.
 */
final class UnknownSettingCheck implements BeanFactoryPostProcessor {

    private static final ConfigurationPropertyName ENGINE_PREFIX =
            ConfigurationPropertyName.of("leasehold");

    private final Environment environment;

    UnknownSettingCheck(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        List<Pattern> known = new ArrayList<>();
        // A plug-in and a cloud's adapter check their settings themselves: only they know them.
        known.add(Pattern.compile(toPattern(PluginConfiguration.PREFIX) + "\\..+"));
        known.add(Pattern.compile(toPattern(CloudConfiguration.PREFIX) + "\\..+"));
        for (String name : beans.getBeanNamesForAnnotation(ConfigurationProperties.class)) {
            ConfigurationProperties properties =
                    beans.findAnnotationOnBean(name, ConfigurationProperties.class);
            Class<?> type = beans.getType(name);
            if (properties != null && type != null) {
                String prefix =
                        properties.prefix().isEmpty() ? properties.value() : properties.prefix();
                collectPatterns(toPattern(prefix), type, known);
            }
        }
        NavigableSet<String> unknown = new TreeSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .filter(ENGINE_PREFIX::isAncestorOf)
                        .map(ConfigurationPropertyName::toString)
                        .filter(name -> known.stream().noneMatch(k -> k.matcher(name).matches()))
                        .forEach(unknown::add);
            }
        }
        if (!unknown.isEmpty()) {
            throw new UnknownSettings(unknown);
        }
    }

    private static void collectPatterns(String name, Type type, List<Pattern> known) {
        if (type instanceof ParameterizedType generic
                && generic.getRawType() instanceof Class<?> raw) {
            if (Collection.class.isAssignableFrom(raw)) {
                known.add(Pattern.compile(name));
                collectPatterns(
                        name + "(\\[\\d+]|\\.\\d+)", generic.getActualTypeArguments()[0], known);
            } else if (Map.class.isAssignableFrom(raw)) {
                known.add(Pattern.compile(name + "\\..+"));
            }
        } else if (type instanceof Class<?> record && record.isRecord()) {
            for (RecordComponent component : record.getRecordComponents()) {
                String kebab = DataObjectPropertyName.toDashedForm(component.getName());
                collectPatterns(name + "\\." + toPattern(kebab), component.getGenericType(), known);
            }
        } else {
            known.add(Pattern.compile(name));
        }
    }

    /** Allows underscores or nothing instead of dashes, as in environment variables. */
    private static String toPattern(String name) {
        return name.replace(".", "\\.").replace("-", "[.-]?");
    }

    /** Names all unknown settings, so that one start is enough to correct them. */
    static final class UnknownSettings extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnknownSettings(NavigableSet<String> names) {
            super("Unknown settings: " + String.join(", ", names));
        }
    }
}
