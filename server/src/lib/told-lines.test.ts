import { expect, it } from 'vitest'
import { someAtOnce, type Teller, toldLines } from './told-lines.ts'

const read = async (lines: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const part of lines) text += part
  return text
}

it('tells each line as soon as it is known, and says in between that it goes on', async () => {
  const later = Promise.withResolvers<void>()
  const lines = toldLines(async ({ tell }: Teller<{ id: number }>) => {
    tell({ id: 1 })
    await later.promise
    tell({ id: 2 })
  }, 5)
  expect((await lines.next()).value).toBe('{"id":1}\n')
  expect((await lines.next()).value).toBe('\n')
  later.resolve()
  expect((await read(lines)).trim()).toBe('{"id":2}')
})

it('tells all that was known before it broke', async () => {
  const lines = toldLines(async ({ tell }: Teller<string>) => {
    tell('known')
    throw new Error('no disk')
  })
  expect((await lines.next()).value).toBe('"known"\n')
  await expect(lines.next()).rejects.toThrow('no disk')
})

it('begins nothing more when its reader has gone, and never more than allowed at once', async () => {
  let begun = 0
  let under = 0
  let most = 0
  const lines = toldLines(({ tell, isHeard }: Teller<number>) =>
    someAtOnce([...Array(50).keys()], { atOnce: 3, goesOn: isHeard }, async (item) => {
      begun += 1
      under += 1
      most = Math.max(most, under)
      await new Promise((resolve) => setTimeout(resolve, 5))
      under -= 1
      tell(item)
    }),
  )
  await lines.next()
  await lines.return(undefined)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(most).toBe(3)
  expect(begun).toBeLessThan(10)
})
