import { expect, it } from 'vitest'
import { openTestChannels, testCaller, testChannel } from '../../../test/support/relay/ports.ts'
import { longerMarks, openChannelMarks } from './channel-marks.ts'

const caller = { ...testCaller, forcedChannel: undefined }
const ask = (...marks: ('5m' | '1h' | 'off' | undefined)[]) => {
  const channels = marks.map((cacheMarks, index) => testChannel({ id: index + 1, ...(cacheMarks && { cacheMarks }) }))
  const marksFor = openChannelMarks(openTestChannels(...channels))
  return (forcedChannel?: number) => marksFor({ caller: { ...caller, forcedChannel }, model: 'gpt-4o' })
}

it('are the dearest of the channels that may answer', () => {
  expect(ask()()).toBeUndefined()
  expect(ask(undefined, 'off')()).toBeUndefined()
  expect(ask('off', '5m')()).toBe('5m')
  expect(ask('5m', '1h')()).toBe('1h')
})

it('are those of a forced channel', () => expect(ask('1h', '5m')(2)).toBe('5m'))

it('come on top of a group’s', () => {
  expect([longerMarks('5m', '1h'), longerMarks('1h', undefined), longerMarks(undefined, '5m')]).toEqual([
    '1h',
    '1h',
    '5m',
  ])
})
