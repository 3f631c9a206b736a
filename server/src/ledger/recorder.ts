import { type Booked, booked } from '../journal/booked.ts'
import type { Journal } from '../journal/journal.ts'
import { boundedBegin } from '../journal/record-bounds.ts'
import type { Recorder } from '../relay/ports.ts'
import type { Accounts } from './accounts.ts'
import type { Charges } from './charges.ts'
import { interruptedRecord } from './interrupted.ts'

export interface RecorderParts {
  readonly journal: Journal
  readonly charges: Charges
  readonly accounts: Accounts
  readonly now: () => number
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

/**
 * Journal first, database later. Before it opens it applies what an earlier process left: finished requests once more
 * (which changes nothing where they arrived before), and interrupted ones as far as they are known.
 */
export const openRecorder = async (parts: RecorderParts): Promise<Recorder> => {
  const { journal, charges, accounts } = parts
  await replay(parts)
  const written = (record: Booked): void => {
    if (record.kind === 'charge') accounts.charging(record)
    charges.add(record)
  }
  return {
    begin: (begin) => journal.begin(boundedBegin(begin)),
    progress: (id, usage) => journal.progress(id, usage),
    // Whoever cannot be written down is told that the call failed, and then it costs nothing.
    end: (record, hold) => journal.end(booked(record, hold), written),
  }
}

const replay = async ({ journal, charges, now, warn }: RecorderParts): Promise<void> => {
  const leftovers = journal.replay()
  let finished = 0
  for await (const records of leftovers.records()) {
    for (const record of records) charges.add(record)
    finished += records.length
    await charges.flush()
  }
  const records = leftovers.open.map(({ interrupted }) => booked(interruptedRecord(interrupted, now())))
  for (const record of records) {
    await journal.end(record)
    charges.add(record)
  }
  await charges.flush()
  if (finished + records.length > 0) {
    warn('requests of an earlier run were applied', { finished, interrupted: records.length })
  }
}
