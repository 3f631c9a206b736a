import { expect, it } from 'vitest'
import { subjects } from './exchange.ts'
import { corpus } from './replay.ts'

it.each(Object.entries(corpus))('%s has every subject, as a whole and streamed', (_, exchanges) => {
  const found = exchanges.map(({ subject, stream }) => `${subject} ${stream ? 'streamed' : 'whole'}`)
  expect(found.toSorted()).toEqual(
    subjects.flatMap((subject) => [`${subject} streamed`, `${subject} whole`]).toSorted(),
  )
  expect(new Set(exchanges.map(({ id }) => id)).size).toBe(exchanges.length)
})
