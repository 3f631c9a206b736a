import type { Bus } from '#server/lib/redis/bus.ts'
import type { InspectionRow, InspectorStore } from './store.ts'

/** The inspections that run, in memory on every node. */
export interface RunningInspections {
  /** True while there is none: nothing else need be asked. */
  readonly none: boolean
  /** Calls the listener each time they were read again. */
  watch(listener: () => void): void
  /** The inspection that wants a call of this key or user, whose role it may see; undefined for none. */
  ofCaller(caller: { readonly tokenId: number; readonly userId: number; readonly role: number }): number | undefined
  /** True if calls at some channel are wanted. */
  readonly anyChannel: boolean
  /** The inspection that wants a channel's calls by a user of that role. */
  ofChannel(channel: number, role: number): number | undefined
  all(): readonly InspectionRow[]
  /** Reads them again, here and on the other nodes. */
  changed(): Promise<void>
  refresh(): Promise<void>
  close(): void
}

const topic = 'inspections'

export const openRunningInspections = async (parts: {
  readonly store: Pick<InspectorStore, 'running'>
  readonly bus: Bus
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly failed: (error: unknown) => void
}): Promise<RunningInspections> => {
  const { store, bus, clock, failed } = parts
  const listeners: (() => void)[] = []
  let rows: readonly InspectionRow[] = []

  const now = (): number => Math.floor(clock() / 1000)

  const refresh = async (): Promise<void> => {
    rows = await store.running(now())
    for (const listener of listeners) listener()
  }
  const unsubscribe = bus.subscribe(topic, (notice) => {
    if (notice.kind === 'message' && notice.own) return
    refresh().catch(failed)
  })
  await refresh()

  const find = (kind: InspectionRow['kind'], id: number, role: number): number | undefined =>
    rows.find(
      (row) => row.kind === kind && row.target_id === id && row.started_role >= role && row.ends_time > clock() / 1000,
    )?.id

  return {
    get none() {
      return rows.length === 0
    },
    watch(listener) {
      listeners.push(listener)
    },
    get anyChannel() {
      return rows.some(({ kind }) => kind === 'channel')
    },
    ofCaller: ({ tokenId, userId, role }) =>
      (tokenId === 0 ? undefined : find('token', tokenId, role)) ?? find('user', userId, role),
    ofChannel: (channel, role) => find('channel', channel, role),
    all: () => rows.filter(({ ends_time }) => ends_time > now()),
    async changed() {
      await refresh()
      bus.publish(topic)
    },
    refresh,
    close: unsubscribe,
  }
}
