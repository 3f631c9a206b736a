import { expect, it } from 'vitest'
import { chatAddress, readChatLinks } from './chat-links.ts'

it('fills address and key into a chat link, and refuses a broken list', () => {
  expect(chatAddress('x://?u={address}&k={key}', 'https://a.b', 'sk-1')).toBe('x://?u=https%3A%2F%2Fa.b&k=sk-1')
  expect(readChatLinks([{ A: 'x' }, 'broken'])).toBeUndefined()
  expect(readChatLinks([{ A: 'x' }])).toEqual([{ name: 'A', link: 'x' }])
})
