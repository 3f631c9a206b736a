import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ownMember } from '@tollgate/contract/own-member'
import type { SharedParts } from '../app/parts.ts'
import type { Config } from '../config/config.ts'
import { version } from '../config/version.ts'
import type { Tracing } from '../gateway/ports.ts'
import type { Journal } from '../journal/journal.ts'
import { createClientIpReader } from '../lib/security/client-address.ts'
import type { CallListener } from './call-listener.ts'
import { joinListeners } from './call-listener.ts'
import type { ChannelStates, WatchedChannel } from './channel-states.ts'
import { openLiveNode } from './live/live-node.ts'
import { type LiveNodes, openLiveNodes } from './live/live-nodes.ts'
import { createMetricsAccess } from './metrics-access.ts'
import { createMonitorListener, type Exposition, type MonitorListener } from './monitor-listener.ts'
import { createPing, type Dependencies, type NodeState } from './node-state.ts'
import type { Check, Checks } from './probes/checks.ts'

/** Parts of the node that are built after monitoring has begun. */
export interface WatchedParts {
  readonly running: () => number
  readonly channels: {
    snapshot(): {
      all(): readonly (Pick<WatchedChannel, 'id' | 'name' | 'enabled'> & { readonly autoDisabled?: boolean })[]
      knows(model: string): boolean
    }
  }
  readonly avoidedModels: (channelId: number) => readonly string[]
}

/** All that watches this node. */
export interface Monitoring {
  /** Gets news of calls; undefined where nobody wants any. */
  readonly listener: CallListener | undefined
  readonly exposition: Exposition | undefined
  /** Follows requests; undefined where nobody wants traces. */
  readonly tracing: Tracing | undefined
  /** Reports of all nodes. */
  readonly liveNodes: LiveNodes
  readonly state: () => NodeState
  readonly channels: ChannelStates
  /** Once, when the parts are there. */
  watch(parts: WatchedParts): void
  checks(): readonly Check[]
  close(): Promise<void>
}

const isScraped = ({ metrics, monitorPort }: Config): boolean =>
  metrics.token !== undefined || metrics.allow.length > 0 || monitorPort !== undefined

const checksOf = (
  { ledger, neighbours }: SharedParts,
  journal: Journal,
  { database, redis }: Dependencies,
): readonly Check[] => [
  {
    name: 'journal',
    needed: true,
    fault: () => (journal.healthy ? undefined : 'the disk refuses records'),
  },
  {
    name: 'ledger',
    needed: true,
    fault: () => (ledger.accepting || !journal.healthy ? undefined : 'too many records wait for the database'),
  },
  {
    name: 'neighbours',
    needed: true,
    fault: () =>
      neighbours.stranger === undefined ? undefined : 'another gateway uses the database without this Redis',
  },
  {
    name: 'database',
    needed: false,
    fault: async () => ((await database()) === undefined ? 'no answer' : undefined),
  },
  ...(redis === undefined
    ? []
    : [{ name: 'redis', needed: false, fault: async () => ((await redis()) === undefined ? 'no answer' : undefined) }]),
]

/** Opens what watches this node, as the configuration asks for it; what is not asked for is not even loaded. */
export const openMonitoring = async (shared: SharedParts, journal: Journal, checks: Checks): Promise<Monitoring> => {
  const { config, log, clock, database, redis, ledger } = shared
  let watched: WatchedParts | undefined
  const dependencies: Dependencies = {
    database: createPing(() => database.ping(), clock),
    redis: redis === undefined ? undefined : createPing(() => redis.run('return 1', [], []), clock),
  }
  const state = (): NodeState => {
    const { oldestWaitingAt } = ledger
    return {
      running: watched?.running() ?? 0,
      holds: ledger.openHolds(),
      leases: ledger.leases(),
      waiting: {
        count: ledger.waiting,
        oldestMs: oldestWaitingAt === undefined ? 0 : Math.max(0, clock() - oldestWaitingAt),
      },
      journal: journal.depth(),
      accepting: ledger.accepting,
    }
  }
  const channels: ChannelStates = () =>
    watched === undefined
      ? []
      : watched.channels
          .snapshot()
          .all()
          .map(({ id, name, enabled, autoDisabled }) => ({
            id,
            name,
            enabled,
            autoDisabled: autoDisabled === true,
            avoidedModels: watched?.avoidedModels(id) ?? [],
          }))
  const knows = (model: string): boolean => watched?.channels.snapshot().knows(model) ?? false
  const prometheus = isScraped(config)
    ? (await import('./prometheus/prometheus.ts')).openPrometheus({
        state,
        jobs: shared.jobFigures,
        clock,
        dependencies,
        channels,
        knows,
        mostNames: config.metrics.mostNames,
        version,
        node: config.nodeName,
        worker: shared.primary?.metrics(config.worker),
      })
    : undefined
  const otel =
    config.otel === undefined
      ? undefined
      : (await import('./otel/otel.ts')).openOtel({
          ...config.otel,
          version,
          node: config.nodeName,
          mostNames: config.metrics.mostNames,
          knows,
          state,
          clock,
          warn: log.warn,
        })
  if (otel?.logs !== undefined) log.listen?.(otel.logs)
  const id = `${config.nodeName}:${randomUUID()}`
  const live = openLiveNode({
    id,
    name: config.nodeName,
    version,
    state,
    isStopping: () => checks.phase === 'stopping',
    dependencies,
    clock,
  })
  const liveNodes = openLiveNodes({
    id,
    node: live,
    bus: shared.bus,
    alone: config.redis === undefined && shared.primary === undefined,
    clock,
    failed: (error) => log.warn('live_figures_not_sent', { error }),
  })
  return {
    listener: joinListeners(
      [live.listener, prometheus?.listener, otel?.listener].filter((listener) => listener !== undefined),
    ),
    tracing: otel?.tracing,
    liveNodes,
    exposition: prometheus,
    state,
    channels,
    watch(parts) {
      watched = parts
    },
    checks: () => checksOf(shared, journal, dependencies),
    async close() {
      liveNodes.close()
      live.close()
      prometheus?.close()
      log.listen?.(undefined)
      await otel?.close()
    },
  }
}

/** The monitor's paths on the port of the relay, where the metrics are open to the token and the addresses of the configuration. */
export const monitorOnMainPort = (
  config: Config,
  checks: Checks,
  metrics: () => Exposition | undefined,
): MonitorListener => {
  const ipOf = createClientIpReader(config.trustedProxies)
  const addressOf = (request: IncomingMessage): string =>
    ipOf(request.socket.remoteAddress, (name) => {
      const value = ownMember(request.headers, name)
      return Array.isArray(value) ? value.join(', ') : value
    })
  return createMonitorListener({ checks, metrics, mayRead: createMetricsAccess(config.metrics, addressOf) })
}

/** The same on the port of its own, which reads no forwarding headers and is open where neither a token nor addresses are set. */
export const monitorOnOwnPort = (
  config: Config,
  checks: Checks,
  metrics: () => Exposition | undefined,
): MonitorListener => {
  const { token, allow } = config.metrics
  const ipOf = createClientIpReader([])
  const isOpen = token === undefined && allow.length === 0
  const mayRead = isOpen
    ? () => true
    : createMetricsAccess(config.metrics, (request) => ipOf(request.socket.remoteAddress, () => undefined))
  return createMonitorListener({ checks, metrics, mayRead })
}
