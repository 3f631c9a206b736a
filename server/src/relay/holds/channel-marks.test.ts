import { expect, it } from 'vitest'
import { openTestChannels, testCaller, testChannel } from '../../../test/support/relay/ports.ts'
import { longerMarks, openChannelMarks, openUnsetMarks } from './channel-marks.ts'

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

it('of calls that set none follow channels, options and models', () => {
  const one = testChannel({ id: 1 })
  let snapshot = openTestChannels(one).snapshot()
  const marksFor = openUnsetMarks({ snapshot: () => snapshot })
  const marks = (group: string, model = 'gpt-4o', cacheMarks = new Map<string, '5m' | '1h' | 'off'>()) =>
    marksFor({ caller: { ...caller, group }, model }, { cacheMarks })
  const ofVip = new Map([['vip', '1h' as const]])
  expect([marks('default'), marks('default', 'gpt-6-astra'), marks('default')]).toEqual([undefined, '5m', undefined])
  expect([marks('vip', 'gpt-4o', ofVip), marks('default', 'gpt-4o', ofVip), marks('vip')]).toEqual([
    '1h',
    undefined,
    undefined,
  ])
  snapshot = openTestChannels({ ...one, cacheMarks: '5m' }).snapshot()
  expect([marks('default'), marks('default')]).toEqual(['5m', '5m'])
  snapshot = openTestChannels(one).snapshot()
  expect(marks('default')).toBeUndefined()
})
