import { describe, expect, it } from 'vitest'
import { withoutNoise, withoutSystemNoise } from './client-noise.ts'

const line = 'x-anthropic-billing-header: cc_version=2.1.330.7b4; cc_entrypoint=cli; cch=eb6c6;'

describe('the rule anthropic-billing-header', () => {
  it('takes the line away where it begins the instructions, and nowhere else', () => {
    expect(withoutNoise(line)).toBe('')
    expect(withoutNoise(`${line}\n\nYou are an agent.`)).toBe('You are an agent.')
    expect(withoutNoise(`Explain this: ${line}`)).toBe(`Explain this: ${line}`)
  })

  it('takes its block away', () => {
    const blocks = [
      { type: 'text', text: line },
      { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } },
    ]
    expect(withoutSystemNoise({ system: blocks })).toEqual({ system: [blocks[1]] })
    expect(withoutSystemNoise({ system: [blocks[0]] })).toEqual({ system: undefined })
    expect(withoutSystemNoise({ system: `${line}\nYou are an agent.` })).toEqual({ system: 'You are an agent.' })
  })

  it.each([{}, { system: 'You are an agent.' }, { system: [{ type: 'text', text: 'x' }, 7] }, { system: 5 }])(
    'leaves %j alone',
    (body) => expect(withoutSystemNoise(body)).toBeUndefined(),
  )
})
