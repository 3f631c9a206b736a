/// <reference types="node" />
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { upwardImports } from '../../scripts/structure/floors.ts'
import { readModules } from '../../scripts/structure/modules.ts'

it('keeps every import of the console pointing down, and features apart', () => {
  const web = readModules(join(import.meta.dirname, '../..')).filter(({ path }) => path.startsWith('web/'))
  expect(web.length).toBeGreaterThan(400)
  expect(upwardImports(web)).toEqual([])
})
