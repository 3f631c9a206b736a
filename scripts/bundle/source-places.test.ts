import { expect, it } from 'vitest'
import { inAscii, withSourcePlaces } from './source-places.ts'

it('names the source of a module that is bundled elsewhere', () => {
  const code =
    "const script = new URL('./worker.ts', import.meta.url)\nconst files = join(import.meta.dirname, '../web')"
  const moved = withSourcePlaces(code, '/site/server/src/db/thread.ts', '/site/server/dist')
  expect(moved).toContain("new URL('./worker.ts', new URL('../src/db/thread.ts', import.meta.url).href)")
  expect(moved).toContain("join(pathOfSource(new URL('../src/db', import.meta.url)), '../web')")
})

it('leaves a module that does not ask where it is', () => {
  expect(withSourcePlaces('export const one = 1', '/site/server/src/one.ts', '/site/server/dist')).toBeUndefined()
})

it('says the same in ASCII', () => {
  const code = 'const text = "余额 😀"; const found = /[一-龥]/u.test("额")'
  expect(inAscii(code)).toMatch(/^[ -~]+$/)
  expect(new Function(`${inAscii(code)}; return [text, found]`)()).toEqual(['余额 😀', true])
})
