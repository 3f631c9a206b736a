import { describe, expect, it } from 'vitest'
import { testChannel } from '../../../test/support/relay/ports.ts'
import { routedModel } from '../../billing/routed-model.ts'
import { redact } from '../upstream/redact.ts'
import { shouldDisable } from './auto-disable.ts'
import { mappedModel, mappingLoop } from './model-mapping.ts'
import { byChance, chooseChannel } from './plan.ts'
import { mayRetry } from './retry-table.ts'

describe('chooseChannel', () => {
  const priorities = [5, 5, 0].map((priority, index) => testChannel({ id: index + 1, priority }))

  const walk = (attempts: number): (number | undefined)[] => {
    const tried = new Set<number>()
    return Array.from({ length: attempts }, (_, attempt) => {
      const id = chooseChannel(
        priorities,
        tried,
        attempt,
        byChance(() => 0),
      )?.id
      if (id !== undefined) tried.add(id)
      return id
    })
  }

  it('goes down a tier with each attempt and comes back for what it left out', () => {
    expect(walk(4)).toEqual([1, 3, 2, undefined])
  })

  it.each([
    [0, 1],
    [0.333, 1],
    [0.334, 2],
    [0.999, 2],
  ])('weighs 0 and 10 as 1 to 2: %d takes %i', (random, id) => {
    const two = [testChannel({ id: 1, weight: 0 }), testChannel({ id: 2, weight: 10 })]
    expect(
      chooseChannel(
        two,
        new Set(),
        0,
        byChance(() => random),
      )?.id,
    ).toBe(id)
  })

  it('keeps away from channels in trouble, down to lower tiers, as long as there are others', () => {
    const in1and2 = ({ id }: { id: number }) => id !== 3
    expect(
      chooseChannel(
        priorities,
        new Set(),
        0,
        byChance(() => 0),
        ({ id }) => id === 1,
      )?.id,
    ).toBe(2)
    expect(
      chooseChannel(
        priorities,
        new Set(),
        0,
        byChance(() => 0),
        in1and2,
      )?.id,
    ).toBe(3)
    expect(
      chooseChannel(
        priorities,
        new Set([3]),
        0,
        byChance(() => 0),
        in1and2,
      )?.id,
    ).toBe(1)
    expect(
      chooseChannel(
        priorities.slice(0, 1),
        new Set(),
        0,
        byChance(() => 0),
        () => true,
      )?.id,
    ).toBe(1)
  })

  it('has nothing to choose from an empty list', () => {
    expect(
      chooseChannel(
        [],
        new Set(),
        0,
        byChance(() => 0),
      ),
    ).toBeUndefined()
  })
})

it('routes all gizmos of a family as one model', () => {
  expect(['gpt-4-gizmo-a', 'gpt-4o-gizmo-b', 'gpt-4'].map(routedModel)).toEqual([
    'gpt-4-gizmo-*',
    'gpt-4o-gizmo-*',
    'gpt-4',
  ])
})

it.each([
  [429, true],
  [307, true],
  [504, false],
  [524, false],
  [500, true],
  [599, true],
  [400, false],
  [408, false],
  [204, false],
  [301, true],
  [401, true],
  [403, true],
  [404, true],
  [422, true],
])('after %i another channel is asked: %s', (status, retry) => expect(mayRetry(status, 1)).toBe(retry))

it('asks another channel after a 400 of Anthropic', () => expect(mayRetry(400, 14)).toBe(true))

describe('shouldDisable', () => {
  const failure = { status: 500, type: '', code: '', message: 'm', cause: '' }
  it.each([
    [{ status: 401 }, 1, true],
    [{ status: 403 }, 1, false],
    [{ status: 403 }, 24, true],
    [{ code: 'invalid_api_key' }, 1, true],
    [{ code: 'billing_not_active' }, 1, true],
    [{ code: 'no_account_instance' }, 2, true],
    [{ type: 'insufficient_quota' }, 1, true],
    [{ type: 'permission_error' }, 1, true],
    [{ message: 'Sorry: Your Credit balance is too LOW.' }, 1, true],
    [{ message: 'try again' }, 1, false],
    [{ status: 429, message: 'Your credit balance is too low' }, 1, true],
    [{ status: 429, message: 'Your credit balance is too low', retryAfter: '20' }, 1, false],
    [{ status: 429, type: 'insufficient_quota', retryAfter: '20' }, 1, true],
    [{ status: 0 }, 1, false],
  ])('%j of type %i: %s', (changes, type, disables) => {
    expect(shouldDisable({ ...failure, ...changes }, type, ['your credit balance is too low', ''])).toBe(disables)
  })
})

describe('mappedModel', () => {
  const mapping = new Map([
    ['a', 'b'],
    ['b', 'c'],
    ['self', 'self'],
    ['x', 'y'],
    ['y', 'x'],
    ['empty', ''],
  ])
  it.each([
    ['a', 'c'],
    ['c', 'c'],
    ['self', 'self'],
    ['empty', 'empty'],
  ])('%s → %s', (model, target) => expect(mappedModel(mapping, model)).toBe(target))

  it('refuses a circle', () => expect(() => mappedModel(mapping, 'x')).toThrow('x → y → x'))

  it.each([
    [{ a: 'b', b: 'a' }, 'a → b → a'],
    [{ a: 'b', b: 'c', c: 'd', d: 'b' }, 'b → c → d → b'],
    [{ a: 'a', b: 'a', c: 'b' }, undefined],
    [{ a: 'b', c: 'b', b: '' }, undefined],
    [{ constructor: 'toString' }, undefined],
  ])('finds the circle in %j: %s', (names, loop) => {
    expect(mappingLoop(new Map(Object.entries(names)))?.join(' → ')).toBe(loop)
  })
})

it('cuts keys and addresses out, and leaves public links', () => {
  const secrets = { key: 'wire-1', baseUrl: 'https://up.example:8443/api' }
  const text =
    'wire-1 at https://up.example:8443/api/v1 (10.0.0.7:80, localhost:3000): see https://platform.openai.com/keys'
  expect(redact(text, secrets)).toBe('*** at ***/v1 (***, ***): see https://platform.openai.com/keys')
})
