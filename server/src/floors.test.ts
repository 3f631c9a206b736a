import { join } from 'node:path'
import { expect, it } from 'vitest'
import { upwardImports } from '../../scripts/structure/floors.ts'
import { readModules } from '../../scripts/structure/modules.ts'

it('keeps every import of the server pointing down', () => {
  const server = readModules(join(import.meta.dirname, '../..')).filter(({ path }) => /^(server|modules)\//.test(path))
  expect(upwardImports(server)).toEqual([])
})
