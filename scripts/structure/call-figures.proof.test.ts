import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allowedFigures, compareFigures, featureFigures, plainFigures } from './call-figures.ts'
import { openTracedSite, type TracedSite } from './traced-call.ts'

const patience = 300_000

let site: TracedSite
beforeAll(async () => {
  site = await openTracedSite(join(import.meta.dirname, '../..'))
}, patience)
afterAll(() => site.close())

/** Says what can be lowered; that it fell is no failure. */
const check = (found: Parameters<typeof compareFigures>[0], allowed: Parameters<typeof compareFigures>[1]): void => {
  const { above, below } = compareFigures(found, allowed)
  for (const line of below) console.warn(line)
  expect(above).toEqual([])
}

it(
  'visits no more files in a plain call, enters no more functions and returns no more often than it did',
  async () => {
    const { plainCall } = allowedFigures
    check({ plainCall: await plainFigures(site, plainCall), features: {} }, { plainCall, features: {} })
  },
  patience,
)

it(
  'visits no more files for what is off, or on for others, than it did',
  async () => {
    const { plainCall, features } = allowedFigures
    check({ plainCall, features: await featureFigures(site, features) }, allowedFigures)
  },
  patience,
)
