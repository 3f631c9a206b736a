import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import type { FactsByModel } from '../../server/src/features/models/facts/facts-by-model.ts'
import { openCatalogueFacts } from '../../server/src/features/models/facts/prepared-facts.ts'
import { prepareFacts } from './prepared-facts.ts'

it('gives the bundle all that the catalogue says about models', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-facts-'))
  try {
    const { module, file } = await prepareFacts()
    writeFileSync(join(folder, 'prepared.mjs'), module)
    writeFileSync(join(folder, file.name), file.text)
    const bundled = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'prepared.mjs')).href)) as {
      openCatalogueFacts(): Promise<() => FactsByModel>
    }
    const [ours, theirs] = await Promise.all([openCatalogueFacts(), bundled.openCatalogueFacts()])
    const said = [...ours()].filter(([, { description, context }]) => description !== '' || context > 0)
    expect(said.length).toBeGreaterThan(100)
    expect([...theirs()]).toEqual(said)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
