import { Gauge, type Registry } from 'prom-client'
import type { ChannelStates, WatchedChannel } from '../channel-states.ts'
import type { Dependencies, NodeState } from '../node-state.ts'

export interface StateMetricsParts {
  readonly registry: Registry
  readonly state: () => NodeState
  readonly dependencies: Dependencies
  readonly channels: ChannelStates
  /** Channels that have series of their own. */
  readonly mostChannels: number
  readonly version: string
  readonly node: string
}

const second = 1000

/** Gauges that are read when somebody scrapes: they cost nothing meanwhile. */
export const createStateMetrics = (parts: StateMetricsParts): void => {
  const { registry, state, dependencies } = parts
  const registers = [registry]

  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }

  gauge('tollgate_calls_running', 'Calls of the relay that are not over', () => state().running)
  gauge('tollgate_holds_open', 'Reservations that are not settled', () => state().holds.count)
  gauge('tollgate_holds_quota', 'Quota units that open reservations come to', () => state().holds.quota)
  gauge('tollgate_leases_open', 'Accounts of which a part is leased from nodes or workers', () => state().leases.count)
  gauge('tollgate_leases_quota', 'Quota units that are left of leases', () => state().leases.quota)
  gauge('tollgate_ledger_waiting', 'Finished calls that are not in the database yet', () => state().waiting.count)
  gauge(
    'tollgate_ledger_lag_seconds',
    'How long the oldest finished call has waited for the database',
    () => state().waiting.oldestMs / second,
  )
  gauge('tollgate_journal_segments', 'Files of the journal', () => state().journal.segments)
  gauge('tollgate_journal_bytes', 'Bytes of the journal on the disk', () => state().journal.bytes)
  gauge('tollgate_accepting', '1 while new calls may begin, 0 while none can be recorded', () =>
    Number(state().accepting),
  )

  const dependency = (name: string, help: string, ask: () => Promise<number | undefined>): void => {
    new Gauge({
      name: `tollgate_${name}_up`,
      help: `1 while ${help} answers`,
      registers,
      async collect() {
        this.set((await ask()) === undefined ? 0 : 1)
      },
    })
    new Gauge({
      name: `tollgate_${name}_ping_seconds`,
      help: `How long ${help} took to answer a ping; NaN while it does not`,
      registers,
      async collect() {
        const ms = await ask()
        this.set(ms === undefined ? Number.NaN : ms / second)
      },
    })
  }
  dependency('database', 'the database', dependencies.database)
  if (dependencies.redis !== undefined) dependency('redis', 'Redis', dependencies.redis)

  new Gauge({
    name: 'tollgate_channels',
    help: 'Channels by state: enabled, disabled, or troubled (enabled, but some of its models are avoided)',
    labelNames: ['state'],
    registers,
    collect() {
      const all = parts.channels()
      const enabled = all.filter((channel) => channel.enabled)
      const troubled = enabled.filter(({ avoidedModels }) => avoidedModels.length > 0)
      this.set({ state: 'enabled' }, enabled.length)
      this.set({ state: 'disabled' }, all.length - enabled.length)
      this.set({ state: 'troubled' }, troubled.length)
    },
  })
  new Gauge({
    name: 'tollgate_channel_up',
    help: '1 while a channel is enabled and none of its models is avoided, 0.5 while some are, 0 while it is off',
    labelNames: ['channel'],
    registers,
    collect() {
      this.reset()
      for (const channel of worstFirst(parts)) this.set({ channel: String(channel.id) }, health(channel))
    },
  })
  new Gauge({
    name: 'tollgate_channel_info',
    help: 'Always 1; names the channels that have series of their own',
    labelNames: ['channel', 'name'],
    registers,
    collect() {
      this.reset()
      for (const { id, name } of worstFirst(parts)) this.set({ channel: String(id), name }, 1)
    },
  })
  new Gauge({
    name: 'tollgate_build_info',
    help: 'Always 1; the labels say which version runs on which node',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: parts.version, node: parts.node }, 1)
}

/** As many channels as have series, those in trouble first. */
const worstFirst = ({ channels, mostChannels }: StateMetricsParts): readonly WatchedChannel[] =>
  channels()
    .toSorted((a, b) => health(a) - health(b) || a.id - b.id)
    .slice(0, mostChannels)

const health = ({ enabled, avoidedModels }: { enabled: boolean; avoidedModels: readonly string[] }): number => {
  if (!enabled) return 0
  return avoidedModels.length === 0 ? 1 : 0.5
}
