import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastMembers } from './last-members.ts'

const read = (text: string) => lastMembers(Buffer.from(text), 'usage')

describe('the last members of an object', () => {
  it.each([
    ['{"data":[0.1,0.2],"usage":{"prompt_tokens":3}}', { usage: { prompt_tokens: 3 } }],
    ['{"data":[],"usage" : {"prompt_tokens":3}, "model":"m"}\n', { usage: { prompt_tokens: 3 }, model: 'm' }],
    ['{"usage":{"prompt_tokens":1},"usage":{"prompt_tokens":2}}', { usage: { prompt_tokens: 2 } }],
  ])('are read out of %s', (text, members) => {
    expect(read(text)).toEqual(members)
  })

  it.each([
    ['a member of a member', '{"data":{"usage":{"prompt_tokens":3}}}'],
    ['a member of the last of a list', '{"data":[{"usage":{"prompt_tokens":3}}]}'],
    ['a text', '{"data":["usage"]}'],
    ['an end that was cut off', '{"data":[],"usage":{"prompt_tokens":3}'],
    ['no object', '[{"usage":{"prompt_tokens":3}}]'],
    ['nothing of that name', '{"data":[]}'],
    ['what is too long to be an end', `{"usage":{"prompt_tokens":3},"data":"${'x'.repeat(20_000)}"}`],
  ])('are not taken from %s', (_, text) => {
    expect(read(text)).toBeUndefined()
  })

  it('are those that reading the whole finds', () => {
    const names = fc.constantFrom('a', 'usage', '"usage"', 'data')
    const { object } = fc.letrec((tie) => ({
      object: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
      value: fc.oneof({ maxDepth: 3 }, fc.jsonValue(), names, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    }))
    let total = 0
    fc.assert(
      fc.property(object, (value) => {
        const text = JSON.stringify(value)
        const whole = JSON.parse(text) as Record<string, unknown>
        const found = Object.entries(read(text) ?? {})
        total += found.length
        for (const [name, member] of found) expect(whole[name]).toEqual(member)
      }),
      { numRuns: 2000 },
    )
    expect(total).toBeGreaterThan(100)
  })
})
