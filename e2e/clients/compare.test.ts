import { describe, expect, it } from 'vitest'
import { cellText, compareRows, type Outcome, type Row, readRows } from './compare.ts'
import { clientsPart, partOf, tableOf, withClientsPart } from './page.ts'

const row = (chat: Outcome, client = 'openai'): Row => ({ client, version: '1.0.0', outcomes: { chat } })
const outcome = (checks: number, ...failed: string[]): Outcome => ({ checks, failed })

const verdicts = (before: Outcome, now: Outcome): (readonly [string, string])[] =>
  compareRows([row(before)], [row(now)]).map(({ verdict, text }) => [verdict, text])

describe('compareRows', () => {
  it.each([
    ['nothing changed', outcome(6), outcome(6), []],
    ['the same check fails', outcome(6, 'errors'), outcome(6, 'errors'), []],
    ['a check fails', outcome(6), outcome(6, 'errors'), [['worse', 'fails errors']]],
    ['one mended, another broken', outcome(6, 'loop'), outcome(6, 'errors'), [['worse', 'fails errors']]],
    ['a check has gone', outcome(6), outcome(5), [['worse', 'has 1 checks fewer']]],
    ['a failing check has gone', outcome(6, 'loop'), outcome(5), [['worse', 'has 1 checks fewer']]],
    ['a check passes', outcome(6, 'errors', 'loop'), outcome(6, 'loop'), [['better', 'passes errors']]],
    ['a check is new', outcome(6), outcome(7), [['better', 'has 1 checks more']]],
    ['a new check fails', outcome(6), outcome(7, 'count'), [['worse', 'fails count']]],
  ])('says it when %s', (_, before, now, expected) => {
    expect(verdicts(before, now)).toEqual(expected)
  })

  it('takes a client that the page does not know for better, and a failure of it for worse', () => {
    expect(compareRows([], [row(outcome(3))])).toMatchObject([{ verdict: 'better', upstream: 'chat' }])
    expect(compareRows([], [row(outcome(3, 'loop'))])).toMatchObject([{ verdict: 'worse', text: 'fails loop' }])
  })

  it('takes an upstream that a client is not run with any more for worse, and passes over clients that were not run', () => {
    const now: Row = { client: 'openai', version: '1.0.0', outcomes: {} }
    expect(compareRows([row(outcome(3)), row(outcome(3), 'absent')], [now])).toEqual([
      { client: 'openai', upstream: 'chat', verdict: 'worse', text: 'is not run any more' },
    ])
  })
})

describe('a page', () => {
  it('says what it has read', () => {
    const rows = [row(outcome(6)), row(outcome(4, 'loop', 'a stream’s error'), 'anthropic')]
    expect(readRows(tableOf(rows).join('\n'))).toEqual(rows)
    expect(cellText(outcome(4, 'loop'))).toBe('3 of 4: loop')
  })

  it('keeps its other parts when that of the clients is written, anew too', () => {
    const first = withClientsPart('# Conformance\n\nOther words.\n', partOf([row(outcome(6))]))
    const second = withClientsPart(first, partOf([row(outcome(6, 'loop'))]))
    expect(second.match(/^# Conformance\n\nOther words\.\n\n/)).not.toBeNull()
    expect(readRows(clientsPart(second))).toEqual([row(outcome(6, 'loop'))])
    expect(second.match(/## Clients/g)).toHaveLength(1)
    expect(withClientsPart(second, clientsPart(second))).toBe(second)
  })
})
