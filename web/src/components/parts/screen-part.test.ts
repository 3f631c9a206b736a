import { expect, it } from 'vitest'
import { partsAt, type ScreenPart } from './screen-part.ts'

const part = (place: string, position: number, role?: number): ScreenPart => ({
  place,
  position,
  ...(role === undefined ? {} : { role }),
  load: () => Promise.reject(new Error('not drawn here')),
})

it('draws the parts of a place in their order, those of higher roles to them alone', () => {
  const parts = [part('side', 2), part('elsewhere', 1), part('side', 1, 100)]
  const positions = (role: number): number[] => partsAt(parts, 'side', role).map(({ position }) => position)
  expect([positions(100), positions(10)]).toEqual([[1, 2], [2]])
})
