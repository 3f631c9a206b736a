import { callHead } from '../journal/call-head.ts'
import type { Journal } from '../journal/journal.ts'
import { type HeldFor, type JournalRecord, journalRecord } from '../journal/journal-record.ts'
import { boundedBegin } from '../journal/record-bounds.ts'
import type { Recorder, RequestRecord } from '../relay/ports.ts'
import type { Charges } from './apply/charges.ts'
import type { Accounts } from './holds/accounts.ts'

export interface RecorderParts {
  readonly journal: Journal
  readonly charges: Pick<Charges, 'add'>
  readonly accounts: Pick<Accounts, 'charging'>
}

/** Journal first, database later. */
export const createRecorder = ({ journal, charges, accounts }: RecorderParts): Recorder => {
  const written = (record: JournalRecord): void => {
    if (record.kind === 'charge') accounts.charging(record)
    charges.add(record)
  }
  const end = (record: RequestRecord, held?: HeldFor): Promise<void> => {
    const head = callHead(record)
    return journal.end(journalRecord(record, held, head), written, head)
  }
  return {
    begin: (begin) => journal.begin(boundedBegin(begin)),
    progress: (id, usage) => journal.progress(id, usage),
    // A call that cannot be recorded fails and costs nothing.
    charge: (record, hold, heldAt) => end(record, { hold, heldAt }),
    fail: (record) => end(record),
  }
}
