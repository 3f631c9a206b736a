import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from '../journal/journal.ts'
import { type JournalRecord, journalRecord, withHoldForgotten } from '../journal/journal-record.ts'
import type { Interrupted } from '../journal/replay.ts'
import type { LeftWebCall } from '../relay/ports.ts'
import type { Charges } from './apply/charges.ts'
import type { Backlog } from './backlog.ts'
import type { Accounts } from './holds/accounts.ts'
import { interruptedRecord } from './interrupted.ts'

export interface LeftoverParts {
  readonly journal: Pick<Journal, 'replay'>
  readonly charges: Pick<Charges, 'add' | 'waiting'>
  readonly accounts: Pick<Accounts, 'leftOver'>
  readonly backlog: Backlog
  readonly now: () => number
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

const webCallIn = ({ interrupted: { begin } }: { readonly interrupted: Interrupted }): LeftWebCall[] =>
  begin.webCall === undefined ? [] : [{ ...begin.webCall, requestId: begin.id, channelId: begin.channelId }]

/** Records of earlier runs in the journal, on their way to the database while calls are served. */
interface Leftovers {
  /** Resolves when the writer has all of it. Never rejects. */
  readonly handedOver: Promise<void>
  /** Interrupted calls over WebRTC: they are settled, but continue at their providers until they are ended. */
  readonly webCalls: readonly LeftWebCall[]
  /** Leaves the rest in the journal for the next start; resolves when the transfer has stopped. */
  stop(): Promise<void>
}

/** Most charges in the writer's queue, to bound its memory. */
const mostAtOnce = 6000
const restMs = 20

/**
 * Counts the charges of earlier runs in the journal as pending, and then passes them to the writer in the background: finished requests
 * again (a repeat changes nothing), and interrupted ones with their last known usage. Resolves when the charges are counted: from then
 * on balances are right, even while the database is slow or unreachable.
 */
export const openLeftovers = async ({
  journal,
  charges,
  accounts,
  backlog,
  now,
  warn,
}: LeftoverParts): Promise<Leftovers> => {
  const leftovers = journal.replay()
  // The same begin always gives the same charge, so another crash before it is applied does no harm.
  const interrupted = leftovers.open.map((open) => journalRecord(interruptedRecord(open.interrupted, now())))
  const pending = leftovers.charges.map((charge) => ({ ...charge, hold: undefined as JournalRecord['hold'] }))
  await accounts.leftOver([...pending, ...interrupted.filter(({ kind }) => kind === 'charge')])
  const holds = new Map(pending.map(({ id, hold }) => [id, hold]))
  backlog.add(interrupted.length + holds.size)
  let finished = 0
  let stopped = false

  const add = async (record: JournalRecord): Promise<void> => {
    while (charges.waiting >= mostAtOnce && !stopped) await sleep(restMs)
    if (!stopped) charges.add(record)
  }

  const handOver = async (): Promise<void> => {
    for await (const records of leftovers.records()) {
      for (const earlier of records) {
        if (stopped) return
        const record = withHoldForgotten(earlier)
        record.hold = holds.get(record.id)
        if (holds.delete(record.id)) backlog.add(-1)
        await add(record)
        finished += 1
      }
    }
    for (const record of interrupted) {
      if (stopped) return
      await add(record)
      backlog.add(-1)
    }
    if (finished + interrupted.length > 0) {
      warn('leftovers_applied', { finished, interrupted: interrupted.length })
    }
  }

  const handedOver = handOver().catch((error: unknown) =>
    warn('journal_not_readable', { error, finished, consequence: 'the rest is applied at the next start' }),
  )

  return {
    handedOver,
    webCalls: leftovers.open.flatMap(webCallIn),
    async stop() {
      stopped = true
      await handedOver
    },
  }
}
