import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addSdkChannels, generalSteps, generalStepsOf, sdkCalls, sdkFigures } from './sdk-calls.ts'
import { openTracedSite, type TracedSite } from './traced-call.ts'

const patience = 300_000

let site: TracedSite
beforeAll(async () => {
  site = await openTracedSite(join(import.meta.dirname, '../..'))
  await addSdkChannels(site)
}, patience)
afterAll(() => site.close())

it(
  'the simple call of each official package and program is a plain one',
  async () => {
    const left: Record<string, readonly string[]> = {}
    for (const call of sdkCalls(site)) {
      const once = await sdkFigures(site, call, 1)
      // A change of what plans are made from sends one call the general way.
      const { name, left: steps } = once.left.length === 0 ? once : await sdkFigures(site, call, 2)
      if (steps.length > 0) left[name] = steps
    }
    expect(left).toEqual({})
  },
  patience,
)

it.each(generalSteps.map(([step, file, name]) => [step, file, name] as const))(
  'the step of %s is still entered in %s by %s',
  (_, file, name) => {
    const source = readFileSync(join(import.meta.dirname, '../../server/src', file), 'utf8')
    expect(source).toMatch(new RegExp(`const ${name} = `))
  },
)

it(
  'a call that is not simple leaves the plain way, so that the test would notice',
  async () => {
    const ask = async (): Promise<void> => {
      const response = await fetch(`${site.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'gpt-4o',
          messages: [{ role: 'user', content: 'Hello' }],
          tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }],
        }),
      })
      expect(await response.text()).toContain('Hello')
    }
    const [trace = []] = await site.traceCall(ask, 1)
    expect(generalStepsOf(trace)).toEqual(['admission', 'hold', 'exchange', 'head'])
  },
  patience,
)
