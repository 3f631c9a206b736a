import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allowedFigures, compareFigures, filesOfOthersLimits, filesWhileOff, plainFigures } from './call-figures.ts'
import { openTracedSite, type TracedSite } from './traced-call.ts'

const patience = 300_000

let site: TracedSite
beforeAll(async () => {
  site = await openTracedSite(join(import.meta.dirname, '../..'))
}, patience)
afterAll(() => site.close())

it(
  'visits no more files in a plain call, enters no more functions and returns no more often than it did',
  async () => {
    const { plainCall } = allowedFigures
    // A job beside the call can only add to what is seen of it.
    const once = async () =>
      compareFigures({ plainCall: await plainFigures(site, plainCall), features: {} }, allowedFigures)
    const began = performance.now()
    let { above } = await once()
    while (above.length > 0 && performance.now() - began < patience / 2) ({ above } = await once())
    expect(above).toEqual([])
  },
  patience,
)

it(
  'visits no file of a feature that is off',
  async () => {
    // Jobs of a feature run beside the call, so a file that is seen once need not be the call's.
    const once = async () => [...(await filesWhileOff(site))].filter(([, files]) => files > 0)
    const began = performance.now()
    let visited = await once()
    while (visited.length > 0 && performance.now() - began < patience / 2) visited = await once()
    expect(visited).toEqual([])
  },
  patience,
)

it(
  'visits no file of limits while only others are limited',
  async () => {
    // Leases and counts are renewed beside the call.
    const began = performance.now()
    let files = await filesOfOthersLimits(site)
    while (files > 0 && performance.now() - began < patience / 2) files = await filesOfOthersLimits(site)
    expect(files).toBe(0)
  },
  patience,
)
