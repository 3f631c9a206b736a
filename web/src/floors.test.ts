/// <reference types="node" />
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { upwardImports } from '../../scripts/structure/floors.ts'
import { readModules } from '../../scripts/structure/modules.ts'

const web = readModules(join(import.meta.dirname, '../..')).filter(({ path }) => path.startsWith('web/'))

it('keeps every import of the console pointing down, and features apart', () => {
  expect(web.length).toBeGreaterThan(400)
  expect(upwardImports(web)).toEqual([])
})

it('leaves the message after a call to useAction, which also refreshes and reports failures', () => {
  const byHand = web.filter(({ path, text }) => {
    const isTest = /\.test\.tsx?$|\/src\/test\//.test(path)
    return !isTest && /(?<![\w.])call\(/.test(text) && /\bnotifyDone\(/.test(text)
  })
  expect(byHand.map(({ path }) => path)).toEqual([])
})
