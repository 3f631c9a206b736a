import type { Database } from '#server/db/database.ts'
import { csvLine, csvMark } from '#server/http/csv.ts'
import { type CorrectionCall, openCorrectionStore } from './store.ts'

const pageSize = 500

const columns = [
  'request_id',
  'time',
  'user_id',
  'token_id',
  'token_name',
  'channel_id',
  'model_name',
  'group',
  'old_quota',
  'new_quota',
  'difference',
  'state',
  'reversal',
  'charge',
] as const

const pagesOf = async function* (database: Database, id: number): AsyncGenerator<readonly CorrectionCall[]> {
  const store = openCorrectionStore(database)
  for (let after = 0; ; ) {
    const page = await store.callsAfter(id, after, pageSize)
    const last = page.at(-1)
    if (last === undefined) return
    after = last.id
    yield page
  }
}

type Line = Readonly<Record<(typeof columns)[number], string | number>>

const lineOf = (call: CorrectionCall): Line => {
  const applied = call.state === 'applied'
  return {
    request_id: call.request_id,
    time: new Date(call.called_at * 1000).toISOString(),
    user_id: call.user_id,
    token_id: call.token_id,
    token_name: call.token_name,
    channel_id: call.channel_id,
    model_name: call.model_name,
    group: call.group,
    old_quota: call.old_quota,
    new_quota: call.new_quota,
    difference: call.new_quota - call.old_quota,
    state: call.state,
    reversal: applied ? `reverse:${call.replaces}` : '',
    charge: applied ? `correction:${call.correction_id}:${call.request_id}` : '',
  }
}

/** A line per call with its old and new charge and the movements in the ledger, page by page as the client reads. */
export const correctionFile = async function* (
  database: Database,
  id: number,
  format: 'csv' | 'json',
): AsyncGenerator<string> {
  if (format === 'csv') yield csvMark + csvLine(columns)
  let between = '[\n'
  for await (const page of pagesOf(database, id)) {
    const lines = page.map(lineOf)
    if (format === 'csv') yield lines.map((line) => csvLine(columns.map((name) => line[name]))).join('')
    else {
      yield between + lines.map((line) => JSON.stringify(line)).join(',\n')
      between = ',\n'
    }
  }
  if (format === 'json') yield between === '[\n' ? '[]\n' : '\n]\n'
}
