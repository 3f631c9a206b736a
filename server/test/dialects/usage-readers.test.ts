import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** Whoever makes a usage out of what a provider states asks the table of what is declared. Other files count for themselves. */

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** Files that make usage of counts of this server's own, of parts of a report that is checked as a whole, or of fixed prices. */
const ownCounts: Readonly<Record<string, string>> = {
  'dialects/anthropic/billed/iterations.ts': 'entries of a usage that is checked with all of its entries',
  'dialects/openai-responses/billed/drawn-pictures.ts': 'a member of tool_usage, which is checked as a whole',
  'relay/batches/billing/answer-usage.ts': 'answers that the readers of their dialect have read',
  'relay/batches/billing/batch-prices.ts': 'expected lines',
  'relay/batches/billing/batch-sum.ts': 'sums of reports and of what was counted here',
  'relay/batches/lines/batch-lines.ts': 'what a line may cost at most, counted here',
  'relay/cached-contents/creation.ts': 'the total, whose report is checked where it is read',
  'relay/cached-contents/payments.ts': 'the time that content is kept',
  'relay/exchange/call-price.ts': 'a usual call, to compare prices',
  'relay/holds/stream-progress.ts': 'the text so far, counted here',
  'relay/raw/raw-call.ts': 'calls at a price per call',
  'relay/realtime/live/live-meter.ts': 'sums of reports and of what was counted here',
  'relay/realtime/live/music-protocol.ts': 'the length of music, which states no usage',
  'relay/realtime/meter.ts': 'sums of reports and of what was counted here',
  'relay/realtime/tools-of-turns.ts': 'calls of tools that the reader of responses has read',
  'relay/realtime/tally.ts': 'what both sides sent, counted here',
  'relay/records/aborted-record.ts': 'the prompt, counted here',
  'relay/routing/below-cost.ts': 'a usual call, to compare prices',
  'relay/routing/choice/channel-choice.ts': 'a usual call, to compare prices',
  'relay/routing/hedging/hedge-plan.ts': 'an expected call',
  'relay/routing/hedging/settle-hedge.ts': 'the prompt, counted here',
  'relay/tasks/task-price.ts': 'tasks at a price per call',
  'relay/usage/used.ts': 'what was counted here',
}

const makesUsage = /\.\.\.noUsage\b|\binput: countOf\(/
const asksTable = /\b(?:unknownMembers|usageStated|markedBy|usageFromOpenai|promptUsage)\b/

const makers = (): readonly string[] =>
  ['providers', 'dialects', 'relay'].flatMap((folder) =>
    readdirSync(`${source}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`)
      .filter((name) => makesUsage.test(readFileSync(source + name, 'utf8'))),
  )

it('no provider’s usage is read past the table of declared members', () => {
  const past = makers().filter((name) => !asksTable.test(readFileSync(source + name, 'utf8')))
  expect(past.filter((name) => !(name in ownCounts))).toEqual([])
})

it('every exception is still one', () => {
  const all = new Set(makers())
  expect(Object.keys(ownCounts).filter((name) => !all.has(name))).toEqual([])
})

/** An answer’s usage that is thrown away is charged as if it stated nothing. */
it('every kind of answer without a conversation says what it reads of its usage', () => {
  const silent = ['providers', 'dialects'].flatMap((folder) =>
    readdirSync(`${source}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`)
      .filter((name) => !name.startsWith('dialects/conversation/'))
      .filter((name) => /\busage: undefined\b/.test(readFileSync(source + name, 'utf8'))),
  )
  expect(silent).toEqual([])
})
