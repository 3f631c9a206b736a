import { expect, it } from 'vitest'
import { constrainedSetup, readLiveTokenRequest, resumedHandle, withResumedHandle } from './live-token.ts'

const now = Date.parse('2026-11-24T12:00:00Z')
const locks = (setup: object | undefined, locked?: string[]) => ({ setup: setup as never, locked })

it('lives as long as Google’s keys where nothing is said', () => {
  expect(readLiveTokenRequest({}, now)).toEqual({
    uses: 1,
    expires: now + 1_800_000,
    newSessionExpires: now + 60_000,
    setup: undefined,
    locked: undefined,
  })
})

it('reads both ways to write a name, and refuses what it cannot keep', () => {
  const read = readLiveTokenRequest({ uses: 3, expire_time: '2026-11-24T12:00:30.5Z', fieldMask: 'model,tools' }, now)
  expect(read).toMatchObject({
    uses: 3,
    expires: now + 30_500,
    newSessionExpires: now + 30_500,
    locked: ['model', 'tools'],
  })
  expect(readLiveTokenRequest({ expireTime: '2026-11-25T12:00:00Z' }, now)).toContain('20 hours')
  expect(readLiveTokenRequest({ newSessionExpireTime: '2026-11-24T11:00:00Z' }, now)).toContain('20 hours')
  expect(readLiveTokenRequest({ uses: 'many' }, now)).toContain('uses')
})

it('locks all of the settings, but not which session goes on', () => {
  const asked = { model: 'models/dear', tools: [], session_resumption: { handle: 'h' } }
  expect(constrainedSetup(asked, locks({ model: 'models/cheap' }))).toEqual({
    model: 'models/cheap',
    sessionResumption: { handle: 'h' },
  })
  expect(constrainedSetup(asked, locks(undefined))).toBe(asked)
})

it('locks the named members, however the client writes them', () => {
  const setup = { model: 'models/cheap', generationConfig: { temperature: 0.1 } }
  const asked = {
    model: 'models/dear',
    generation_config: { temperature: 2, top_k: 3 },
    system_instruction: { parts: [{ text: 'mine' }] },
    tools: [{}],
  }
  const locked = ['model', 'generationConfig.temperature', 'systemInstruction']
  expect(constrainedSetup(asked, locks(setup, locked))).toEqual({
    model: 'models/cheap',
    generationConfig: { temperature: 0.1, top_k: 3 },
    tools: [{}],
  })
})

it('finds and replaces the handle of a session', () => {
  expect(resumedHandle({ session_resumption: { handle: 'h' } })).toBe('h')
  expect(resumedHandle({ sessionResumption: {} })).toBeUndefined()
  expect(withResumedHandle({ model: 'm', session_resumption: { handle: 'h', transparent: true } }, 'i')).toEqual({
    model: 'm',
    sessionResumption: { handle: 'i', transparent: true },
  })
})
