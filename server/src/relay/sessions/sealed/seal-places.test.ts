import { expect, it } from 'vitest'
import { silentLog } from '../../../lib/log.ts'
import { localBus } from '../../../lib/redis/local-bus.ts'
import { openSealPlaces } from './seal-places.ts'
import { keyOfSeals, nameOfKey, placeOfKey, refusesSeals, unreadableAt } from './sealed-reasoning.ts'

const at = (channelId: number, key: string) => placeOfKey({ id: channelId }, key)

/** Two processes that hear each other; what they say is kept. */
const pair = () => {
  const buses = [localBus(silentLog), localBus(silentLog)]
  const told: string[] = []
  const places = buses.map((bus) =>
    openSealPlaces({
      bus: {
        subscribe: bus.subscribe,
        publish: (topic, message = '') => {
          told.push(message)
          for (const other of buses) other.deliver(topic, { kind: 'message', message, own: other === bus })
        },
      },
    }),
  )
  return { places, told }
}

it('is known to the other workers and nodes, and nobody can read the ciphertext or the key from it', () => {
  const { places, told } = pair()
  places[0]?.note(['gAAAA-one', 'gAAAA-two'], at(7, 'sk-secret'))
  expect(places[1]?.find(['gAAAA-two', 'gAAAA-three'])).toEqual(new Map([['gAAAA-two', at(7, 'sk-secret')]]))
  expect(told.join()).not.toMatch(/gAAAA|secret/)
})

it('survives what others send by mistake', () => {
  const bus = localBus(silentLog)
  const places = openSealPlaces({ bus: { subscribe: bus.subscribe, publish: () => {} } })
  for (const message of ['', 'x', '1 2 3', `1 ${nameOfKey('k')} zz`])
    bus.deliver('seal-places', { kind: 'message', message, own: false })
  expect(places.find(['gAAAA'])).toEqual(new Map())
})

it('forgets the longest unused first', () => {
  const places = openSealPlaces({ most: 2 })
  places.note(['one', 'two'], at(1, 'k'))
  places.find(['one'])
  places.note(['three'], at(1, 'k'))
  expect([...places.find(['one', 'two', 'three']).keys()]).toEqual(['one', 'three'])
})

it('tells what an account cannot read, and which key can', () => {
  const places = new Map([
    ['mine', at(1, 'a')],
    ['other key', at(1, 'b')],
    ['other channel', at(2, 'a')],
  ])
  const sealed = { places, last: at(1, 'b') }
  expect([...unreadableAt(sealed, { id: 1 }, 'a')]).toEqual(['other key', 'other channel'])
  expect(keyOfSeals(sealed, { id: 1, keys: ['a', 'b'] })).toBe('b')
  expect(keyOfSeals(sealed, { id: 1, keys: ['a'] })).toBeUndefined()
  expect(keyOfSeals(sealed, { id: 2, keys: ['b'] })).toBeUndefined()
})

it.each([
  [{ code: 'invalid_encrypted_content', message: '' }, true],
  [{ code: '', message: 'The encrypted content gAAA could not be verified.' }, true],
  [{ code: '', message: 'Encrypted content organization_id did not match the target organization' }, true],
  [{ code: 'invalid_prompt', message: 'The content is encrypted badly' }, false],
])('knows the refusal: %j', (refusal, expected) => {
  expect(refusesSeals(refusal, 'gpt-6.1-sol')).toBe(expected)
})

const changed =
  'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.'
it.each([
  ['claude-sonnet-5-5', changed, true],
  ['anthropic.claude-haiku-5-5', 'messages.3.content.1: Invalid `signature` in `redacted_thinking` block', true],
  ['claude-opus-5.5', changed, true],
  ['claude-fable-5-2', changed, true],
  ['claude-next-9', changed, true],
  ['claude-opus-5', changed, false],
  ['claude-sonnet-4-6', changed, false],
  ['deepseek-v4-pro', changed, false],
  ['claude-sonnet-5-5', 'messages.1.content.0.thinking: Field required', false],
])('knows the refusal of a thought by %s: %s', (model, message, expected) => {
  expect(refusesSeals({ code: 'invalid_request_error', message }, model)).toBe(expected)
})
