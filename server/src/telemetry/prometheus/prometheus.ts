import { collectDefaultMetrics, Registry } from 'prom-client'
import type { CallListener } from '../call-listener.ts'
import type { Exposition } from '../monitor-listener.ts'
import { createCallMetrics } from './call-metrics.ts'
import { createStateMetrics, type StateMetricsParts } from './state-metrics.ts'

export interface PrometheusParts extends Omit<StateMetricsParts, 'registry' | 'mostChannels'> {
  /** Models, and channels, that have series of their own. */
  readonly mostNames: number
  knows(model: string): boolean
}

export interface Prometheus extends Exposition {
  readonly listener: CallListener
  close(): void
}

const settleMs = 60_000

/** Everything that is exported to Prometheus. Loaded only where somebody may scrape. */
export const openPrometheus = (parts: PrometheusParts): Prometheus => {
  const registry = new Registry()
  const { mostNames, knows } = parts
  const calls = createCallMetrics({ registry, mostNames, knows })
  createStateMetrics({ ...parts, registry, mostChannels: mostNames })
  // Event loop, memory, garbage collection, open handles.
  collectDefaultMetrics({ register: registry })
  const timer = setInterval(() => calls.settle(), settleMs)
  timer.unref()
  return {
    listener: calls,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close() {
      clearInterval(timer)
      registry.clear()
    },
  }
}
