import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import type { CallListener } from '../call-listener.ts'
import type { Exposition } from '../monitor-listener.ts'
import { createCallMetrics } from './call-metrics.ts'
import { createJobMetrics, type JobMetricSource } from './job-metrics.ts'
import { createStateMetrics, type StateMetricsParts } from './state-metrics.ts'

export interface PrometheusParts extends Omit<StateMetricsParts, 'registry' | 'mostChannels'> {
  readonly jobs: JobMetricSource
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Models, and channels, that have series of their own. */
  readonly mostNames: number
  knows(model: string): boolean
  /** Undefined where the node is one process. */
  readonly worker?: WorkerMetrics | undefined
}

/** How the workers of a node read each other's metrics: whoever is scraped answers for all. */
export interface WorkerMetrics {
  /** The value of the label `worker`. */
  readonly number: number
  /** Sets what the others get. */
  serve(read: () => Promise<unknown>): void
  /** Metrics of the other serving processes, each as `serve` gives them. */
  others(): Promise<readonly unknown[]>
}

export interface Prometheus extends Exposition {
  readonly listener: CallListener
  close(): void
}

const settleMs = 60_000

/** Everything that is exported to Prometheus. Loaded only where somebody may scrape. */
export const openPrometheus = (parts: PrometheusParts): Prometheus => {
  const registry = new Registry()
  const { mostNames, knows, worker } = parts
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker.number) })
  worker?.serve(() => registry.getMetricsAsJSON())
  /** Nothing is added up: the label keeps the workers apart. The others are this program, so what they give is what this one gives. */
  const textOfAll = async ({ others }: WorkerMetrics): Promise<string> => {
    const [own, rest] = await Promise.all([registry.getMetricsAsJSON(), others()])
    return AggregatorRegistry.aggregate([own, ...(rest as (typeof own)[])]).metrics()
  }
  const calls = createCallMetrics({ registry, mostNames, knows })
  createStateMetrics({ ...parts, registry, mostChannels: mostNames })
  createJobMetrics({ registry, jobs: parts.jobs, clock: parts.clock })
  // Event loop, memory, garbage collection, open handles.
  collectDefaultMetrics({ register: registry })
  const timer = setInterval(() => calls.settle(), settleMs)
  timer.unref()
  return {
    listener: calls,
    contentType: registry.contentType,
    text: () => (worker === undefined ? registry.metrics() : textOfAll(worker)),
    close() {
      clearInterval(timer)
      registry.clear()
    },
  }
}
