import { expect, it } from 'vitest'
import { aJournalRecord } from '../../test/support/journal/records.ts'
import { endLine, parseLine } from './lines.ts'

it('gives back the session of a call and what its cache came to', () => {
  const measures = { cached: 9, cacheWrite: 1, reasoning: 0, missed: 7, cacheSaved: 30, cacheLost: 4 }
  const record = aJournalRecord('r', { session: '0123456789abcdef', measures })
  expect(parseLine(endLine(record))).toMatchObject({ kind: 'end', record: { session: '0123456789abcdef', measures } })
  expect(parseLine(endLine(aJournalRecord('r')))).not.toHaveProperty('record.session')
})
