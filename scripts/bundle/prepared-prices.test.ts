import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { openShippedLists, type PreparedLists } from '../../server/src/billing/book/prepared-lists.ts'
import { digestOf } from '../../server/src/billing/book/price-list-data.ts'
import { preparePrices } from './prepared-prices.ts'

it('gives the bundle the lists that the sources compose, under their digest and name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-prices-'))
  try {
    const { module, file } = await preparePrices()
    writeFileSync(join(folder, 'prepared.mjs'), module)
    writeFileSync(join(folder, file.name), file.text)
    const bundled = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'prepared.mjs')).href)) as {
      openShippedLists(): Promise<PreparedLists>
    }
    const [ours, theirs] = await Promise.all([openShippedLists(), bundled.openShippedLists()])
    expect(theirs.digest).toBe(ours.digest)
    expect(theirs.name).toBe(ours.name)
    expect(theirs.lists()).toEqual(ours.lists())
    expect(digestOf(theirs.lists())).toBe(ours.digest)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
