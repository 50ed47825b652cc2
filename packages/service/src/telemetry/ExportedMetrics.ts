import type { OtlpMetrics } from "effect/observability"
import { METRICS_PREFIX } from "../metrics/MetricsRoute.ts"

/** Units by the end of a name, in UCUM. */
const UNITS: ReadonlyArray<readonly [suffix: RegExp, unit: string]> = [
  [/_seconds(_total)?$/, "s"],
  [/_bytes(_total)?$/, "By"],
]

/** Without a unit `1`, which would add `_ratio` to the name in Prometheus. */
const unitOf = (name: string): string => UNITS.find(([suffix]) => suffix.test(name))?.[1] ?? ""

/** The metrics with the names that they have at `/metrics`. */
export const exportedMetrics = ({ resourceMetrics }: OtlpMetrics.MetricsData): OtlpMetrics.MetricsData => ({
  resourceMetrics: resourceMetrics.map((ofResource) => ({
    ...ofResource,
    scopeMetrics: ofResource.scopeMetrics.map((ofScope) => ({
      ...ofScope,
      metrics: ofScope.metrics.map((metric) => ({
        ...metric,
        name: `${METRICS_PREFIX}_${metric.name}`,
        unit: unitOf(metric.name),
      })),
    })),
  })),
})
